/** What the tools promise that recommend, write and publish documentation for a repository. */
export const repositoryMakers = {
  "repository.config.hostile-names":
    "no name of a project breaks a configuration or says more than itself",
  "repository.config.valid": "every configuration is read by what it is written for",
  "repository.config.written": "a configuration lands in a folder that is made for it",
  "repository.deploy.address": "an address is refused with what to do instead",
  "repository.deploy.domain": "a domain of one's own is kept with the site",
  "repository.deploy.found": "the generator, its folder and its lock file are found",
  "repository.deploy.hostile-branch":
    "a branch with a hostile name is not carried into the workflow",
  "repository.deploy.refused": "what cannot be meant is refused by the name of its parameter",
  "repository.deploy.vercel": "for Vercel there are its settings and a workflow that may only read",
  "repository.deploy.verified": "readiness is judged by the files that are there",
  "repository.deploy.workflow":
    "workflows have pinned actions and least permissions, and publish what is built",
  "repository.populate.examples":
    "untouched examples of setup_structure are filled, and keep their front matter",
  "repository.populate.facts": "every line is a fact with its source, or a question",
  "repository.populate.focus": "a technology that was asked for is found, or asked about",
  "repository.populate.hostile": "words of a manifest are shown and never act",
  "repository.populate.levels": "a level decides how many pages there are",
  "repository.populate.nothing-known": "of an empty repository nothing is said, and much is asked",
  "repository.populate.valid": "its pages have nothing that validate_diataxis_content complains of",
  "repository.populate.preserved": "pages that somebody wrote stay as they are",
  "repository.prompts.completed": "generators are completed by their names",
  "repository.prompts.tools":
    "every prompt names tools that are there, and carries what it was given",
  "repository.recommend.by-id": "an analysis is named by its id, and a missing one is told",
  "repository.recommend.existing": "a generator that is in use is found first, and stayed with",
  "repository.recommend.rules":
    "what a repository is made of decides, and what matters to its people",
  "repository.recommend.scored": "every score is the sum of its reasons, the best first",
  "repository.structure.valid": "a new structure has nothing to complain of, filled or not",
  "repository.structure.examples":
    "an example holds questions alone, and is left out when it is not wanted",
  "repository.structure.pages":
    "four parts, each with an index, and links that lead somewhere, for every generator",
  "repository.structure.told": "the answer names what was made, in the original's words",
  "repository.templates.read": "templates of every generator are listed and read, and none else",
  "repository.writing.all-or-none": "where one file cannot be written, none is",
  "repository.writing.dry-run": "a dry run shows the difference and writes nothing",
  "repository.writing.inside": "nothing is written outside, whatever links and paths say",
  "repository.writing.no-overwriting":
    "files that are there are replaced only when that is asked for",
  "repository.writing.undo": "what was written is taken back, folders and all, and done again",
  "repository.writing.unchanged": "what is there already is not written again",
};
