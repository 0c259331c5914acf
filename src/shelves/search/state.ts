import { openSearchIndex } from "../../kernel/index/open-search-index.ts";
import type { SearchIndex } from "../../kernel/index/search-index.ts";

import type { Runtime } from "../../kernel/runtime/runtime.ts";
import { createQueryExpansion, type QueryExpansion } from "./query/query-expansion.ts";
import { createSemanticIndex, type SemanticIndex } from "./vectors/semantic-index.ts";

/** The services of the runtime that the shelf uses. */
type SearchServices = Pick<
  Runtime,
  // Configuration and files
  | "boundary"
  | "config"
  | "log"
  | "settings"
  // Store, documents and models
  | "conversionCache"
  | "store"
  | "db"
  | "homeProblem"
  | "documents"
  | "models"
  | "reader"
  // Indexing
  | "indexer"
  | "queue"
  | "repairDerived"
  | "revision"
  | "roots"
  | "runningJobs"
  | "waitForInitialScan"
  | "waitForRevision"
  // Approval by a person
  | "changes"
  | "performByName"
  | "proposals"
>;

/** The state of the shelf's operations. */
export interface SearchState extends SearchServices {
  readonly index: SearchIndex;
  readonly semanticIndex: SemanticIndex;
  readonly expansion: QueryExpansion;
}

export const openSearch = (runtime: SearchServices): SearchState => ({
  boundary: runtime.boundary,
  config: runtime.config,
  log: runtime.log,
  settings: runtime.settings,
  conversionCache: runtime.conversionCache,
  store: runtime.store,
  db: runtime.db,
  homeProblem: runtime.homeProblem,
  documents: runtime.documents,
  models: runtime.models,
  reader: runtime.reader,
  indexer: runtime.indexer,
  queue: runtime.queue,
  repairDerived: runtime.repairDerived,
  revision: runtime.revision,
  roots: runtime.roots,
  runningJobs: runtime.runningJobs,
  waitForInitialScan: runtime.waitForInitialScan,
  waitForRevision: runtime.waitForRevision,
  changes: runtime.changes,
  performByName: runtime.performByName,
  proposals: runtime.proposals,
  index: openSearchIndex(runtime, "search", "search_documents"),
  semanticIndex: createSemanticIndex(runtime),
  expansion: createQueryExpansion(runtime),
});
