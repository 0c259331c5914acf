/** What the screens of coding, of reports and of review promise. */
export const webCoding = {
  "house.web.coding":
    "a person codes by keyboard alone, in words behind an emoji, while an agent codes the same words",
  "house.web.coding-barriers": "axe finds no barrier while coding, light or dark, wide or narrow",
  "house.web.coding-follows": "the page goes to the passage that an agent shows",
  "house.web.reports": "figures of codings are shown as tables and saved as CSV and SVG",
  "house.web.reports-barriers": "axe finds no barrier in reports, light or dark, wide or narrow",
  "web.codebook.change":
    "a category is made and a code moved, renamed, recoloured and noted, by keyboard alone",
  "web.codebook.delete": "deleting a code tells what goes, and undo brings it back",
  "web.codebook.delete-category":
    "a category tells what stays before it goes, and goes only as it was told",
  "web.codebook.drag": "a code is dragged into a category, and out of it",
  "web.codebook.gone":
    "the window of what another page deletes closes and says so, and stays closed",
  "web.codebook.live": "what an agent adds to the codebook is there at once",
  "web.codebook.merge": "a merge shows what moves, and is refused when that has changed",
  "web.codebook.split": "passages that are ticked go to the new code, as was shown",
  "web.coding.agent-acts":
    "what an agent deletes is told on the open page at once, with the counts and a way back",
  "web.coding.borders": "keys move the borders of a coding, and the focus stays on it",
  "web.coding.erase": "a part is erased from a coding, of several from the one that is meant",
  "web.coding.long":
    "a megabyte with 2,000 codings is laid out where it is looked at, and coded at its end",
  "web.coding.notes": "memo and importance of a coding are kept where they are read",
  "web.coding.one-step": "a new name is a code at once, and one undo takes code and coding away",
  "web.coding.recent": "a digit codes with a recent code, and a key takes the sentence",
  "web.coding.told-apart": "who coded is told by lane, pattern and name, of agents as of people",
  "web.inbox.propose": "a proposed place is shown before and after, and taken with one key",
  "web.inbox.settle": "what lost its place is placed, placed by hand or let go, by keyboard alone",
  "web.policy.agents": "a rule for one agent is set by its name",
  "web.policy.barriers":
    "axe finds no barrier in the policy and the log, light or dark, wide or narrow",
  "web.policy.reads": "what an agent has read is listed, and leads to the passage",
  "web.policy.tiers": "a person sets how far agents may go, and an agent is held to it at once",
  "web.review.batch": "those that are ticked are accepted together, and taken back together",
  "web.review.once":
    "a key that is held or struck twice decides once, and what is next has the focus",
  "web.review.edit": "what a person changes in a proposal is done in the person's name",
} as const;
