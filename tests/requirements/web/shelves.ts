/** Requirements of the screens for typed objects and architecture. */
export const webShelves = {
  "objects.tools.workspaces": "a collection with objects reports its workspace and its path in it",
  "web.architecture.checks": "a finding links to the line of the record",
  "web.architecture.decisions":
    "decisions are shown with status, timeline and graph, and their text cannot run code",
  "web.architecture.documents": "guidelines and patterns are shown and follow their files",
  "web.architecture.live":
    "a decision proposed by an agent and accepted by a person appears immediately",
  "web.architecture.prompts": "a prompt can be tried with its arguments, and reports missing ones",
  "web.objects.csv": "rows are saved as CSV without text that a spreadsheet would run as a formula",
  "web.objects.empty": "a library without objects explains how to write the first one",
  "web.objects.graph":
    "a neighborhood is drawn, navigated by keyboard, filtered by kind and shown as a table",
  "web.objects.page": "an object is found, read, and navigated along its references and back",
  "web.objects.problems": "a problem links to its line and disappears when the file is fixed",
  "web.objects.rename":
    "after a person accepts an agent's rename, the new name is shown immediately",
  "web.objects.sample": "the bundled sample library contains objects",
  "web.objects.sql": "an SQL result is shown as a table that says if it was truncated",
};
