import { homeFiles } from "../../kernel/home/settings.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { searchDocumentFamily } from "./documents/resources.ts";
import { grepOperations } from "./grep/grep.ts";
import { searchGuide } from "./guide.ts";
import { indexDocumentChanges } from "./indexing/document-changes.ts";
import { forgetDamagedDocuments, verifiedSearchParts } from "./indexing/integrity.ts";
import { noteOperations } from "./notes/write-note.ts";
import { backlinkOperations } from "./operations/backlinks.ts";
import { cleanupOperations } from "./operations/cleanup.ts";
import { collectionOperations } from "./operations/collections.ts";
import { contextOperations } from "./operations/contexts.ts";
import { embeddingOperations } from "./operations/embed.ts";
import { findOperations } from "./operations/find.ts";
import { getOperations } from "./operations/get.ts";
import { listDocumentsOperations } from "./operations/list-documents.ts";
import { multiGetOperations } from "./operations/multi-get.ts";
import { personEntryOperations } from "./operations/person-entries.ts";
import { searchOperations } from "./operations/search.ts";
import { setCollectionOperations } from "./operations/set-collection.ts";
import { statusOperations } from "./operations/status.ts";
import { updateOperations } from "./operations/update.ts";
import { wikiLinkOperations } from "./operations/wiki-links.ts";
import { documentSqlTables } from "./sql-tables.ts";
import { openSearch, type SearchState } from "./state.ts";
import { searchTables } from "./tables.ts";
import { countUnembedded, hasEmbeddings } from "./vectors/semantic-index.ts";

export const search = defineShelf<SearchState>({
  name: "search",
  dialect: "qmd",
  guide:
    "Folders of documents: call `search` (keywords) or `query` (best results) first, then `get` with a result's file.",
  tables: searchTables,
  operations: [
    ...searchOperations,
    ...findOperations,
    ...grepOperations,
    ...getOperations,
    ...backlinkOperations,
    ...wikiLinkOperations,
    ...multiGetOperations,
    ...statusOperations,
    ...listDocumentsOperations,
    ...embeddingOperations,
    ...cleanupOperations,
    ...collectionOperations,
    ...setCollectionOperations,
    ...updateOperations,
    ...contextOperations,
    ...personEntryOperations,
    ...noteOperations,
  ],
  resources: [searchDocumentFamily],
  prompts: searchGuide,
  open: openSearch,
  /** Only the visible collections: with a force root, those outside are excluded. */
  sqlTables: {
    tables: ["documents"],
    open: ({ settings, config }) =>
      documentSqlTables(homeFiles(settings).store, Object.keys(config.read().collections)),
  },
  onDocumentChanges: indexDocumentChanges,
  integrityChecks: verifiedSearchParts,
  forgetDamaged: forgetDamagedDocuments,
  /** Keeps embeddings up to date once a user has created the first ones. */
  async reconcile(state, signal) {
    const pending = await state.store.run(
      (function* () {
        return (yield* hasEmbeddings(state)) ? yield* countUnembedded(state) : 0;
      })(),
    );
    if (pending === 0 || state.models.embedder.problem !== undefined) return;
    const { embedPending } = await import("./vectors/embed-documents.ts");
    const job = state.runningJobs.begin("Creating embeddings");
    try {
      await embedPending(state, { isUrgent: false, signal, onProgress: job.progress });
    } finally {
      job.end();
    }
  },
});
