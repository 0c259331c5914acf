/** What the shelf of architecture knowledge promises. */
export const architecture = {
  "architecture.decisions.forms": "every form of record is read into one model",
  "architecture.decisions.found":
    "records are found where projects keep them, with no settings but the root",
  "architecture.decisions.fresh": "every answer is of the files as they are now",
  "architecture.decisions.graph":
    "decisions are drawn in Mermaid and DOT, and no title can end its label",
  "architecture.decisions.hostile-text": "text of any size and any signs is read, never refused",
  "architecture.decisions.ids": "a record is named by number, name or file, and never guessed",
  "architecture.decisions.large": "a file that is too long or no text is told, the rest is read",
  "architecture.decisions.link": "two decisions say of one another how they stand",
  "architecture.decisions.link-places": "a link joins those that the record has",
  "architecture.decisions.links": "what a record says of another has its verb and target",
  "architecture.decisions.lint": "what is wrong is told with its file, line and rule",
  "architecture.decisions.lint-exit": "the check fails where there are errors, and only there",
  "architecture.decisions.list": "the list is an array with the fields of the data",
  "architecture.decisions.manner": "a new record is like its neighbours",
  "architecture.decisions.new": "a new record has the next number, in the right folder",
  "architecture.decisions.odd": "odd records are read as far as they go",
  "architecture.decisions.outside": "settings and links lead nowhere outside the root",
  "architecture.decisions.own-form":
    "a status is set where the record has it, and nothing else is touched",
  "architecture.decisions.proposals": "an agent proposes with the difference, and a person decides",
  "architecture.decisions.read-only": "with --read-only nothing is written or proposed",
  "architecture.decisions.real": "every expectation on records of real projects is met",
  "architecture.decisions.site": "the decisions are pages that need nothing and run nothing",
  "architecture.decisions.site-foreign": "no file that the export did not write is written over",
  "architecture.decisions.status": "only steps that make sense are taken",
  "architecture.decisions.successions":
    "what one side says holds for both, and chains lead to the living decision",
  "architecture.decisions.supersede": "both files say so, or neither",
  "architecture.decisions.timeline": "decisions stand in the order of their days",
  "architecture.decisions.toc": "a list in Markdown leads to each decision from where it stands",
  "architecture.decisions.tools": "agents have one tool to read and one to propose",
  "architecture.decisions.undo":
    "what was written is taken back and done again, unless it was changed since",
  "architecture.decisions.words": "statuses, dates and titles are read as people write them",
};
