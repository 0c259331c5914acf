/** Requirements of the repository analysis. */
export const repositoryAnalysis = {
  "repository.analysis.adr": "folders of decision records are offered to the architecture shelf",
  "repository.analysis.bounded": "long lists are truncated, with the number of omitted items",
  "repository.analysis.ci": "CI systems, containers and READMEs are detected by convention",
  "repository.analysis.depths": "each depth adds facts that the previous one does not have",
  "repository.analysis.docs":
    "documentation is detected by folders and generators, not by a single name",
  "repository.analysis.ecosystems": "package managers are detected from manifests and lock files",
  "repository.analysis.entry-points": "entry points are listed, without build output",
  "repository.analysis.force-root": "paths outside the force root are neither analyzed nor stored",
  "repository.analysis.frameworks": "only runtime dependencies count as frameworks",
  "repository.analysis.id": "the id depends only on the content",
  "repository.analysis.ignored": "files ignored by git, and nested repositories, are not counted",
  "repository.analysis.kept": "an analysis is a resource, also after a restart",
  "repository.analysis.known":
    "every known fact of real repositories is detected correctly, at every depth",
  "repository.analysis.languages": "languages are counted in bytes, programming languages first",
  "repository.analysis.licenses": "licenses are detected from their texts and from manifests",
  "repository.analysis.replicas":
    "trees modeled on well-known repositories are described correctly",
  "repository.analysis.missing": "a missing path fails with the documented message",
  "repository.analysis.pages": "pages are listed with their guessed kind and its evidence",
  "repository.analysis.partial": "at the time limit the answer says where it stopped",
  "repository.analysis.shape": "the answer has the original's shape, with progress and a log line",
  "repository.analysis.tests": "tests are detected by convention, never by a substring of a name",
  "repository.analysis.workspaces":
    "workspace packages are detected from the file that declares them",
  "repository.directory.entries": "a directory is listed page by page, without following links",
  "repository.hostile.links": "cyclic links and links out of the repository are not followed",
  "repository.hostile.manifests": "malformed, huge and endless manifests do not affect the rest",
  "repository.hostile.names": "no file name breaks an answer",
  "repository.hostile.git":
    "an unresponsive history gives a partial answer, and another user's history is not read",
  "repository.hostile.patterns": "slow ignore patterns are bounded in time",
  "repository.hostile.nothing-run": "no code of a repository is run",
  "repository.hostile.many": "a repository with very many entries is analyzed",
};
