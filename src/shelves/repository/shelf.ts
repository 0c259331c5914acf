import { defineShelf } from "../../kernel/shelf.ts";
import { analyzeRepository } from "./operations/analysing.ts";
import { generateConfig } from "./operations/configuring.ts";
import { contentOperations } from "./operations/content.ts";
import { deployOperations } from "./operations/deploying.ts";
import { readDirectory } from "./operations/directory.ts";
import { driftOperations } from "./operations/drift.ts";
import { acceptingOperations } from "./operations/drift-accepting.ts";
import { trackFreshness } from "./operations/freshness.ts";
import { validateFreshness } from "./operations/freshness-dates.ts";
import { detectDocumentationGaps } from "./operations/gaps.ts";
import { documentationMap, findIndexedFiles, listRepositories } from "./operations/known.ts";
import { checkDocumentationLinks } from "./operations/links.ts";
import { populateContent } from "./operations/populating.ts";
import { exchangeRepositoryFiles } from "./operations/putting-back.ts";
import { analyzeReadme } from "./operations/readme.ts";
import { recommendSsg } from "./operations/recommending.ts";
import { makePagesSearchable } from "./operations/searchable.ts";
import { manageSitemap } from "./operations/sitemap.ts";
import { setupStructure } from "./operations/structuring.ts";
import { repositoryPrompts } from "./prompts.ts";
import { analysisFamily } from "./resources.ts";
import { openRepository, type RepositoryState } from "./state.ts";
import { repositoryTables } from "./tables.ts";
import { fixedFamilies, templateFamily } from "./templates.ts";

export const repository = defineShelf<RepositoryState>({
  name: "repository",
  dialect: "documcp",
  guide:
    "A repository and its documentation: begin with `analyze_repository`; its id is what `recommend_ssg` and the others take.",
  tables: repositoryTables,
  operations: [
    analyzeRepository,
    readDirectory,
    makePagesSearchable,
    recommendSsg,
    generateConfig,
    setupStructure,
    populateContent,
    ...deployOperations,
    checkDocumentationLinks,
    ...contentOperations,
    analyzeReadme,
    manageSitemap,
    detectDocumentationGaps,
    ...driftOperations,
    ...acceptingOperations,
    trackFreshness,
    validateFreshness,
    exchangeRepositoryFiles,
    listRepositories,
    documentationMap,
    findIndexedFiles,
  ],
  resources: [analysisFamily, templateFamily, ...fixedFamilies],
  prompts: repositoryPrompts,
  open: openRepository,
});
