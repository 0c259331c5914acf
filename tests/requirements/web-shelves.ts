/** What the screens of typed objects and of the architecture let a person do. */
export const webShelves = {
  "objects.tools.workspaces":
    "a collection with objects tells its workspace, and where it lies in it",
  "web.architecture.checks": "a finding leads to the line of the record that it is about",
  "web.architecture.decisions":
    "decisions are seen with status, in time and as a graph, and read as text that cannot run",
  "web.architecture.documents": "guidelines and patterns are read, and follow their files",
  "web.architecture.live":
    "a decision that an agent proposes and a person accepts appears while one looks",
  "web.architecture.prompts": "a prompt is tried with its arguments, and says what is missing",
  "web.objects.csv": "rows are saved as CSV in which no text is taken for a formula",
  "web.objects.empty": "a library without objects says how to write the first one",
  "web.objects.graph":
    "a neighbourhood is drawn, walked by keyboard, filtered by kind and told as a table",
  "web.objects.page": "an object is found, read, and followed along its references and back",
  "web.objects.problems": "a problem leads to its line, and goes when the file is mended",
  "web.objects.rename": "what an agent renames with a person's yes has its new name at once",
  "web.objects.sample": "the library that ships with the program has objects to look at",
  "web.objects.sql": "a statement is answered by a table that says where it was cut",
};
