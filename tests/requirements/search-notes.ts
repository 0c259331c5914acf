/** Vaults of notes, lists without a query and exact search. */
export const searchNotes = {
  "search.aliases.get":
    "a document is got by an alias of its front matter, if no file has the name",
  "search.aliases.links": "a wiki link by an alias leads to the document, and is a back-link of it",
  "search.aliases.search": "aliases count for a search as the title does",
  "search.get.note": "a document is got by its name as a wiki link would be resolved",
  "search.get.span": "`file.md:3-6` reads the lines 3 to 6",
  "search.grep.context": "lines around matches are shown once, in the form of grep",
  "search.grep.found": "a match has its document, line, column and text",
  "search.grep.linear":
    "no expression and no line makes an exact search take more than linear time",
  "search.grep.long": "a long line is shortened around its match",
  "search.grep.narrowed": "an exact search is narrowed by collection, path, files and a limit",
  "search.grep.pattern": "an exact search takes an expression or a text, with or without case",
  "search.grep.private": "an exact search reads what `get` would read, and nothing else",
  "search.grep.refused": "a bad pattern and an unknown collection are refused",
  "search.grep.slices": "an exact search gives way to other work, and says when it stops early",
  "search.grep.stream": "at a shell matches are shown as they are found",
  "search.list.filter": "documents are listed by tag, front matter, path, date and collection",
  "search.list.order": "a list of documents is sorted by path, file name or date",
  "search.list.pages": "the pages of a list of documents follow each other in every order",
  "search.notes.agent":
    "an agent's note is a proposal with its difference, until a person accepts it",
  "search.notes.inside":
    "a note stays inside its collection, and is one that the collection indexes",
  "search.notes.kept": "creating a note never replaces a file",
  "search.notes.person": "a person's command writes a note at once, and it can be undone",
  "search.tags.facets": "tags are facets even in a small collection",
  "search.tags.filter": "tags in the text are filters as those of the front matter",
  "search.tags.inline": "`#tag` and `#area/topic` in the text are tags, in any script",
  "search.tags.nested": "a filter by a tag includes the tags below it",
  "search.tags.not": "code, headings, numbers, URLs and links hold no tags",
};
