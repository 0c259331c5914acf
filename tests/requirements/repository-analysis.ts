/** What the analysis of a repository promises. */
export const repositoryAnalysis = {
  "repository.analysis.adr": "folders of decision records are offered to the architecture shelf",
  "repository.analysis.bounded":
    "an answer holds the beginning of a long list and says how much is left out",
  "repository.analysis.ci":
    "systems for integration, containers and readmes are told by convention",
  "repository.analysis.depths": "each depth knows what the one before does not",
  "repository.analysis.docs": "documentation is told by its folders and generators, not by a name",
  "repository.analysis.ecosystems": "manifests and lock files tell what brings the packages",
  "repository.analysis.entry-points": "files where a reader begins are named, not what builds make",
  "repository.analysis.fenced": "what lies outside a force root is neither analysed nor remembered",
  "repository.analysis.frameworks": "a framework is what a product needs to run",
  "repository.analysis.id": "the same content has the same id, and other content another",
  "repository.analysis.ignored": "what git ignores, and repositories within, are not counted",
  "repository.analysis.kept": "an analysis is a resource, also after a restart",
  "repository.analysis.known": "every known fact of real repositories is right, at every depth",
  "repository.analysis.languages": "languages are counted by bytes, and programs come first",
  "repository.analysis.licenses": "licences are told by their texts and by what manifests say",
  "repository.analysis.likenesses":
    "trees in the shape of well-known repositories are told as those who know them would",
  "repository.analysis.missing": "a path that is not there fails in the document's words",
  "repository.analysis.pages": "pages are listed with a guess at their kind and its evidence",
  "repository.analysis.partial": "when the time is over, the answer says where it stopped",
  "repository.analysis.shape":
    "the answer keeps the original's shape, with progress and a log line",
  "repository.analysis.tests": "tests are told by convention, never by letters within a word",
  "repository.analysis.workspaces": "packages that belong together are told by what declares them",
  "repository.directory.entries": "a directory's entries are listed in parts, links not followed",
  "repository.hostile.links": "links in circles and out of the repository lead nowhere",
  "repository.hostile.manifests": "malformed, huge and endless manifests cost only themselves",
  "repository.hostile.names": "no name of a file breaks an answer",
  "repository.hostile.git":
    "a history that never answers is a partial answer, and somebody else's is none",
  "repository.hostile.patterns": "ignore files that are made to be slow cost little",
  "repository.hostile.nothing-run": "nothing of a repository is run",
  "repository.hostile.many": "a repository with very many entries is answered",
};
