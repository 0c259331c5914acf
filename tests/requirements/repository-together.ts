/** What the repository shelf does together with the others. */
export const repositoryTogether = {
  "repository.together.alone": "a server without the search shelf offers no search",
  "repository.together.searchable":
    "an analysis adds nothing to what is found; one step that it names does, at once",
  "repository.together.searchable-undone":
    "what was made searchable is undone as any collection is",
};
