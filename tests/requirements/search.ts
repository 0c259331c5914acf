/** What the search shelf promises, from its founding document. */
export const search = {
  "search.collections.life": "a collection is added, renamed, undone and removed; its folder stays",
  "search.collections.masks":
    "a mask that could never be matched in time, or read, is refused before it is kept",
  "search.collections.names": "a name that could not be the start of a path is refused",
  "search.collections.skipped": "what could not be read is told with the answer",
  "search.contexts.life": "a context is added, replaced, listed, undone by its path and gone",
  "search.get.context": "the context stands before the text",
  "search.get.forms": "a document is got by path, end of path, docid and URI",
  "search.get.lines":
    "`file.md:3` begins at line 3, before fromLine, and lines are numbered on request",
  "search.get.similar": "a wrong name is answered with the nearest ones",
  "search.get.suffix": "the end of a path matches at a slash only, and never two documents",
  "search.get.wildcards": "letters that SQL or globs know are ordinary letters",
  "search.index.all": "index reads every collection and counts",
  "search.ls.paged": "documents are listed page by page, none twice and none left out",
  "search.multi-get.cut": "a cut says how many lines are missing, in the words of each surface",
  "search.multi-get.glob": "a glob reads what fits it, by collection/path or by path",
  "search.multi-get.none": "nothing that fits is a failure, and what is missing is named",
  "search.multi-get.skip": "a large file is skipped and named, in the words of each surface",
  "search.passages.bounded":
    "a section is cut into pieces that are never too long, and nothing is lost",
  "search.resource.read":
    "a document is a resource with its lines numbered; a missing one is not found",
  "search.score.range": "a full match has 1, half a match at most a half",
  "search.search.collection": "one collection is searched; an unknown one is named",
  "search.search.context": "what people say of a folder travels with its results, and no further",
  "search.search.defaults": "ten results unless told otherwise",
  "search.search.empty": "nothing found is an answer",
  "search.search.min-score": "weak matches are left out on request",
  "search.search.results": "a result has its docid, file, title, score, context and snippet",
  "search.search.terms": "a page pasted as a query is answered at once",
  "search.search.text": "each reader gets the words of the founding document",
  "search.snippet.length": "a snippet has at most 300 characters of text",
  "search.snippet.lines": "a snippet carries the numbers of the file's own lines",
  "search.status.facts": "status counts documents and collections",
  "search.titles.visible": "what would forge a line, turn it or hide in it is taken out",
  "search.update.pull":
    "update pulls what is in a repository, runs no hook, and says what could not be pulled",
};
