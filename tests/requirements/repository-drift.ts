/** What the repository shelf promises of code and the pages about it. */
export const repositoryDrift = {
  "repository.drift.baseline":
    "the baseline stays until a person accepts, all of it or single symbols",
  "repository.drift.classes": "what happens to a class is told once, and not for each member",
  "repository.drift.damaged": "a baseline that cannot be read any more is passed over",
  "repository.drift.folders": "pages of one folder have a baseline of their own",
  "repository.drift.history":
    "over a history of 200 commits every change that breaks a documented symbol is found, and no other",
  "repository.drift.later": "symbols that came after the baseline are known from then on",
  "repository.drift.mended": "a page that was brought up to date by hand is told no more",
  "repository.drift.moved-on": "a proposal whose line was changed meanwhile writes nothing",
  "repository.drift.past": "lists of changes are no documentation, and decisions are cited",
  "repository.drift.preview": "a preview shows the difference and writes nothing",
  "repository.drift.proposals": "what an agent applies waits for a person, and can be undone",
  "repository.drift.quiet":
    "form, comments, bodies, order, moves and what no page names are no drift",
  "repository.drift.stopped": "what was stopped tells where, and keeps the baseline as it was",
  "repository.drift.symbols":
    "what was removed, renamed or changed is told with the lines that speak of it",
  "repository.drift.tool": "no tool of an agent accepts drift",
  "repository.drift.undo": "an acceptance can be undone, and its undoing too",
  "repository.drift.unread": "a file that cannot be read has lost nothing",
  "repository.freshness.code": "a page that its code has overtaken is told with the file",
  "repository.freshness.dates":
    "dates are written into the front matter and nothing else, shown before, and taken back",
  "repository.freshness.encoding":
    "a page in another encoding is left as it is, and the others are dated",
  "repository.freshness.git": "a page is as old as its last commit, whatever its file says",
  "repository.freshness.inert": "a repository's own settings run nothing while its history is read",
  "repository.freshness.matter": "front matter is optional, and the newest date counts",
  "repository.freshness.presets": "presets have their ages, and thresholds of one's own must grow",
  "repository.gaps.evidence":
    "each gap names the symbol, its file and line, and the page that should hold it",
  "repository.gaps.depth": "each depth asks about more",
  "repository.gaps.pages":
    "the page for a symbol is one that speaks of its neighbours, or a new one",
  "repository.gaps.paged": "gaps are told in parts that join without a gap",
  "repository.gaps.structure": "kinds of pages that are missing are told",
  "repository.mentions.blocks":
    "in stretches of code, names are called, compound or qualified words",
  "repository.mentions.headings": "a heading that is a name speaks of it",
  "repository.mentions.spans":
    "code within a line names what it is or calls, and no words of a command",
  "repository.symbols.damaged": "half a file is read as far as it goes",
  "repository.symbols.ecma": "a module's exports are its symbols, by whatever way",
  "repository.symbols.hostile": "a file that never ends or crashes costs itself and nothing else",
  "repository.symbols.languages": "each language's own rule says what is public",
  "repository.symbols.python": "Python offers what __all__ names, or what has no underscore",
};
