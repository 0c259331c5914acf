/** Requirements from the founding document of qualitative coding, and of its projects. */
export const qualitative = {
  "qualitative.codes.categories": "categories form a tree and count their codes",
  "qualitative.codes.create": "a code has a unique name, a color and optionally a category",
  "qualitative.codes.delete": "deleting a code in use requires an extra flag and a preview",
  "qualitative.codes.list": "codes are listed with color, memo, category and number of codings",
  "qualitative.codes.merge": "merging keeps codings and memos, without duplicates",
  "qualitative.codes.update": "an update changes only the given fields",
  "qualitative.coding.all-failed":
    "a batch in which every item fails is an error with every reason",
  "qualitative.coding.atomic": "an atomic batch codes all items or none",
  "qualitative.coding.malformed": "a malformed item has its own error, and the others are coded",
  "qualitative.coding.many": "a large batch is one call and one undo",
  "qualitative.coding.owner": "an agent codes in its own name, a person in the project's",
  "qualitative.coding.partial": "a failed item does not affect the others, and each has its result",
  "qualitative.coding.positions": "a coding stores the text between its positions",
  "qualitative.coding.quote": "a quote is located in the text, and a wrong position is corrected",
  "qualitative.coding.remove": "a coding is removed by its id",
  "qualitative.folders.delete": "only an empty folder can be deleted",
  "qualitative.folders.make": "folders can be nested, with unique names among siblings",
  "qualitative.folders.move": "a source is moved into a folder and back to the top level",
  "qualitative.folders.other-source":
    "a new source does not inherit the folder of a deleted source with the same number",
  "qualitative.folders.rename": "a folder can be renamed, but not to a name in use",
  "qualitative.hostile.files":
    "a pipe, device, huge file or link in place of a journal is refused without blocking",
  "qualitative.hostile.force-root":
    "under a force root, a project whose database has a second hard link is refused",
  "qualitative.hostile.hides-files":
    "a project can hide the files that its private sources name, but no folder",
  "qualitative.hostile.honest": "valid projects of QualCoder and Lectern are opened",
  "qualitative.hostile.imports": "a Taguette database whose schema can run code is refused",
  "qualitative.hostile.later": "a trigger added while a project is open stops reading and writing",
  "qualitative.hostile.schema":
    "a database whose schema can run code is refused, and the object is named",
  "qualitative.hostile.values":
    "tables and values that no program writes are reported as such, and not as internal errors",
  "qualitative.offsets.code-points": "positions count Unicode code points, end exclusive",
  "qualitative.positions.outside": "positions outside the text are refused",
  "qualitative.project.backup": "the first write of a session creates a backup of the project",
  "qualitative.project.backup-names": "two concurrent first writes create separate backups",
  "qualitative.project.close": "closing twice is not an error, and nothing is read afterwards",
  "qualitative.project.closed":
    "only the owner can read a new or imported project, a backup, an export and a report",
  "qualitative.project.create": "a new project has QualCoder's folders, tables and columns",
  "qualitative.project.exact-text": "stored text is never changed",
  "qualitative.project.growth": "no list scans all codings for each of its rows",
  "qualitative.project.hidden": "codings of a hidden coder are not shown",
  "qualitative.project.in-use": "nothing is written while QualCoder has the project open",
  "qualitative.project.locked":
    "a project locked by another program is reported as in use when opened, read or written",
  "qualitative.project.odd-rows": "incomplete rows of other programs do not hide other rows",
  "qualitative.project.old": "projects of database version 2 and later are read and written",
  "qualitative.project.open": "a project opens by its folder, its database, or as a single file",
  "qualitative.project.own-tables":
    "Lectern's data is in its own tables, created by the first write",
  "qualitative.project.private": "the private part of a memo is hidden from agents and kept",
  "qualitative.project.untouched": "reading leaves every byte of a project unchanged",
  "qualitative.quotes.found": "a quote is found in the text, regardless of white space",
  "qualitative.quotes.nearest": "of several matches the one closest to a position is used",
  "qualitative.sources.add": "a text is added under a unique name",
  "qualitative.sources.list": "sources are listed with type, size and number of codings",
  "qualitative.sources.navigate": "showing a passage sends a notice to every page",
  "qualitative.sources.read": "a text is read in parts that add up to the whole",
  "qualitative.sources.remove":
    "removing a source requires a preview, and does exactly what the preview showed",
  "qualitative.sources.unknown": "an unknown source is reported with its code",
  "qualitative.suggestions.wait": "suggested metadata wait for a person's approval, in any process",
  "qualitative.undo.another-process":
    "a change is undone in another process that has no project open",
  "qualitative.undo.changed-since": "an undo does not overwrite later changes",
  "qualitative.undo.everything": "every kind of change can be undone and redone",
  "qualitative.undo.forged": "a change that another program recorded in a project runs no SQL",
  "qualitative.wire.budget": "the shelf's tools fit into an agent's token budget",
  "qualitative.wire.codes": "every failure has a code, and all documented codes occur",
  "qualitative.wire.envelope": "answers are {success, data}, with lists as arrays",
  "qualitative.wire.examples": "every tool's example works on the sample project",
  "qualitative.wire.tools": "all documented tools exist, with their parameters",
};
