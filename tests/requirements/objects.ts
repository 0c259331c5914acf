/** Requirements of the typed objects format, and of its tools. */
export const objects = {
  "objects.format.arrays": "arrays are read inline, on several lines, as lists and as references",
  "objects.format.comments":
    "text that is not a field is kept as a comment after the preceding field",
  "objects.format.problems": "each problem is reported with its line, and the rest is read",
  "objects.format.corpus":
    "the cases of the format's own corpus are parsed and written as expected",
  "objects.format.definitions":
    "a heading defines an id, a kind or a field, wherever the marker is placed",
  "objects.format.fences": "headings in code fences and references in examples are ignored",
  "objects.format.fields": "bullets with keys are fields, decided separately for each list",
  "objects.format.formats": "minimal, standard and full records keep their keys in order",
  "objects.format.generated-ids": "generated ids are the same for the same file",
  "objects.format.hostile": "any text is parsed without an exception, in linear time",
  "objects.format.html-comments": "HTML comments are ignored",
  "objects.format.json": "JSON keeps the order of keys and the notation of numbers",
  "objects.format.json-errors": "invalid JSON is refused with line and column",
  "objects.format.maps": "a map contains only strings",
  "objects.format.nesting": "nested objects and array items have ids with a path",
  "objects.format.positions": "each object has its line, and each heading id its position",
  "objects.format.references": "references are reported with their line and UTF-16 columns",
  "objects.format.round-trip": "reading, writing and reading again gives the same result",
  "objects.format.tables": "table rows are objects with the columns as fields",
  "objects.format.text-blocks": "text outside objects becomes blocks of the document, in order",
  "objects.format.text-fields": "a text field keeps everything below it verbatim",
  "objects.format.values": "a value's type is determined by its notation",
  "objects.format.written": "JSON is written as a file that parses back to the same JSON",
  "objects.format.yaml": "YAML and JSON blocks are parsed as values, or kept as text",
  "objects.cases.commands": "commands print and exit like the existing ones",
  "objects.cases.resources": "resources have the same content as in the existing server",
  "objects.cases.sql": "SQL statements return the same rows as in the existing toolchain",
  "objects.cases.tools": "tools answer like the existing server",
  "objects.cases.trees": "trees are the same as in the existing toolchain",
  "objects.cases.used": "the cases of the existing toolchain are loaded",
  "objects.cases.workspaces": "workspaces are the same as in the existing toolchain",
  "objects.commands.batch": "each input line produces one output line, an invalid one its error",
  "objects.commands.failures": "unreadable and unwritable files are reported with an error code",
  "objects.commands.force-root": "under a force root, a command reads and writes nothing outside",
  "objects.commands.input": "standard input is read to the end, at any length",
  "objects.commands.parse":
    "a file is written as JSON in the requested form and to the requested path",
  "objects.commands.query":
    "rows are printed as a table or as JSON, and dot commands describe the tables",
  "objects.commands.workspace": "a workspace is parsed, validated, listed and linted",
  "objects.diagnostics.duplicates":
    "the same id twice for one kind in two files is reported, for two kinds it is not",
  "objects.diagnostics.references":
    "each unresolved or ambiguous reference is reported once, with its location",
  "objects.files.two-kinds":
    "in one file, two kinds with the same id are valid; two objects of one kind are reported",
  "objects.sql.shared-tables":
    "statements can query documents, decisions, codes and segments beside objects, if those shelves are enabled",
  "objects.tools.search-all":
    "search finds every object with a word, also by its namespace, without a limit on the number of objects",
  "objects.tools.numbers": "numbers keep all their digits, in answers and in messages",
  "objects.tools.odd-names": "names of built-in JavaScript properties work like any other name",
  "objects.files.bound": "a workspace with more files than the limit is refused with its own code",
  "objects.files.ignored": "`.qmdcignore` excludes the files it names, in any folder",
  "objects.files.links": "links to files inside are read, links to folders or outside are not",
  "objects.files.which":
    "files named *.qmd.md are read, except in hidden folders and package folders",
  "objects.force-root.bad-paths": "no hostile path escapes, neither as path nor as file",
  "objects.force-root.files":
    "a file outside is refused with its own code, whether it exists or not",
  "objects.force-root.links": "symbolic and hard links give no access to files outside",
  "objects.force-root.outside": "every tool and resource refuses a path outside, with its own code",
  "objects.force-root.root-above": "a path inside is refused if its workspace root is outside",
  "objects.force-root.swaps": "swapping a path for a link at any moment gives no access outside",
  "objects.founding.aggregates": "trees and the metamodel are complete for any number of objects",
  "objects.founding.codes":
    "every error code can occur, and none of the messages contains a path of the machine",
  "objects.founding.envelope":
    "a failed tool call returns its error as data, always in the same form",
  "objects.founding.force-root":
    "with --force-root paths outside are refused, without it they are allowed",
  "objects.founding.guide":
    "the guide names every tool, and is available as a tool and as a resource",
  "objects.founding.protocol":
    "the handshake, tools, resources and shutdown are answered, each on one line",
  "objects.founding.read-only-sql": "only a single read-only statement is run",
  "objects.founding.tools":
    "the fourteen tools have the documented names, parameters and annotations",
  "objects.fresh.bursts": "none of thousands of changes in one event loop turn is lost",
  "objects.fresh.every-change": "a call sees every change made before it",
  "objects.fresh.folder-above": "replacing a folder far above the workspace is detected",
  "objects.fresh.full-queue": "a change whose event was dropped by the system is still detected",
  "objects.fresh.many": "more workspaces than the cache holds work in turn",
  "objects.fresh.other-names": "a file written through another of its names is read again",
  "objects.fresh.own-parse": "only changed files are parsed again",
  "objects.fresh.replaced-folders":
    "changes in a folder that replaced another of the same name are detected",
  "objects.fresh.same-size": "two writes of equal size within one clock tick are both detected",
  "objects.fresh.together":
    "concurrent calls share one view, and a failure does not affect later calls",
  "objects.graph.agree": "the graph, SQL and diagnostics resolve references the same way",
  "objects.ids.dotted": "a dotted id belongs to its parent, wherever the parent is defined",
  "objects.ids.made-up": "generated ids never collide, in any number of files",
  "objects.ids.one-id": "objects with the same id all exist, each with its own global id",
  "objects.paging.complete": "the pages of any list contain every item once, for any limit",
  "objects.paging.default": "the default page size is 200 items",
  "objects.paging.files": "the files of a dump are paged separately",
  "objects.paging.limits": "limits out of range are clamped, and an unknown cursor is refused",
  "objects.rename.back": "renaming an object and renaming it back leaves every byte unchanged",
  "objects.rename.changed-meanwhile":
    "accepting a proposal uses the files as they are at that time",
  "objects.rename.encoding": "a file that is not UTF-8 is neither edited nor damaged",
  "objects.rename.files": "a rename changes references to the object and no other character",
  "objects.rename.plan": "the plan lists each edit exactly and writes nothing",
  "objects.rename.proposal": "an agent proposes, a person accepts, and the change can be undone",
  "objects.rename.read-only": "with --read-only nothing is proposed or written",
  "objects.rename.refused":
    "a rename that would collide or change a meaning is refused with a reason",
  "objects.rename.virtual": "a workspace that no file declares cannot be renamed",
  "objects.resolver.near-layout":
    "text blocks can be referenced by short name only within their own file",
  "objects.resolver.other-workspace":
    "an object named like another workspace is not mistaken for that workspace",
  "objects.resolver.same-name": "objects with the same kind and id are distinguished by file",
  "objects.resolver.table": "each form of reference resolves as specified",
  "objects.resources.announced": "subscribers are notified when the content of a resource changes",
  "objects.resources.read":
    "resources return the tree, an object and diagnostics; failures are data",
  "objects.root.bad-paths": "a path that is empty or does not exist is refused",
  "objects.root.marker": "only `[[id: __Workspace]]` and `[[id: __Namespace]]` declare a folder",
  "objects.root.namespace-alone":
    "without a workspace the root is the namespace, else the folder itself",
  "objects.root.repository": "the search for a root stops at the repository root",
  "objects.root.strange-anchors":
    "an anchor that is not a regular file declares nothing and does not block",
  "objects.root.walk-up": "the workspace of a path is the nearest one at or above it",
  "objects.tools.describe": "an object is described with all its fields, a field with its type",
  "objects.tools.diagnostics": "every kind of diagnostic is reported with code, line and severity",
  "objects.tools.failures": "each failure has its code and message",
  "objects.tools.graph": "a traversal honors depth, direction and connection types",
  "objects.tools.locate": "an object is located by every form of its name",
  "objects.tools.metamodel": "kinds are listed with their fields, connections with their types",
  "objects.tools.outline": "the outline of a file follows the nesting of its objects",
  "objects.tools.references": "each occurrence is listed with its source, field, line and columns",
  "objects.tools.search": "matches are ranked: exact name, prefix, substring, field text, typo",
  "objects.tools.tree": "the tree is returned as a list or as one of three trees",
  "objects.workspace.growth": "time grows linearly with the number of references to follow",
  "objects.workspace.namespaces": "files belong to the nearest namespace above them",
  "objects.workspace.nested":
    "a workspace inside a workspace is an error and is ignored completely",
  "objects.workspace.several":
    "several workspaces below a folder form one view, including files outside any of them",
  "objects.workspace.virtual": "if no workspace is declared, the folder is the workspace",
  "objects.workspace.wrong-file": "a workspace declared in a file other than the anchor is ignored",
};
