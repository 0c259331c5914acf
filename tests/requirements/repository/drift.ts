/** Requirements of the repository shelf: code and the pages about it. */
export const repositoryDrift = {
  "repository.drift.baseline":
    "the baseline changes only when a person accepts, in full or for single symbols",
  "repository.drift.classes": "a change of a class is reported once, not for each member",
  "repository.drift.damaged": "an unreadable baseline is skipped",
  "repository.drift.folders": "the pages of each folder have their own baseline",
  "repository.drift.history":
    "over a history of 200 commits, exactly the changes that break a documented symbol are found",
  "repository.drift.later": "symbols added after the baseline are tracked from then on",
  "repository.drift.corrected": "a manually corrected page is no longer reported",
  "repository.drift.changed-meanwhile":
    "a proposal is not written if its line was changed meanwhile",
  "repository.drift.past": "changelogs are not documentation, and decisions are cited",
  "repository.drift.preview": "a preview shows the diff and writes nothing",
  "repository.drift.proposals": "an agent's fix waits for a person, and can be undone",
  "repository.drift.no-false-positives":
    "formatting, comments, bodies, order, moves and undocumented code are not drift",
  "repository.drift.stopped": "an interrupted run reports where it stopped, and keeps the baseline",
  "repository.drift.symbols":
    "removed, renamed and changed symbols are reported with the lines that mention them",
  "repository.drift.tool": "no agent tool can accept drift",
  "repository.drift.undo": "accepting can be undone and redone",
  "repository.drift.unread": "symbols of an unreadable file are not reported as removed",
  "repository.freshness.code": "a page older than the code it documents is reported with the file",
  "repository.freshness.dates":
    "dates are written only into the front matter, previewed, and undoable",
  "repository.freshness.encoding":
    "a page in another encoding is left unchanged, and the others are dated",
  "repository.freshness.git":
    "the age of a page is that of its last commit, regardless of the file's time",
  "repository.freshness.inert": "repository settings run nothing while its history is read",
  "repository.freshness.matter": "front matter is optional, and the latest date counts",
  "repository.freshness.presets": "presets have fixed ages, and custom thresholds must increase",
  "repository.gaps.evidence":
    "each gap names the symbol, its file and line, and the page that should document it",
  "repository.gaps.depth": "each depth checks more",
  "repository.gaps.pages": "the suggested page mentions neighboring symbols, or is a new one",
  "repository.gaps.paged": "gaps are paged without omissions",
  "repository.gaps.structure": "missing kinds of pages are reported",
  "repository.mentions.blocks":
    "in code blocks, only called, compound or qualified names are mentions",
  "repository.mentions.headings": "a heading that is a name is a mention",
  "repository.mentions.spans":
    "inline code mentions the names it contains or calls, but no words of a command",
  "repository.symbols.damaged": "a truncated file is parsed as far as possible",
  "repository.symbols.ecma": "a module's exports are its symbols, in every export syntax",
  "repository.symbols.hostile": "a file on which the parser hangs or crashes is skipped",
  "repository.symbols.languages": "visibility follows the rules of each language",
  "repository.symbols.python":
    "Python symbols are those in __all__, or without a leading underscore",
};
