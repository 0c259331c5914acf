/** Requirements of the repository shelf together with other shelves. */
export const repositoryTogether = {
  "repository.together.alone": "a server without the search shelf offers no search",
  "repository.together.searchable":
    "an analysis does not change the index; the call it suggests makes the repository searchable",
  "repository.together.searchable-undone":
    "making a repository searchable is undone like any collection",
};
