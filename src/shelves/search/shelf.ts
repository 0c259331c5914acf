import { filesOf } from "../../kernel/settings.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { absorb } from "./absorb.ts";
import { guide } from "./guide.ts";
import { lentDocuments } from "./lent.ts";
import { countPending, hasMeaning } from "./meaning.ts";
import { backlinkOperations } from "./operations/backlinks.ts";
import { batchOperations } from "./operations/batch.ts";
import { careOperations } from "./operations/care.ts";
import { collectionOperations } from "./operations/collections.ts";
import { contextOperations } from "./operations/contexts.ts";
import { embeddingOperations } from "./operations/embedding.ts";
import { findingOperations } from "./operations/finding.ts";
import { indexingOperations } from "./operations/indexing.ts";
import { listingOperations } from "./operations/listing.ts";
import { retrievalOperations } from "./operations/retrieval.ts";
import { searchingOperations } from "./operations/searching.ts";
import { statusOperations } from "./operations/status.ts";
import { wikiLinkOperations } from "./operations/wiki-links.ts";
import { documentFamily } from "./resources.ts";
import { forgetDamaged, verifiedSearch } from "./soundness.ts";
import { openSearch, type SearchState } from "./state.ts";
import { searchTables } from "./tables.ts";

export const search = defineShelf<SearchState>({
  name: "search",
  dialect: "qmd",
  guide:
    "Folders of documents: call `search` (keywords) or `query` (best results) first, then `get` with a result's file.",
  tables: searchTables,
  operations: [
    ...searchingOperations,
    ...findingOperations,
    ...retrievalOperations,
    ...backlinkOperations,
    ...wikiLinkOperations,
    ...batchOperations,
    ...statusOperations,
    ...listingOperations,
    ...embeddingOperations,
    ...careOperations,
    ...collectionOperations,
    ...indexingOperations,
    ...contextOperations,
  ],
  resources: [documentFamily],
  prompts: guide,
  open: openSearch,
  /** Only what this process may show: with a force root, collections outside are not there. */
  lends: {
    tables: ["documents"],
    now: ({ settings, config }) =>
      lentDocuments(filesOf(settings).store, Object.keys(config.read().collections)),
  },
  absorb,
  verified: verifiedSearch,
  forgetDamaged,
  /** What a model embedded once is kept so; whether one is to begin is for people to say. */
  async tend(state, signal) {
    const hasWork = hasMeaning(state) && countPending(state) > 0;
    if (!hasWork || state.models.embedder.problem !== undefined) return;
    const { embedPending } = await import("./embedding.ts");
    const job = state.running.begin("Making vectors of documents");
    try {
      await embedPending(state, { signal, onProgress: job.progress });
    } finally {
      job.end();
    }
  },
});
