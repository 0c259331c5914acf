import { defineShelf } from "../../kernel/shelf.ts";
import { absorb } from "./absorb.ts";
import { guide } from "./guide.ts";
import {
  addCollection,
  listCollections,
  removeCollection,
  renameCollection,
  showCollection,
  updateCollections,
} from "./operations/collections.ts";
import { listDocuments } from "./operations/listing.ts";
import { get } from "./operations/retrieval.ts";
import { search as searchDocuments } from "./operations/searching.ts";
import { status } from "./operations/status.ts";
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
    searchDocuments,
    get,
    status,
    listDocuments,
    addCollection,
    listCollections,
    showCollection,
    removeCollection,
    renameCollection,
    updateCollections,
  ],
  resources: [documentFamily],
  prompts: guide,
  open: openSearch,
  absorb,
});
