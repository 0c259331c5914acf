import { defineShelf } from "../../kernel/shelf.ts";
import { absorb } from "./absorb.ts";
import { guide } from "./guide.ts";
import { batchOperations } from "./operations/batch.ts";
import { collectionOperations } from "./operations/collections.ts";
import { contextOperations } from "./operations/contexts.ts";
import { listingOperations } from "./operations/listing.ts";
import { retrievalOperations } from "./operations/retrieval.ts";
import { searchingOperations } from "./operations/searching.ts";
import { statusOperations } from "./operations/status.ts";
import { documentFamily } from "./resources.ts";
import { openSearch, type SearchState } from "./state.ts";
import { searchTables } from "./tables.ts";

export const search = defineShelf<SearchState>({
  name: "search",
  dialect: "qmd",
  guide:
    "Folders of documents, searched by keyword: call `search` first, then `get` with a result's file.",
  tables: searchTables,
  operations: [
    ...searchingOperations,
    ...retrievalOperations,
    ...batchOperations,
    ...statusOperations,
    ...listingOperations,
    ...collectionOperations,
    ...contextOperations,
  ],
  resources: [documentFamily],
  prompts: guide,
  open: openSearch,
  absorb,
});
