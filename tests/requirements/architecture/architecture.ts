/** Requirements of the architecture shelf: decisions. */
export const architecture = {
  "architecture.decisions.forms": "every record format is parsed into one model",
  "architecture.decisions.found":
    "records are found in the usual project folders, without settings other than the root",
  "architecture.decisions.fresh": "every answer reflects the current files",
  "architecture.decisions.graph":
    "decisions are exported as Mermaid and DOT graphs with escaped titles",
  "architecture.decisions.hostile-text":
    "text of any size and with any characters is read without an error",
  "architecture.decisions.ids":
    "a record is named by number, name or file; ambiguous names are refused",
  "architecture.decisions.large":
    "a file that is too large or not text is reported, and the rest is read",
  "architecture.decisions.link": "linking two decisions writes the relation into both",
  "architecture.decisions.link-places": "a new link is added where the record has its links",
  "architecture.decisions.links": "links between records are parsed with verb and target",
  "architecture.decisions.lint": "problems are reported with file, line and rule",
  "architecture.decisions.lint-exit": "lint fails if and only if there are errors",
  "architecture.decisions.list": "the list is an array with the documented fields",
  "architecture.decisions.neighbor-format": "a new record follows the format of its neighbors",
  "architecture.decisions.new": "a new record gets the next number, in the right folder",
  "architecture.decisions.odd": "malformed records are read as far as possible",
  "architecture.decisions.outside": "settings and links cannot point outside the root",
  "architecture.decisions.own-form":
    "a status is changed in the record's own format, and nothing else is changed",
  "architecture.decisions.proposals": "an agent proposes a diff, and a person decides",
  "architecture.decisions.read-only": "with --read-only nothing is written or proposed",
  "architecture.decisions.real": "all expectations for records of real projects are met",
  "architecture.decisions.site": "the exported pages have no dependencies and run no code",
  "architecture.decisions.site-foreign": "the export overwrites only files that it wrote itself",
  "architecture.decisions.status": "only valid status transitions are allowed",
  "architecture.decisions.successions":
    "a relation stated on one side holds for both, and chains lead to the current decision",
  "architecture.decisions.supersede": "superseding changes both files or neither",
  "architecture.decisions.timeline": "the timeline lists decisions by date",
  "architecture.decisions.toc":
    "the Markdown table of contents has working relative links to each decision",
  "architecture.decisions.tools": "agents have one tool to read and one to propose",
  "architecture.decisions.undo":
    "a write can be undone and redone, unless the file was changed since",
  "architecture.decisions.words": "statuses, dates and titles are parsed in their common spellings",
};
