/** Requirements of the search shelf, from its founding document. */
export const search = {
  "search.approval.own":
    "an agent may directly change collections and contexts that it created and no person has changed",
  "search.approval.own-user":
    "a REST call of the server's own user, without a credential, changes collections and contexts directly",
  "search.approval.others":
    "an agent can only propose to remove or replace a person's collections and contexts",
  "search.contexts.undo":
    "undoing the removal of a context fails with the name of the missing collection",
  "search.all.results": "on request all results are returned, regardless of the limit",
  "search.chunks.context":
    "the model input contains a chunk's path once, and the text without its headings",
  "search.chunks.cut": "a chunk contains one section, with the headings above it",
  "search.chunks.economy": "the token counter processes each character about once",
  "search.chunks.fences": "a code fence that fits into a chunk is not split",
  "search.chunks.letters": "a chunk boundary never splits a surrogate pair",
  "search.chunks.once": "identical sections of two documents are embedded once",
  "search.chunks.whole": "the chunks of a document cover all of it",
  "search.cost.guess":
    "common searches are estimated as cheap, and those that scan much as expensive",
  "search.initial-scan":
    "during the initial scan of a folder calls wait or report it; an empty result is not reported before it ends",
  "search.heavy.same":
    "a search that a server runs in another process returns the same as a command",
  "search.notes.exclusion": "a note says that a query that only excludes words finds nothing",
  "search.notes.filter-key": "a filter on an unknown key is an error that lists the known keys",
  "search.notes.filter-value": "a note on a filter that matches no document lists the known values",
  "search.notes.language":
    "a note says that the embedding model does not support the language of the query",
  "search.notes.spelling": "a note and each hit name a misspelled word and its correction",
  "search.notes.surfaces":
    "notes are data and text for agents, data over REST, and on stderr on the command line",
  "search.nothing.reason":
    "an empty result explains if there is no collection or a folder is missing",
  "search.files.encoding":
    "text is decoded in any encoding: UTF-16 by its byte order mark, Windows-1252 by its bytes",
  "search.cleanup.vectors": "cleanup drops vectors of removed texts and models, and no others",
  "search.cli.formats": "results are printed as CSV, Markdown, or one line per file",
  "search.cli.full-path": "--full-path shows paths on disk in every format",
  "search.cli.no-server":
    "if no Lectern server answers, the exit code is 7 and the message says what to do",
  "search.cli.open": "--open opens the first result in the editor, at its line",
  "search.cli.paths": "--paths prints paths on disk, and -0 separates them for xargs -0",
  "search.cli.server-mode":
    "with --mode server a command has the same output, errors and effects as locally",
  "search.cli.terminal": "a terminal shows progress and highlights matches",
  "search.collections.add":
    "a folder is added under a name, indexed immediately and stored in the configuration",
  "search.collections.add-fails":
    "a collection whose initial scan fails is not stored, and can be added later",
  "search.collections.cli": "the documented commands add, list, rename and remove collections",
  "search.collections.conflict": "a name in use, or a folder that does not exist, is refused",
  "search.collections.continued":
    "after Ctrl+C, the same command continues to index the collection",
  "search.collections.disk":
    "a collection of the root folder with a top-level mask reads nothing below, and does not block the rest",
  "search.collections.encoded-name":
    "a collection whose name has special characters is reached by its encoded name",
  "search.collections.ending": "a file extension matches a pattern case-insensitively",
  "search.collections.life":
    "a collection can be added, renamed and removed, and each change undone; its folder is not deleted",
  "search.collections.list": "all collections are listed with folder, pattern and count",
  "search.collections.masks":
    "a mask that is invalid or too expensive to match is refused before it is stored",
  "search.collections.names": "a name that cannot be the first segment of a path is refused",
  "search.collections.pattern": "a collection contains only Markdown by default",
  "search.collections.remove":
    "a collection is removed from index and configuration, never from disk",
  "search.collections.rename": "a collection is renamed together with its documents",
  "search.collections.rename-contexts": "a renamed collection keeps the contexts of its folders",
  "search.collections.set":
    "the mask and the folder of a collection can be changed, and the change undone",
  "search.collections.show": "a collection is shown with the time of its last scan",
  "search.collections.shown":
    "lists for people contain the names, folders and masks of collections",
  "search.collections.unmatched":
    "if no file of a folder matches, the result lists the types of its files",
  "search.collections.skipped": "files that could not be read are reported with the answer",
  "search.commands.help": "each command has a help with its usage",
  "search.commands.home": "a command and a running server see each other's changes",
  "search.commands.printed": "each documented command line runs as printed",
  "search.contexts.add": "a context added for a folder applies to the folder and everything below",
  "search.contexts.by-collection": "a context's folder may be given as collection/folder",
  "search.contexts.cli": "the documented commands add, list and remove contexts",
  "search.contexts.cli-here": "a context added without a path applies to the current folder",
  "search.contexts.cli-text": "a path without a text is refused with the usage",
  "search.contexts.curl": "curl removes a context by its encoded path",
  "search.contexts.life":
    "a context can be added, replaced, listed and removed by path, and each change undone",
  "search.contexts.list": "all contexts are listed with path and text",
  "search.contexts.nested": "of several contexts, the more general one comes first",
  "search.contexts.refused":
    "a context without text, or for a folder that does not exist, is refused",
  "search.contexts.remove": "a context is removed by its path, with slashes encoded or plain",
  "search.contexts.replace": "a second context for the same folder replaces the first",
  "search.embed.index": "`qmd embed` builds a vector index, and status reports it",
  "search.embed.coverage":
    "a semantic search finds what is embedded so far, and a note says how much that is",
  "search.embed.force": "embed can be limited to some collections, and can recompute embeddings",
  "search.embed.killed": "killing embed repeatedly never loses, corrupts or mixes up a vector",
  "search.embed.no-model":
    "/embed returns 503 if and only if /health reports that no model is loaded",
  "search.embed.queue":
    "concurrent calls of /embed are all answered, one of them with a thousand texts",
  "search.embed.remaining": "embed reports the estimated remaining time",
  "search.embed.texts": "no texts are 400, over a thousand are 413, with the documented message",
  "search.embed.vectors":
    "/embed returns a vector of 384 numbers for each text, and /health reports the model",
  "search.errors.body":
    "a body that is not JSON, not an object or has an unknown field is 400 on every route",
  "search.errors.cli": "errors with a REST status have an exit code on the command line",
  "search.errors.content-type": "a body without a JSON content type is 415 on every route",
  "search.errors.method": "a known path with a wrong method is 405 and names the allowed one",
  "search.errors.missing": "a missing required parameter is 400 and named",
  "search.errors.never-500": "no query, name or pattern causes a server error",
  "search.errors.not-found": "an unknown document, collection, context or route is 404",
  "search.errors.too-large": "a body over ten megabytes is 413",
  "search.explain.shown": "on the command line each result has one line that explains its score",
  "search.explain.words": "on request each result lists what each word contributed to its score",
  "search.backlinks.across": "links between collections are listed like any other",
  "search.backlinks.code": "links in code, and links to other targets, are not backlinks",
  "search.backlinks.found": "every link to a document is listed with its line, in any notation",
  "search.backlinks.wiki": "wiki links by name are backlinks like any other",
  "search.facets.listed":
    "types, languages, dates and repeated values are listed with their counts",
  "search.find.language": "documents are filtered by declared or detected language",
  "search.find.modes": "one operation searches by keywords, by meaning or both",
  "search.filter.conditions": "a condition can be given as key, operator and value",
  "search.filter.dates": "documents are filtered by their own date",
  "search.filter.front-matter": "front matter conditions work for numbers, words and lists",
  "search.filter.loses-nothing": "searching a small collection beside a huge one misses nothing",
  "search.filter.path": "documents are filtered by a glob over their paths",
  "search.formats.all":
    "documents of every format are found and read, and unreadable files are reported in one line each",
  "search.formats.once": "conversions are cached, including failed ones",
  "search.full.body": "on request each result contains the whole text",
  "search.get.ambiguous": "an ambiguous name is an error that lists the candidates",
  "search.get.past-end": "a line past the end of a document is an error",
  "search.get.cli": "the command line prints only the text",
  "search.get.composed": "a name matches in composed and decomposed Unicode form",
  "search.get.colon": "`file.md:120` starts at line 120 and overrides fromLine",
  "search.get.comment": "the context of the folder precedes a document's text, as a comment",
  "search.get.context": "the context precedes the text",
  "search.get.docid":
    "a document is found by its docid, with or without `#`, optionally with a line",
  "search.get.forms": "a document is found by path, path suffix, docid and URI",
  "search.get.fresh": "the text is that of the current file, even if it is not indexed yet",
  "search.get.heading": "`file.md#heading` reads that section with its subsections",
  "search.get.line-example": "twenty lines from line 120 are lines 120 to 139",
  "search.get.lines":
    "`file.md:3` starts at line 3, overrides fromLine, and lines are numbered on request",
  "search.get.not-found":
    "an unknown name is answered with at most three similar names, in the documented form",
  "search.get.outside": "nothing outside the collections is read",
  "search.get.parts": "fromLine and maxLines select lines, and line numbers are those of the file",
  "search.get.paths":
    "a document is named by collection/path, by its path in the collection, or by a path suffix",
  "search.get.range": "`file.md:120:40` reads forty lines",
  "search.get.resource": "an agent gets one embedded resource with uri, name, title, type and text",
  "search.get.rest": "REST returns a document, and null as `content`",
  "search.get.similar": "an unknown name is answered with similar names",
  "search.get.suffix": "a path suffix matches only at a slash, and only if it is unique",
  "search.get.uris":
    "a URI is accepted with slashes encoded or plain, and returned URIs can be used again",
  "search.get.wildcards": "SQL and glob wildcards in names are ordinary characters",
  "search.health.ready": "a ready server is healthy and reports whether a model is loaded",
  "search.health.unready": "a server that cannot search is unhealthy, with 503",
  "search.hostile.bounded": "a huge heading is not copied to every section below it",
  "search.hostile.linear": "parsing time grows linearly with the input",
  "search.hostile.matter": "hostile front matter yields a bounded number of bounded facts",
  "search.index.all": "index scans every collection and returns counts",
  "search.index.cli": "`qmd index` and `qmd update` report what they did",
  "search.index.joining": "a thousand small changes do not copy a large index repeatedly",
  "search.index.rest": "index with an empty body picks up new, changed and removed files",
  "search.ls.paged": "documents are listed page by page, each exactly once",
  "search.mounts.back": "files that reappear with a mount are indexed without a write",
  "search.mounts.commands":
    "folders on a dead mount are named and kept, and do not block anything else",
  "search.mounts.denied":
    "`get` and `grep` say that a folder may not be read, not that a document is missing",
  "search.mounts.get": "`get` and `grep` say that a mount is dead, not that a document is missing",
  "search.mounts.gone": "after a dead mount is removed, missing files are removed from the index",
  "search.mounts.server":
    "a server with a dead mount picks up edits elsewhere, and those on the mount once it is back",
  "search.multi-get.context": "the context of the folder precedes the text of each document",
  "search.multi-get.cut":
    "truncated text reports how many lines are missing, in each surface's wording",
  "search.multi-get.errors-first": "files not found are reported first, and the rest is read",
  "search.multi-get.glob": "a glob reads matching files, by collection/path or by path",
  "search.multi-get.glob-example":
    "files that match a glob are read, and those over 5 KB skipped on request",
  "search.multi-get.header": "for people, the text of each file is preceded by its name",
  "search.multi-get.list":
    "comma-separated names are read in the given order, with or without spaces",
  "search.multi-get.max-bytes": "files over 10240 bytes are skipped by default",
  "search.multi-get.none": "a request without any match is an error that names what is missing",
  "search.multi-get.nothing": "a pattern without a match is an error on every surface",
  "search.multi-get.numbers": "lines of several documents are numbered only on request",
  "search.multi-get.only-skipped": "REST's `content` is null even if every file is skipped",
  "search.multi-get.own-names":
    "the file of a result is read by its name, whatever characters it contains",
  "search.multi-get.patterns":
    "a glob is matched against collection/path and path on every surface",
  "search.multi-get.resources":
    "each file is an embedded resource with uri, name, title, type and text",
  "search.multi-get.skip": "a large file is skipped and named, in each surface's wording",
  "search.multi-get.skip-notice":
    "a file over the limit is named in place of its text, in each surface's wording",
  "search.multi-get.truncated":
    "truncated text states the number of missing lines, in each surface's wording",
  "search.passages.bounded":
    "sections are split into passages within the size limit, without losing text",
  "search.passages.per-file":
    "several passages of a file have their headings and correct line numbers",
  "search.prompt.guide":
    "the prompt is one user message: the guide from the document, verbatim, then what differs on this server",
  "search.prompt.listed": "the only prompt is query, without arguments",
  "search.prompt.unknown": "an unknown prompt is refused by name",
  "search.questions.judged":
    "the judged developer questions are well-formed, and the pages that answer them exist",
  "search.query.collections": "several collections can be searched together",
  "search.query.fusion": "several searches are fused by rank, and the first two have double weight",
  "search.query.hybrid": "query combines keyword and semantic search",
  "search.query.keywords-alone": "without vectors query searches by keyword and does not fail",
  "search.query.limits": "limit, minScore and collection work in query as in search",
  "search.query.one-of-two": "both or neither of query and searches is an error that names both",
  "search.query.options":
    "intent, candidateLimit and rerank are accepted, and scores keep their meaning",
  "search.query.searches": "the caller can pass typed searches: lex, vec and hyde",
  "search.query.texts": "the text of query's answers is the same as for search, on every surface",
  "search.queue.serial": "concurrent add, index and update calls all succeed, one after the other",
  "search.renames.collection": "documents of a renamed collection keep their docids",
  "search.renames.docid": "a renamed document keeps its docid",
  "search.resource.decoding": "a URI is decoded once, with slashes encoded or plain",
  "search.resource.encoding": "returned URIs have encoded segments and plain slashes",
  "search.resource.exact-first": "an exact path takes precedence over a suffix of a longer one",
  "search.resource.missing": "a missing document is error -32602, never contents",
  "search.resource.path": "a URI's path is the collection and the path within it",
  "search.resource.read":
    "a document is a resource with numbered lines; a missing one is not found",
  "search.resource.suffix": "a path suffix is accepted, only at a slash and only if unique",
  "search.resource.template":
    "documents are one template with the documented title, description and type",
  "search.resource.text": "a resource's lines are numbered and preceded by the folder's context",
  "search.resource.unlisted": "documents are not listed as resources unless enabled at startup",
  "search.revision.not-yet": "a revision that is not reached in time is reported as such",
  "search.revision.wait": "a call with a revision sees at least that state, on every surface",
  "search.embedding.first": "embed as the first command indexes the configured collections",
  "search.query.scores": "scores count half: a clear lead outranks a narrow one",
  "search.query.language":
    "for non-English queries the bundled vectors are not used, and the answer says so",
  "search.search.object": "a hit inside a typed object names the object",
  "search.search.agent-text":
    "an agent gets the number of results, a blank line, and one line for each",
  "search.search.cli-text": "the command line shows docid, score, file, title and numbered lines",
  "search.search.collection":
    "one collection can be searched; an unknown one is named in the error",
  "search.search.context": "results contain the contexts of their folders, and of no other",
  "search.search.curl": "the documented curl line for a search works as written",
  "search.search.defaults": "the default limit is ten results",
  "search.search.empty": "an empty result is not an error",
  "search.search.fields": "every surface returns the same six fields for each result",
  "search.search.weak-matches":
    "weak matches are returned without minScore and left out with it, on every surface",
  "search.search.limit": "at most ten results by default, on every surface",
  "search.search.min-score": "weak matches are left out on request",
  "search.search.nothing": "an empty result has the documented text, on every surface",
  "search.search.one-collection":
    "only the given collection is searched, and an unknown one is refused, on every surface",
  "search.search.rest-text": "REST's `content` has no colon, and blank lines between results",
  "search.search.results": "a result has docid, file, title, score, context and snippet",
  "search.search.score": "scores are from 0 to 1 with two decimals, highest first",
  "search.search.several-words": "command line words form one query, with or without quotes",
  "search.search.terms": "a whole page pasted as a query is answered quickly",
  "search.search.text": "each surface uses the founding document's text",
  "search.search.tool-example":
    "the documented test case finds two meetings with a score of at least 0.5",
  "search.server-mode.failures":
    "errors of a server have the same text and exit code as local ones",
  "search.server-mode.json":
    "with --json a search is an array of results, locally and through a server",
  "search.server-mode.same": "each reading command prints the same through a server",
  "search.server-mode.writes": "changes are made by the server",
  "search.server.both": "with --transport both one process serves an agent and HTTP",
  "search.server.http":
    "with --transport http REST is served on the given port, and stdout is empty",
  "search.server.identity": "the server identifies as qmd 1.0.0, over stdio and HTTP",
  "search.server.json": "responses are JSON over HTTP/1.1, including errors",
  "search.server.loopback": "no password is needed, and only this machine is served",
  "search.server.offers": "there are six tools, one resource template and one prompt",
  "search.server.one-index": "REST, agents and the command line search the same documents",
  "search.server.port": "the default port is 18765, for the server and for clients",
  "search.server.stdio": "`qmd mcp` and --transport mcp serve an agent on stdio, and open no port",
  "search.skipped.name": "a file whose name is not valid UTF-8 is reported",
  "search.skipped.once": "a skipped file causes one warning, however often its folder is scanned",
  "search.snippet.length": "a snippet has at most 300 characters of text",
  "search.snippet.lines": "a snippet has the line numbers of the file",
  "search.snippet.own-lines": "a snippet has the line numbers of the file on every surface",
  "search.snippet.short":
    "a snippet without its line numbers has at most 300 characters and contains the word",
  "search.status.agent": "an agent gets the summary as text and the values as data",
  "search.status.cli": "the command line prints the summary, or the values as JSON",
  "search.status.curl": "the documented curl line for the status works as written",
  "search.status.current": "added and removed documents are counted immediately",
  "search.status.facts": "status counts documents and collections",
  "search.status.parameters": "status has no parameters",
  "search.status.rest": "REST returns the values in snake_case, with the summary as `content`",
  "search.titles.everywhere": "a document has the same title in results, documents and resources",
  "search.titles.fences": "headings inside code fences are ignored",
  "search.titles.order":
    "the title is taken from the front matter, else the first heading, else the file name",
  "search.titles.parts":
    "without a heading of level 1, a heading of only a part of the text is not the title",
  "search.titles.visible":
    "line breaks, bidirectional controls and invisible characters are removed",
  "search.tools.annotations": "all six tools are annotated as read-only",
  "search.tools.bad-values": "an invalid value is named: as a tool error, 400, or exit code 2",
  "search.tools.cli-parameters":
    "the command line documents each parameter as a flag, with its default",
  "search.tools.output-schema": "tools that return data have an output schema",
  "search.tools.parameters": "each tool declares its parameters, types and defaults",
  "search.tools.rest-parameters": "REST has the same parameters in snake_case",
  "search.tools.spellings":
    "REST accepts both spellings of a name, but not the same parameter twice",
  "search.tools.unknown-parameter":
    "an unknown parameter is refused everywhere, and the closest name is suggested",
  "search.update.git":
    "with pull a collection's repository is pulled first, over REST and on the command line",
  "search.update.pull":
    "update pulls repositories, runs no hook, and reports what could not be pulled",
  "search.update.rest": "update indexes changes, and pulls only on request",
  "search.update.counts": "update counts added, changed, removed and unchanged documents",
  "search.vsearch.limits":
    "limit and collection work in vsearch, and its text is the same as for search",
  "search.vsearch.meaning": "a question finds a document that shares none of its words",
  "search.vsearch.min-score": "vsearch drops results below 0.3 by default",
  "search.vsearch.no-vectors":
    "without vectors vsearch names the command to run: isError, 503, exit code 7",
  "search.wiki-links.meant":
    "each linked name in a document is listed with the document it resolves to",
  "search.words.beginning": "a trailing star matches words by prefix",
  "search.words.case": "search is case-insensitive and ignores accents",
  "search.words.cjk": "two-character words are found in Chinese, Japanese and Korean",
  "search.words.coverage": "documents that match more words rank first with a higher score",
  "search.words.never-empty": "one known word among unknown ones is enough for a result",
  "search.words.phrase": "a quoted phrase must match word for word",
  "search.words.question": "a question finds documents that contain some of its words",
  "search.words.rare":
    "a word far rarer than the word one edit away is searched as both, unless quoted or a name",
  "search.words.short": "beside a word that is found, a short one is not completed to longer words",
  "search.words.stems": "inflected forms match each other",
  "search.words.typos": "unknown words are corrected to the closest indexed words",
  "search.words.without": "documents with a word or phrase after a minus are excluded",
  "search.explain.private":
    "expanded and corrected words are listed only if they occur in the passage",
  "search.hostile.file": "hostile files are indexed beside others and found",
  "search.index.exact":
    "after any sequence of writes and removals, the index finds what a full scan finds",
  "search.index.rollback": "a change that throws is rolled back completely",
  "search.index.shared": "a reader on another connection sees writes, removals and new words",
  "search.model.abort": "a queued job that is aborted never starts",
  "search.model.absent": "without the model files there is no model, and no process is started",
  "search.model.crash":
    "when the child process is killed its call fails, and the next one is answered",
  "search.model.damaged": "a model file that differs from the built one is not loaded",
  "search.model.english": "English is detected correctly in sentences, queries and code words",
  "search.model.idle": "an idle child process exits, and the next call starts another",
  "search.model.lanes": "texts are embedded by one process per processor, with the same vectors",
  "search.model.no-orphan": "the child process ends with its parent, even while it is busy",
  "search.model.no-package": "without the package the build says so and continues",
  "search.model.notices": "both models ship with license, origin and list of changes",
  "search.model.paraphrase": "a paraphrase is closer than any unrelated text",
  "search.model.query-first": "queries run before background work, one job at a time",
  "search.model.reference": "tokens equal and vectors match the stored and reference examples",
  "search.model.reproducible":
    "two builds of the model from the package are byte-identical and as expected",
  "search.model.responsive": "the process stays responsive while texts are embedded",
  "search.model.same": "a text has the same vector alone, in a batch, and as a query",
  "search.model.shared": "two hundred concurrent calls each get their own vector",
  "search.model.silent":
    "a program that used the model exits by itself and prints only its own output",
  "search.model.tokens": "tokenizing word by word gives the same tokens as the whole text",
  "search.query.blend": "the re-ranker has a weight of a quarter at the top and more below",
  "search.query.rrf": "lists are merged by reciprocal rank fusion with k = 60 and their weights",
  "search.ranking.order": "equal texts are ordered by path, regardless of insertion order",
  "search.ranking.fields":
    "a match in a title outranks one in a heading, and a heading outranks body text",
  "search.rerank.abort": "re-ranking stops at its deadline, and the next query is answered",
  "search.rerank.chunk":
    "the re-ranker reads the chunk of each document that is nearest to the query",
  "search.rerank.lanes": "passages are re-ranked by up to four processes, with the same scores",
  "search.rerank.language":
    "a document in a language that the embedder does not support is re-ranked by its keyword passage",
  "search.rerank.once": "a passage is scored once for a query, unless a thousand others followed",
  "search.rerank.reference":
    "scores match the reference implementation, and the best passage is the same",
  "search.rerank.same": "a passage has the same score alone and among others",
  "search.scores.falling": "scores never increase down the list",
  "search.vectors.code": "the compiled scan code equals the build of its source, byte for byte",
  "search.vectors.filter": "filtered-out vectors do not take places in the result",
  "search.vectors.kept": "a vector is stored unchanged and can be found by its text",
  "search.vectors.machines": "dot products are the same on every machine",
  "search.vectors.models": "another model, other weights or other dimensions form a separate set",
  "search.vectors.once": "a vector is stored once per text",
  "search.vectors.per-document": "a document with many close chunks does not crowd out others",
  "search.vectors.recall": "recall of the ten nearest neighbors is at least 99%",
  "search.vectors.selection":
    "after any sequence of changes, a search finds what an exhaustive scan finds",
  "search.vectors.steady": "after any number of changes the in-memory set equals the store",
  "search.query.intent": "the re-ranker input contains the intent before the query",
  "search.expansion.added":
    "expansion queries of a configured model are added after the caller's, with lower weight",
  "search.expansion.bounds":
    "expansion queries are limited in length and number, without duplicates or empty ones",
  "search.expansion.client":
    "the client's own model is used if available; otherwise the answer has a note",
  "search.expansion.declined":
    "a client that declines is asked at most twice, and searches continue",
  "search.expansion.lenient": "a list of searches is extracted from any surrounding model output",
  "search.expansion.nonsense": "model output without a list adds no queries and leaves a note",
  "search.expansion.once": "a query is expanded once, and the caller's own typed searches never",
  "search.expansion.sampling": "sampling works with clients of both eras",
  "search.models.abort":
    "an aborted caller is released immediately, both in the queue and during a response",
  "search.models.address": "only http and https URLs without credentials or query are accepted",
  "search.models.bad-answer": "a response without one vector per text is refused, and named",
  "search.models.batch": "if a server fails midway, embedding stops and finished work is kept",
  "search.models.busy":
    "documents are retried after the busy server's delay, within limits; a query is not retried",
  "search.models.dead": "an unreachable server is named, with the system's error code",
  "search.models.deadline": "requests time out, queries sooner than documents",
  "search.models.dimensions":
    "the first response sets the vector length, and any other length is refused",
  "search.models.doctor":
    "doctor names the configured models and what is missing, without contacting a server",
  "search.models.documented": "every example in the user documentation is a valid configuration",
  "search.models.embed": "an OpenAI and an Ollama server return a normalized vector for each text",
  "search.models.end-to-end": "documents are embedded by a server, and found by its query vectors",
  "search.models.folder": "an ONNX model folder gives its reference vectors, in any layout",
  "search.models.gguf":
    "a GGUF file runs with an optional package, and otherwise the error names the package",
  "search.models.identity": "any setting that changes document vectors makes it a different model",
  "search.models.key":
    "the API key is read from the environment, sent only to its server, and shown nowhere",
  "search.models.kinds":
    "each role accepts the kinds that support it, and refuses others with a reason",
  "search.models.languages": "a configured model is used in every language",
  "search.models.live":
    "a configuration change takes effect immediately, without reopening anything else",
  "search.models.names": "configured models are named without their keys and paths",
  "search.models.no-request": "opening, naming and token counting send no request",
  "search.models.no-secrets":
    "a key in the configuration file is refused, and never repeated in a message",
  "search.models.none": "with embedding disabled, nothing waits for vectors and searches say so",
  "search.models.prefixes": "a model's query and document prefixes are added",
  "search.models.redirect": "redirects are not followed",
  "search.models.refused": "an error status of a server is reported with a remedy",
  "search.models.rerank": "a server's scores are returned in the order of the passages",
  "search.models.suspended": "after a failure requests are suspended for a while, then retried",
  "search.models.search-goes-on": "if a server fails, a query continues and says what is missing",
  "search.models.switch": "switching the model starts a new vector set, and keeps the old one",
  "search.models.background":
    "new documents are embedded in the background only for models already in use",
  "search.models.write": "a chat server generates text, and one that returns none is refused",
};
