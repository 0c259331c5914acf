/** Requirements of the screens for coding, reports and review. */
export const webCoding = {
  "core.web.coding":
    "a person codes by keyboard, in text after an emoji, while an agent codes the same text",
  "core.web.coding-accessibility":
    "axe finds no issues while coding, light or dark, wide or narrow",
  "core.web.coding-follows": "the page scrolls to the passage that an agent navigates to",
  "core.web.reports": "coding statistics are shown as tables and saved as CSV and SVG",
  "core.web.reports-accessibility": "axe finds no issues in reports, light or dark, wide or narrow",
  "web.codebook.change":
    "a category is created, and a code is moved, renamed, recolored and given a memo, by keyboard",
  "web.codebook.delete": "deleting a code shows what is deleted, and undo restores it",
  "web.codebook.delete-category":
    "deleting a category shows what remains, and does exactly what was shown",
  "web.codebook.drag": "a code is dragged into a category and out of it",
  "web.codebook.gone": "a dialog about a deleted code closes with a message and stays closed",
  "web.codebook.live": "codebook changes by an agent appear immediately",
  "web.codebook.merge": "a merge shows what moves, and is refused if that has changed",
  "web.codebook.split": "the selected passages move to the new code, as shown",
  "web.coding.agent-acts":
    "an agent's deletion is shown on the open page immediately, with counts and undo",
  "web.coding.borders": "keys move the boundaries of a coding, and the focus stays on it",
  "web.coding.erase": "part of a coding is erased; if several codings match, a person selects one",
  "web.coding.long":
    "a 1 MB text with 2,000 codings is laid out only where visible, and can be coded at its end",
  "web.coding.notes": "memo and importance of a coding are edited in the text view",
  "web.coding.one-step":
    "a new name becomes a code with a coding in one step, and one undo removes both",
  "web.coding.recent": "a digit applies a recent code, and a key selects the sentence",
  "web.coding.coders": "coders, agents included, are distinguished by lane, pattern and name",
  "web.inbox.propose": "a proposed location is shown before and after, and accepted with one key",
  "web.inbox.settle":
    "passages that lost their location are accepted, placed manually or dismissed, by keyboard",
  "web.policy.agents": "a rule for one agent is set by its name",
  "web.policy.accessibility":
    "axe finds no issues in the policy and the log, light or dark, wide or narrow",
  "web.policy.reads": "texts read by an agent are listed with links to the passage",
  "web.policy.tiers":
    "a person sets the agents' permissions, and they apply to an agent immediately",
  "web.review.batch": "selected proposals are accepted and undone together",
  "web.review.once":
    "holding or repeating a key decides once, and the next proposal gets the focus",
  "web.review.edit": "a proposal edited by a person is performed in the person's name",
} as const;
