import { defineShelf } from "../../kernel/shelf.ts";
import { analysisResources } from "./analysis/analysis-resources.ts";
import { analyzeRepository } from "./operations/analyze.ts";
import { contentOperations } from "./operations/content.ts";
import { deployOperations } from "./operations/deployment.ts";
import { readDirectory } from "./operations/directory.ts";
import { driftOperations } from "./operations/drift.ts";
import { driftAcceptanceOperations } from "./operations/drift-acceptance.ts";
import { exchangeRepositoryFiles } from "./operations/exchange-files.ts";
import { trackFreshness } from "./operations/freshness.ts";
import { validateFreshness } from "./operations/freshness-dates.ts";
import { detectDocumentationGaps } from "./operations/gaps.ts";
import { checkDocumentationLinks } from "./operations/links.ts";
import { documentationMap, findIndexedFiles, listRepositories } from "./operations/listings.ts";
import { populateContent } from "./operations/populate.ts";
import { analyzeReadme } from "./operations/readme.ts";
import { recommendSsg } from "./operations/recommend.ts";
import { makePagesSearchable } from "./operations/searchable-pages.ts";
import { generateConfig } from "./operations/site-config.ts";
import { manageSitemap } from "./operations/sitemap.ts";
import { setupStructure } from "./operations/structure.ts";
import { fixedResources, templateResources } from "./pages/template-resources.ts";
import { repositoryPrompts } from "./prompts.ts";
import { openRepository, type RepositoryState } from "./state.ts";
import { repositoryTables } from "./tables.ts";

export const repository = defineShelf<RepositoryState>({
  name: "repository",
  dialect: "documcp",
  guide:
    "A repository and its documentation: start with `analyze_repository`, which returns the id that `recommend_ssg` and other tools take.",
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
    ...driftAcceptanceOperations,
    trackFreshness,
    validateFreshness,
    exchangeRepositoryFiles,
    listRepositories,
    documentationMap,
    findIndexedFiles,
  ],
  resources: [analysisResources, templateResources, ...fixedResources],
  prompts: repositoryPrompts,
  open: openRepository,
});
