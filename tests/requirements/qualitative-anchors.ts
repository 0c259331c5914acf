/** What becomes of codings when a text is edited, and of everything when it is undone. */
export const qualitativeAnchors = {
  "qualitative.anchors.cases": "annotations and cases follow a text as codings do",
  "qualitative.anchors.dismissed": "what waits in the inbox can be let go of, and taken back",
  "qualitative.anchors.edits": "edits are found from two texts, and cut no character in two",
  "qualitative.anchors.fates": "a passage is kept, changed, moved or lost, and which is told",
  "qualitative.anchors.inbox":
    "what cannot be placed waits in an inbox with a proposed place and a score",
  "qualitative.anchors.move": "codings move with an edited text, and their words stay those of it",
  "qualitative.anchors.neighbours": "codings that take each other's places do not collide",
  "qualitative.anchors.random":
    "after random edits untouched passages are exact, moved ones found, and none is silently wrong",
  "qualitative.anchors.refused": "edits of a text that has changed meanwhile are refused",
  "qualitative.anchors.undo": "one undo brings text, codings and inbox back",
  "qualitative.anchors.waiting-code": "what waits goes with its code, merged or deleted",
  "qualitative.undo.cut-off":
    "a change that a kill cut off is told nowhere: what was accepted waits, what was undone stands",
  "qualitative.undo.person": "only a person undoes by steps",
  "qualitative.undo.random": "undoing random commands equals the start, redoing them the end",
  "qualitative.undo.steps": "any number of steps is undone and redone, after restarts too",
  "qualitative.undo.told": "what is undone by steps is so in the list of activity",
};
