import { indexTables } from "../../kernel/index/sqlite.ts";
import { derived } from "../../kernel/tables.ts";

export const searchTables = derived(
  2,
  `CREATE TABLE search_documents (document INTEGER PRIMARY KEY, title TEXT NOT NULL);
   ${indexTables("search")}`,
);
