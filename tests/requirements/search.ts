/** What the search shelf promises, from its founding document. */
export const search = {
  "search.all.results": "on request every result is told, whatever the limit",
  "search.chunks.context": "the model reads a chunk's path once, and the text without its headings",
  "search.chunks.cut": "a chunk holds one section, with the headings it stands under",
  "search.chunks.economy": "the counter of tokens is shown each letter about once",
  "search.chunks.fences": "a code fence that fits into a chunk is not cut",
  "search.chunks.letters": "a chunk is never cut between the halves of a letter",
  "search.chunks.once": "equal sections of two documents are one text for the model",
  "search.chunks.whole": "the chunks of a document leave nothing of it out",
  "search.cost.guess": "usual searches are cheap, and those that look through much are not",
  "search.first-reading":
    "while a folder is read for the first time, whoever asks waits for it or is told so; nothing found in it is no answer",
  "search.heavy.same":
    "a search that a server runs in another process answers what a command answers",
  "search.nothing.reason": "who finds nothing is told where there is nothing to be found",
  "search.files.encoding":
    "text keeps its letters whatever the encoding: UTF-16 by its mark, Windows-1252 by its letters",
  "search.cleanup.vectors":
    "cleaning up drops vectors of texts and models that are gone, and no others",
  "search.cli.formats": "what was found is printed as CSV, Markdown, and a line for each file",
  "search.cli.no-server":
    "where no server of ours answers, the code is 7 and the message says what to do",
  "search.cli.server-mode": "with --mode server a command prints, fails and writes as it does here",
  "search.cli.terminal": "a terminal shows progress, and marks what was found",
  "search.collections.add":
    "a folder is added under a name, read at once and kept in the configuration",
  "search.collections.add-fails":
    "a collection whose first reading fails is not kept, and can be added later",
  "search.collections.cli": "the commands of the document add, list, rename and remove collections",
  "search.collections.conflict": "a name that is taken, or a folder that is not there, is refused",
  "search.collections.disk":
    "a mask that asks for the top folder alone reads nothing else, even of the whole disk",
  "search.collections.encoded-name":
    "a collection whose name has odd letters is reached by its encoded form",
  "search.collections.ending": "an ending fits a pattern in capital letters too",
  "search.collections.life": "a collection is added, renamed, undone and removed; its folder stays",
  "search.collections.list": "all collections are listed with folder, pattern and count",
  "search.collections.masks":
    "a mask that could never be matched in time, or read, is refused before it is kept",
  "search.collections.names": "a name that could not be the start of a path is refused",
  "search.collections.pattern":
    "a collection takes in Markdown alone unless its pattern says otherwise",
  "search.collections.remove":
    "a collection is removed from index and configuration, never from the disk",
  "search.collections.rename": "a collection is renamed, and its documents with it",
  "search.collections.rename-contexts":
    "what was said of its folders stays with a collection that is renamed",
  "search.collections.show": "a collection is shown with the time it was last read",
  "search.collections.skipped": "what could not be read is told with the answer",
  "search.commands.help": "each command has a help that shows how it is typed",
  "search.commands.home": "a command and a running server see what the other has written",
  "search.commands.printed": "each command line of the document runs as it is printed",
  "search.contexts.add": "a context that is added for a folder holds for it and what is below",
  "search.contexts.by-collection": "a context's folder may be named as collection/folder",
  "search.contexts.cli": "the commands of the document add, list and remove contexts",
  "search.contexts.cli-here": "a context that is added without a path speaks of the current folder",
  "search.contexts.cli-text":
    "a path without the text that belongs to it is refused, with the usage",
  "search.contexts.curl": "curl removes a context by its encoded path",
  "search.contexts.life": "a context is added, replaced, listed, undone by its path and gone",
  "search.contexts.list": "all contexts are listed with path and text",
  "search.contexts.nested": "of several contexts the general one comes before the special one",
  "search.contexts.refused":
    "a context for a folder that is not there, or without words, is refused",
  "search.contexts.remove": "a context is removed by its path, with slashes encoded or plain",
  "search.contexts.replace": "a second context for the same folder replaces the first",
  "search.embed.index": "`qmd embed` makes a vector index, and status says so",
  "search.embed.killed": "however often embed is killed, no vector is lost, wrong or another's",
  "search.embed.no-model": "/embed is 503 exactly while /health says that no model is loaded",
  "search.embed.queue":
    "several calls of /embed at once are all answered, with a thousand texts in one of them",
  "search.embed.texts": "no text is 400, over a thousand are 413, in the words of the document",
  "search.embed.vectors":
    "/embed gives a vector of 384 numbers for each text, and health knows of the model",
  "search.errors.body":
    "a body that is no JSON, no object or has an unknown field is 400 on every route",
  "search.errors.cli": "what REST refuses by status, the command line refuses by exit code",
  "search.errors.content-type": "a body that is not said to be JSON is 415 on every route",
  "search.errors.method": "a known path by a wrong method is 405 and says which is right",
  "search.errors.missing": "a required parameter that is missing is 400, and named",
  "search.errors.never-500": "no query, name or pattern makes the server fail",
  "search.errors.not-found": "a document, collection, context or route that is not there is 404",
  "search.errors.too-large": "a body of more than ten megabytes is 413",
  "search.explain.shown": "at a shell the reasons of a score are a line for each result",
  "search.explain.words": "on request each result says what each word gave to its score",
  "search.backlinks.across": "a link out of one collection into another is told as any other",
  "search.backlinks.code": "what stands in code, or leads elsewhere, is no link to a document",
  "search.backlinks.found":
    "whatever links to a document is told with its line, whichever way it is written",
  "search.backlinks.wiki": "links by names, as vaults of notes have them, are links as any other",
  "search.facets.told":
    "types, languages, dates and values that come again are told with their numbers",
  "search.find.language": "documents are narrowed by the language that they say or are written in",
  "search.find.ways": "one operation looks by keywords, by meaning or by both",
  "search.filter.conditions": "a condition may be written as key, operator and value",
  "search.filter.dates": "documents are narrowed by their own date",
  "search.filter.front-matter": "conditions on the front matter hold for numbers, words and lists",
  "search.filter.loses-nothing":
    "a small collection beside a huge one is searched as if it were alone",
  "search.filter.path": "documents are narrowed by a glob over their paths",
  "search.formats.all": "documents of every format are found and read, and bad files cost a line",
  "search.formats.once": "what was converted, or could not be, is not converted again",
  "search.full.body": "on request each result carries the whole text",
  "search.get.ambiguous": "a name that means two documents is an error that lists them",
  "search.get.behind": "a line behind the end of a document is told",
  "search.get.cli": "the command line prints the text itself",
  "search.get.composed": "a name fits whether its accents are written in one piece or in two",
  "search.get.colon": "`file.md:120` begins at line 120, whatever fromLine says",
  "search.get.comment":
    "what people say of its folder stands before a document's text, as a comment",
  "search.get.context": "the context stands before the text",
  "search.get.docid":
    "a document is got by its docid, with or without the sign, and a line behind it",
  "search.get.forms": "a document is got by path, end of path, docid and URI",
  "search.get.fresh": "the text is that of the file now, even before the index has read it",
  "search.get.heading": "`file.md#heading` reads that section, with what is below it",
  "search.get.line-example": "twenty lines from line 120 on are the lines 120 to 139",
  "search.get.lines":
    "`file.md:3` begins at line 3, before fromLine, and lines are numbered on request",
  "search.get.not-found":
    "a wrong name is answered with at most three near ones, in the document's form",
  "search.get.outside": "nothing outside of the collections is read",
  "search.get.parts": "fromLine and maxLines cut, and lines are numbered as in the file on request",
  "search.get.paths":
    "collection/path, the path in the collection, and its end at a slash are names",
  "search.get.range": "`file.md:120:40` reads forty lines",
  "search.get.resource": "an agent gets one embedded resource with uri, name, title, type and text",
  "search.get.rest": "REST answers a document, and null as `content`",
  "search.get.similar": "a wrong name is answered with the nearest ones",
  "search.get.suffix": "the end of a path matches at a slash only, and never two documents",
  "search.get.uris":
    "a URI is taken with its slashes encoded or not, and what is given out comes back",
  "search.get.wildcards": "letters that SQL or globs know are ordinary letters",
  "search.health.ready": "a server that is ready says healthy, and whether a model is loaded",
  "search.health.unready": "a server that cannot answer a search says unhealthy, with 503",
  "search.hostile.bounded": "a heading that is a book is not copied to every section below it",
  "search.hostile.linear": "reading four times as much takes about four times as long",
  "search.hostile.matter": "front matter that is a bomb gives a bounded number of bounded facts",
  "search.index.all": "index reads every collection and counts",
  "search.index.cli": "`qmd index` and `qmd update` say what they did",
  "search.index.joining": "a thousand small changes do not copy a large library again and again",
  "search.index.rest":
    "index takes in what is new, what changed and what is gone, with an empty body",
  "search.ls.paged": "documents are listed page by page, none twice and none left out",
  "search.mounts.back": "what a mount brings back is read without anybody writing to it",
  "search.mounts.commands": "folders on a dead mount are named, kept, and stop nothing else",
  "search.mounts.gone": "once a dead mount is gone, what is missing then is missing",
  "search.mounts.server":
    "a server with a dead mount sees edits elsewhere, and those there once it is back",
  "search.multi-get.context": "what people say of a folder stands before the text of each document",
  "search.multi-get.cut": "a cut says how many lines are missing, in the words of each surface",
  "search.multi-get.errors-first": "what is not found is told first, and the rest is read",
  "search.multi-get.glob": "a glob reads what fits it, by collection/path or by path",
  "search.multi-get.glob-example":
    "what fits a glob is read, and what is over five kilobytes skipped on request",
  "search.multi-get.list": "names by comma are read in the order they are given, spaces or not",
  "search.multi-get.max-bytes": "files over 10240 bytes are skipped unless maxBytes says otherwise",
  "search.multi-get.none": "nothing that fits is a failure, and what is missing is named",
  "search.multi-get.nothing": "a pattern that matches nothing is an error on every surface",
  "search.multi-get.numbers": "lines of several documents are numbered on request only",
  "search.multi-get.only-skipped": "REST's `content` is null even where every file is skipped",
  "search.multi-get.own-names": "the file of a result is read by its name, whatever letters it has",
  "search.multi-get.patterns":
    "a glob is matched against collection/path and path on every surface",
  "search.multi-get.resources":
    "each file is an embedded resource with uri, name, title, type and text",
  "search.multi-get.skip": "a large file is skipped and named, in the words of each surface",
  "search.multi-get.skip-notice":
    "a file that is too large is named in place of its text, in each surface's words",
  "search.multi-get.truncated":
    "a text that is cut says by how many lines, in each surface's words",
  "search.passages.bounded":
    "a section is cut into pieces that are never too long, and nothing is lost",
  "search.passages.per-file":
    "several passages of a file come with their headings and their true lines",
  "search.prompt.guide":
    "the prompt is one message of the user: the document's guide, letter by letter",
  "search.prompt.listed": "there is one prompt, query, without arguments",
  "search.prompt.unknown": "an unknown prompt is refused by its name",
  "search.query.collections": "several collections are searched at once",
  "search.query.fusion": "several searches are fused by rank, and the first two count double",
  "search.query.hybrid": "query finds by keyword and by meaning together",
  "search.query.keywords-alone": "without vectors query searches by keyword and is no error",
  "search.query.limits": "limit, minScore and collection hold for query as for search",
  "search.query.one-of-two": "both or neither of query and searches is an error that names both",
  "search.query.options":
    "intent, candidateLimit and rerank are taken, and scores keep their meaning",
  "search.query.searches": "typed searches of the caller's own are taken: lex, vec and hyde",
  "search.query.texts": "the words of query's answers are those of search, on every surface",
  "search.queue.serial": "adding, indexing and updating at once all succeed, one after the other",
  "search.renames.collection": "a collection that is renamed keeps its documents' docids",
  "search.renames.docid": "a document that is renamed keeps its docid",
  "search.resource.decoding": "a URI is decoded once, with its slashes encoded or not",
  "search.resource.encoding":
    "a URI that is given out has each segment encoded and keeps its slashes",
  "search.resource.exact-first": "an exact path goes before the end of a longer one",
  "search.resource.missing": "a document that is not there is an error -32602, never contents",
  "search.resource.path": "a URI's path is the collection and the path within it",
  "search.resource.read":
    "a document is a resource with its lines numbered; a missing one is not found",
  "search.resource.suffix":
    "the end of a path is enough, at a slash only and for one document only",
  "search.resource.template":
    "documents are one template with the document's title, description and type",
  "search.resource.text":
    "a resource's lines are numbered, and the context of its folder stands before them",
  "search.resource.unlisted":
    "documents are not listed as resources, unless asked for at the start",
  "search.revision.not-yet": "a revision that does not come is told as not yet there",
  "search.revision.wait": "who was told a revision finds at least that state, on every surface",
  "search.embedding.first": "embed as the first command takes in what a person has configured",
  "search.query.scores": "scores have half of the say: a clear first goes before a narrow one",
  "search.query.language":
    "outside English the bundled vectors do not vote, and the answer says so",
  "search.search.object": "a hit inside a typed object says which object it is",
  "search.search.agent-text":
    "an agent reads how many were found, a blank line, and one line for each",
  "search.search.cli-text": "a person sees docid, score, file, title and the numbered lines",
  "search.search.collection": "one collection is searched; an unknown one is named",
  "search.search.context": "what people say of a folder travels with its results, and no further",
  "search.search.curl": "the document's curl line for a search is answered as it stands",
  "search.search.defaults": "ten results unless told otherwise",
  "search.search.empty": "nothing found is an answer",
  "search.search.fields": "every surface gives the same six members of each result",
  "search.search.least-score":
    "without minScore weak matches are told too; with it they are not, on every surface",
  "search.search.limit": "ten results at most unless told otherwise, on every surface",
  "search.search.min-score": "weak matches are left out on request",
  "search.search.nothing": "nothing found is told in the words of the document, on every surface",
  "search.search.one-collection":
    "one collection alone is searched, and an unknown one refused, on every surface",
  "search.search.rest-text": "REST's `content` has no colon, and blank lines between results",
  "search.search.results": "a result has its docid, file, title, score, context and snippet",
  "search.search.score": "scores are from 0 to 1 in hundredths, the best first",
  "search.search.several-words": "words of a command line are one query, with or without quotes",
  "search.search.terms": "a page pasted as a query is answered at once",
  "search.search.text": "each reader gets the words of the founding document",
  "search.search.tool-example":
    "the document's test case finds two meetings that are at least half relevant",
  "search.server-mode.failures":
    "what fails at a server fails with the same words and code as here",
  "search.server-mode.json": "with --json a search is an array of results, here and by a server",
  "search.server-mode.same": "each reading command prints the same by a server",
  "search.server-mode.writes": "what changes something is done by the server",
  "search.server.both": "with --transport both one process serves an agent and the network",
  "search.server.http":
    "with --transport http the port that is named is served, and stdio is silent",
  "search.server.identity": "agents meet qmd 1.0.0, over stdio and over HTTP",
  "search.server.json": "answers are JSON over HTTP/1.1, good or bad",
  "search.server.loopback": "nobody needs a password, and only this machine is served",
  "search.server.offers": "there are six tools, one resource template and one prompt",
  "search.server.one-index": "REST, agents and the shell search the same documents",
  "search.server.port": "without --port it is 18765, for the server and for who asks it",
  "search.server.stdio": "`qmd mcp` and --transport mcp serve an agent on stdio, and open no port",
  "search.snippet.length": "a snippet has at most 300 characters of text",
  "search.snippet.lines": "a snippet carries the numbers of the file's own lines",
  "search.snippet.own-lines": "a snippet's lines have the numbers of the file on every surface",
  "search.snippet.short":
    "before its numbers a snippet has at most 300 characters and still shows the word",
  "search.status.agent": "an agent gets the summary as text and the facts as data",
  "search.status.cli": "the command line prints the summary, and the facts as JSON",
  "search.status.curl": "the document's curl line for the status is answered as it stands",
  "search.status.current": "what was added and removed is counted at once",
  "search.status.facts": "status counts documents and collections",
  "search.status.parameters": "status takes no parameters",
  "search.status.rest": "REST has the facts in its own spelling, with the summary as `content`",
  "search.titles.everywhere": "a document has the same title in results, documents and resources",
  "search.titles.fences": "what looks like a heading in a code fence is none",
  "search.titles.order":
    "a title is the front matter's, else the first heading, else the file's name",
  "search.titles.visible": "what would forge a line, turn it or hide in it is taken out",
  "search.tools.annotations": "all six tools only read, and say so",
  "search.tools.bad-values": "a wrong value is named: a tool's error, 400, exit code 2",
  "search.tools.cli-parameters":
    "the command line explains each parameter as a flag, with its default",
  "search.tools.output-schema": "tools that answer data say of what shape it is",
  "search.tools.parameters": "an agent is told each tool's parameters, types and defaults",
  "search.tools.rest-parameters": "REST has the same parameters in its own spelling",
  "search.tools.spellings": "REST takes both spellings of a name, and never one parameter twice",
  "search.tools.unknown-parameter":
    "an unknown parameter is refused everywhere, with the nearest name",
  "search.update.git":
    "with pull the repository of a collection is pulled first, by REST and at the shell",
  "search.update.pull":
    "update pulls what is in a repository, runs no hook, and says what could not be pulled",
  "search.update.rest": "update takes in what changed, and pulls only when it is told to",
  "search.vsearch.limits":
    "limit and collection hold for vsearch, and its texts are those of search",
  "search.vsearch.meaning": "a question finds a document that shares none of its words",
  "search.vsearch.min-score":
    "results of vsearch below 0.3 are left out unless minScore says otherwise",
  "search.vsearch.no-vectors":
    "without vectors vsearch says what to run: isError, 503, exit code 7",
  "search.wiki-links.meant": "each name that a document links by is told with what it means now",
  "search.words.beginning": "a star finds words by their beginning",
  "search.words.case": "capitals and accents make no difference",
  "search.words.cjk": "words of two letters are found in Chinese, Japanese and Korean",
  "search.words.coverage": "who has more of the words comes first and has a higher score",
  "search.words.never-empty": "one known word among unknown ones is enough",
  "search.words.phrase": "a phrase in quotes must be there, word by word",
  "search.words.question": "a question in plain words finds the document that has some of them",
  "search.words.stems": "forms of a word find one another",
  "search.words.typos": "words that nobody wrote are read as the nearest ones that somebody did",
  "search.words.without": "what stands behind a minus must not be there",
  "search.explain.private": "what was read instead of a word names only what stands in the passage",
  "search.hostile.file": "files that are bombs are taken in beside others, and found",
  "search.index.exact":
    "whatever is put, replaced and removed, the index finds what a scan of everything finds",
  "search.index.rollback": "a change that throws half-way leaves nothing behind",
  "search.index.shared":
    "a reader on another connection sees what is written, removed and newly spelt",
  "search.model.abort": "an aborted job that waits never begins",
  "search.model.absent": "without the model's files there is no model, and nothing is started",
  "search.model.crash": "when the child is killed its call fails, and the next one is answered",
  "search.model.damaged": "a file that is not the model that was built is not run",
  "search.model.english":
    "whether a text is English is told right for sentences, queries and code words",
  "search.model.idle": "a child without work ends, and the next call starts another",
  "search.model.no-orphan": "the child ends with its process, even in the middle of its work",
  "search.model.no-package": "without the package the build says so and makes the rest",
  "search.model.notices":
    "both models are shipped with their licence, their origin and what was changed",
  "search.model.paraphrase": "a paraphrase is nearer than any stranger",
  "search.model.query-first":
    "what somebody waits for goes before what can wait, and one job runs at a time",
  "search.model.reference":
    "tokens are equal and vectors agree with  stored and  reference examples",
  "search.model.reproducible":
    "the model is made of the package twice, to the same bytes, which are those expected",
  "search.model.responsive": "while texts are embedded the process goes on with everything else",
  "search.model.same": "a text has the same vector alone, in any company, and as a query",
  "search.model.shared": "two hundred calls at once each get their own vector",
  "search.model.silent":
    "a program that used the model ends by itself, and only its own words are out",
  "search.model.tokens": "word by word a text comes to the pieces of the whole",
  "search.query.blend": "the re-ranker has a quarter of the say at the top and more below",
  "search.query.rrf": "lists are joined by reciprocal ranks with k 60 and their weights",
  "search.ranking.order": "equal texts stand in the order of their paths, whichever came first",
  "search.ranking.fields": "a title counts more than a heading, a heading more than a mention",
  "search.rerank.abort": "at its deadline it gives up, and the next query is answered",
  "search.rerank.reference":
    "its numbers are those of its reference, and the best passage is the same",
  "search.rerank.same": "a passage has the same number alone and among others",
  "search.scores.falling": "scores never rise on the way down",
  "search.vectors.code": "the code of the scan is what its source gives, byte for byte",
  "search.vectors.filter": "what is not wanted takes no place from what is",
  "search.vectors.kept": "a vector is kept as it was given, and found by what was embedded",
  "search.vectors.machines": "every machine gives the same products",
  "search.vectors.models": "another model, other weights or other dimensions are another set",
  "search.vectors.once": "what has a vector is not kept twice",
  "search.vectors.per-document": "one document with very many near chunks leaves room for others",
  "search.vectors.recall": "of the ten nearest at least 99 in a hundred are found",
  "search.vectors.selection":
    "whatever is cut, changed, moved and asked for, a search finds what a look at all finds",
  "search.vectors.steady": "after any number of changes a set holds what the store holds",
  "search.query.intent": "the re-ranker reads what the answer is for before the query",
  "search.expansion.added":
    "a configured model's searches are added behind the caller's words, and count less",
  "search.expansion.bounds":
    "of what a model wrote, little is taken: short, nothing twice, nothing that says nothing",
  "search.expansion.client":
    "the client's own model is asked where it can be, and else a note is left",
  "search.expansion.declined":
    "a client that declines is asked no more than twice, and then searches go on",
  "search.expansion.lenient": "a list of searches is found in whatever a model wrote around it",
  "search.expansion.nonsense": "a model that gives no list adds nothing, and a note",
  "search.expansion.once": "a query is expanded once, and searches of the caller's own never",
  "search.expansion.sampling": "a client of either era lends its model to a search",
  "search.models.abort":
    "whoever leaves hears at once: while waiting, and in the middle of an answer",
  "search.models.address": "only a plain http or https address is taken",
  "search.models.bad-answer": "what is not a vector for each text is refused, and named",
  "search.models.batch":
    "a server that fails in the middle stops the work, and what was done is kept",
  "search.models.busy":
    "documents come again when a busy server says, within bounds, and a query does not wait",
  "search.models.dead": "a server that is gone is named, with the code of the system",
  "search.models.deadline":
    "a server that does not answer is given up, a query sooner than documents",
  "search.models.dimensions":
    "the first answer says how long vectors are, and no other length is taken",
  "search.models.doctor":
    "the doctor names the configured models, and what they lack, and asks no server",
  "search.models.documented": "every example of the page for users is taken as it stands",
  "search.models.embed": "an OpenAI and an Ollama server give a vector of length one for each text",
  "search.models.end-to-end":
    "documents are embedded by a server, and found by what it says of a query",
  "search.models.folder":
    "a network in a folder gives the vectors that it gives elsewhere, in any layout",
  "search.models.gguf": "a GGUF file runs by a package that people install, or the words say which",
  "search.models.identity": "whatever changes the vectors of documents is another model",
  "search.models.key": "a key is taken from the environment and sent, and nobody else sees it",
  "search.models.kinds":
    "each part takes the kinds that can play it, and refuses others with the reason",
  "search.models.languages": "a configured model has its say in every language",
  "search.models.live":
    "a change of the configuration is in force at once, and nothing else is opened anew",
  "search.models.names": "the configured models are named, without their keys and paths",
  "search.models.no-request": "opening, naming and counting ask no server",
  "search.models.no-secrets":
    "a key in the configuration file is refused, and no answer repeats it",
  "search.models.none":
    "where embedding is switched off, nothing waits for vectors and searches say so",
  "search.models.prefixes": "what a model wants before queries and documents is put there",
  "search.models.redirect": "nobody is followed to another address",
  "search.models.refused": "what a server refuses is told by its number and a remedy",
  "search.models.rerank": "a server's scores come back in the order of the passages",
  "search.models.rest": "after a failure nobody asks for a while, and then it is tried again",
  "search.models.search-goes-on": "where a server fails, a query goes on and says what is missing",
  "search.models.switch":
    "another model begins anew: no vector is mixed in, and the old ones are kept",
  "search.models.tend": "what is new goes to a model that has begun, and to no other",
  "search.models.write": "a server that chats writes, and one that gives no text is refused",
};
