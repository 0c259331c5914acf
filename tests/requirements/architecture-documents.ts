/** What the documents, prompts and tools of the architecture shelf promise. */
export const architectureDocuments = {
  "architecture.align.chains":
    "a superseded decision cannot conflict; the one that lives in its place can",
  "architecture.align.languages":
    "what is not written in English is told as weak evidence, for nothing and against nothing",
  "architecture.align.limits": "5,000 characters and 2,000 of context are taken, and no more",
  "architecture.align.one-word": "a decision about one thing is met, whatever else is proposed",
  "architecture.align.none": "a proposal that nobody spoke of is told so",
  "architecture.align.options": "an option that was considered and not chosen conflicts",
  "architecture.align.quotes": "a conflict quotes the sentence that decides, with its line",
  "architecture.align.refused": "what was passed over for something else conflicts",
  "architecture.align.revived":
    "what a decision took the place of conflicts with it when it is proposed again",
  "architecture.align.status":
    "only what is accepted binds: proposed, rejected and deprecated are related",
  "architecture.align.supports":
    "a decision that says the same supports, and one that refuses the same too",
  "architecture.align.weak":
    "words in common are weak evidence, and a mention of refusal elsewhere none",
  "architecture.completions.arguments":
    "patterns, guidelines, decisions and languages are completed",
  "architecture.completions.bound": "at most a hundred values are given, and how many there are",
  "architecture.completions.errors":
    "a request that is wrong is refused with -32602 by what is wrong",
  "architecture.completions.items": "labels and descriptions travel beside the values",
  "architecture.completions.prefix": "the beginning decides, in letters of either case",
  "architecture.completions.templates":
    "kinds and names of the resource template are completed, one by the other",
  "architecture.completions.usable": "a completed value is taken as it stands",
  "architecture.hostile.documents": "no document breaks what is told of the others",
  "architecture.hostile.values": "no value breaks a resource, a prompt, a completion or a tool",
  "architecture.live.announced": "a running server tells of what was made, changed and removed",
  "architecture.live.next-call":
    "what was written before a call is in its answer, in folders that did not exist as well",
  "architecture.live.notifications": "a client hears of changes without asking",
  "architecture.logging.levels":
    "the level decides what the log tells, and it goes to stderr alone",
  "architecture.metrics.bounded": "the share of calls is of the newest, however many there were",
  "architecture.metrics.counts":
    "calls and failures are counted by method, with the times they took",
  "architecture.metrics.old-method": "the founding project's own method answers the same",
  "architecture.metrics.silent": "neither arguments nor paths are told",
  "architecture.prompts.arguments": "wrong arguments are refused with -32602",
  "architecture.prompts.built-in": "four prompts exist, whatever the folder holds",
  "architecture.prompts.chosen":
    "where all patterns are too many, ours take the nearest first and say what they left out",
  "architecture.prompts.files":
    "JSON files of the folder itself are prompts, with roles and descriptions",
  "architecture.prompts.inert": "text in values and documents is text, whatever it looks like",
  "architecture.prompts.last-good":
    "while a file is broken its last good prompt stays, and a mended one is seen",
  "architecture.prompts.limits": "arguments have limits, counted in code points",
  "architecture.prompts.nested": "an argument within an address is a name, and nothing more",
  "architecture.prompts.optional": "an optional argument that is missing leaves no braces behind",
  "architecture.prompts.resource-limits": "a template takes 50 documents and 1 MB, and no more",
  "architecture.prompts.resources": "documents are embedded by address and by pattern",
  "architecture.prompts.tools": "a tool is explained with its parameters",
  "architecture.prompts.validation":
    "a file that breaks the rules is no prompt, and the log names it",
  "architecture.protocol.errors": "each kind of mistake has its code, and the next line is served",
  "architecture.protocol.methods": "every method of the founding document answers",
  "architecture.protocol.no-listener": "a server on stdio opens no socket",
  "architecture.resources.elsewhere": "decisions that a project keeps elsewhere are resources too",
  "architecture.resources.entry":
    "an entry tells title, kind, type, size, time and checksum, and no path",
  "architecture.resources.force-root": "with a force root nothing is read that lies outside",
  "architecture.resources.never-guess":
    "a name that could mean several, or only a part of one, means none",
  "architecture.resources.not-found": "malformed, outside and missing are one answer",
  "architecture.resources.order":
    "the list is the same each time, and pages of it join without a gap",
  "architecture.resources.outside": "a link that leads outside of mcp/resources is not followed",
  "architecture.resources.scan":
    "markdown below the three folders is listed, at any depth and in any script",
  "architecture.resources.sections":
    "a heading's anchor gives its section, with what lies below it",
  "architecture.resources.twins": "no two documents share an address",
  "architecture.resources.unusable":
    "a file that is empty or no text is left out, and the log says so",
  "architecture.resources.uris":
    "a document is read by its slug, with its ending or in other letters, a decision by its number",
  "architecture.search.answer": "results tell URI, title, kind, score and excerpt, best first",
  "architecture.search.fresh": "what was written, changed or removed a moment ago is found so",
  "architecture.search.limits": "queries of 500 characters and 20 results are taken, and no more",
  "architecture.search.order": "equal scores stand in one order, whoever asks and however often",
  "architecture.search.sections": "the URI names the section, and reading it gives that section",
  "architecture.search.totals": "the total counts every document that fits, however many are shown",
  "architecture.search.words":
    "whole words are found in all their forms, and no parts of other words",
  "architecture.together.budget": "the tools of this shelf alone fit into an agent's budget",
  "architecture.together.prompts":
    "prompts of all shelves are listed once, and a file takes no other shelf's name",
  "architecture.together.resources": "documents stand beside the resources of other shelves",
  "architecture.validate.cannot-judge":
    "without a rule that can be checked nobody is told that all is well",
  "architecture.validate.headings":
    "older patterns give advice and doubts by their headings, never a verdict",
  "architecture.validate.languages": "a rule for some languages is checked for these alone",
  "architecture.validate.limits": "code of 50,000 characters is taken, and no more",
  "architecture.validate.linear": "no expression and no code can hold the server up",
  "architecture.validate.must": "what must be there and is not is told without a line",
  "architecture.validate.names":
    "a pattern is named as it is listed, by its last step or its URI; others are refused with the nearest",
  "architecture.validate.rules": "declared rules are checked, and each breach told with its line",
  "architecture.validate.severity": "a remark alone breaks nothing",
};
