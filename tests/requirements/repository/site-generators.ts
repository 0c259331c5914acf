/** Requirements of the tools that recommend, write and publish documentation. */
export const repositoryMakers = {
  "repository.config.hostile-names": "no project name breaks or injects into a configuration",
  "repository.config.valid": "every configuration is valid for its generator",
  "repository.config.written": "a configuration is written to a folder created for it",
  "repository.deploy.address": "a URL is refused, and the message says what to pass instead",
  "repository.deploy.domain": "a custom domain is stored with the site",
  "repository.deploy.found": "the generator, its folder and its lock file are detected",
  "repository.deploy.hostile-branch": "a hostile branch name is not copied into the workflow",
  "repository.deploy.refused": "contradictory parameters are refused by name",
  "repository.deploy.vercel": "for Vercel, settings and a read-only workflow are generated",
  "repository.deploy.verified": "readiness is checked against the existing files",
  "repository.deploy.workflow":
    "workflows pin their actions, have least privileges, and publish the build output",
  "repository.populate.examples":
    "unmodified examples of setup_structure are filled, and keep their front matter",
  "repository.populate.facts": "every line is a fact with its source, or a question",
  "repository.populate.focus": "a requested technology is covered, or asked about",
  "repository.populate.hostile": "manifest text is quoted and never interpreted",
  "repository.populate.levels": "the level determines the number of pages",
  "repository.populate.nothing-known":
    "pages for an empty repository contain no facts and many questions",
  "repository.populate.valid": "the generated pages pass validate_diataxis_content",
  "repository.populate.preserved": "existing pages are kept",
  "repository.prompts.completed": "generator names are completed",
  "repository.prompts.tools": "every prompt names existing tools and contains its arguments",
  "repository.recommend.by-id": "an analysis is named by its id, and a missing one is reported",
  "repository.recommend.existing": "a generator already in use is detected and recommended first",
  "repository.recommend.rules":
    "the recommendation depends on the repository's contents and the user's priorities",
  "repository.recommend.scored": "every score is the sum of its reasons, highest first",
  "repository.structure.valid": "a new structure passes its own checks, filled or not",
  "repository.structure.examples": "an example contains only questions, and is optional",
  "repository.structure.pages":
    "for every generator there are four sections, each with an index and working links",
  "repository.structure.answer": "the answer lists the created files, in the original's wording",
  "repository.templates.read": "templates of every generator are listed and read, and nothing else",
  "repository.writing.all-or-none": "if one file cannot be written, none is",
  "repository.writing.dry-run": "a dry run shows the diff and writes nothing",
  "repository.writing.inside": "nothing is written outside, whatever the links and paths",
  "repository.writing.no-overwriting": "existing files are replaced only on request",
  "repository.writing.others-files":
    "an agent replaces files that agents wrote; replacing any other file needs a proposal",
  "repository.writing.undo": "a write is undone, including created folders, and redone",
  "repository.writing.unchanged": "identical files are not written again",
};
