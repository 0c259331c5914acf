/** Vaults of notes, lists without a query and exact search. */
export const searchNotes = {
  "search.aliases.get":
    "`get` finds a document by an alias in its front matter, if no file has that name",
  "search.aliases.links":
    "a wiki link that uses an alias resolves to the document, and is one of its backlinks",
  "search.aliases.search": "aliases have the same weight in a search as the title",
  "search.get.note": "`get` resolves a document's name like a wiki link",
  "search.get.span": "`file.md:3-6` reads lines 3 to 6",
  "search.get.title": "`get` finds a document by its title, if no file or alias has that name",
  "search.grep.context": "context lines are shown once, in the format of grep",
  "search.grep.cut":
    "text is found anywhere in a long line; an expression that was searched in a part of it says so",
  "search.grep.found": "a match has a document, line, column and text",
  "search.grep.linear": "an exact search takes linear time for any expression and any line",
  "search.grep.long": "a long line is shortened around its match",
  "search.grep.narrowed":
    "an exact search can be restricted by collection, path, files and a limit",
  "search.grep.pattern": "an exact search accepts an expression or a text, case-sensitive or not",
  "search.grep.private": "an exact search reads only documents that `get` can read",
  "search.grep.refused": "an invalid pattern and an unknown collection are rejected",
  "search.grep.slices": "an exact search yields to other work, and reports if it stops early",
  "search.grep.stream": "on the command line, matches are printed as they are found",
  "search.list.feedback":
    "a list rejects an unknown filter key and says which condition no document matches",
  "search.list.filter": "documents are listed by tag, front matter, path, date and collection",
  "search.list.order": "a list of documents is sorted by path, file name or date",
  "search.list.pages":
    "the pages of a list of documents contain each document once, in every order",
  "search.notes.agent": "an agent's note is a proposal with a diff until a person accepts it",
  "search.notes.inside": "a note must be inside a collection and match its pattern",
  "search.notes.kept": "creating a note never overwrites a file",
  "search.notes.person": "a person's command writes a note immediately, and it can be undone",
  "search.tags.case": "filters ignore case in every script",
  "search.tags.facets": "tags are facets even in a small collection",
  "search.tags.filter": "tags in the text can be used as filters like those in the front matter",
  "search.tags.inline": "`#tag` and `#area/topic` in the text are tags, in any script",
  "search.tags.nested": "a filter by a tag includes its nested tags",
  "search.tags.not": "tags in code, headings, numbers, URLs and links are ignored",
};
