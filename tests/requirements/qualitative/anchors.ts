/** Requirements for codings of edited texts, and for undo. */
export const qualitativeAnchors = {
  "qualitative.anchors.cases": "annotations and cases follow edits of a text like codings",
  "qualitative.anchors.dismissed": "an inbox entry can be dismissed, and restored by undo",
  "qualitative.anchors.edits": "edits are computed from two texts without splitting a character",
  "qualitative.anchors.outcomes": "each passage is reported as kept, changed, moved or lost",
  "qualitative.anchors.inbox":
    "passages that cannot be located go to an inbox with a proposed location and a score",
  "qualitative.anchors.move": "codings move with an edited text, and their quotes match it",
  "qualitative.anchors.neighbours": "codings that swap positions do not collide",
  "qualitative.anchors.random":
    "after random edits unchanged passages are exact, moved ones found, and none is silently wrong",
  "qualitative.anchors.refused": "edits based on an outdated text are refused",
  "qualitative.anchors.undo": "one undo restores text, codings and inbox",
  "qualitative.anchors.waiting-code":
    "inbox entries follow their code when it is merged or deleted",
  "qualitative.undo.cut-off":
    "a change interrupted by a kill is not listed: its proposal stays pending, its undo can be repeated",
  "qualitative.undo.person": "only a person can undo by steps",
  "qualitative.undo.random":
    "undoing random commands restores the initial state, redoing them the final state",
  "qualitative.undo.steps": "any number of steps is undone and redone, also after a restart",
  "qualitative.undo.listed": "changes undone by steps are marked in the activity list",
};
