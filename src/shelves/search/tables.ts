import { searchIndexTables } from "../../kernel/index/sqlite-index.ts";
import { derivedTables } from "../../kernel/storage/migrations.ts";

export const searchTables = derivedTables(
  11,
  `CREATE TABLE search_documents (
     document INTEGER PRIMARY KEY,
     title TEXT NOT NULL,
     -- The date in the front matter, in milliseconds.
     date INTEGER,
     -- The language of the text, as an ISO 639-1 code.
     language TEXT,
     -- The checksum of this row, its facts and its links.
     sum INTEGER NOT NULL DEFAULT 0
   );
   -- Link targets: paths relative to the collection, or [[name]] for a wiki link.
   CREATE TABLE search_links (document INTEGER NOT NULL, target TEXT NOT NULL);
   CREATE INDEX search_links_by_target ON search_links (target, document);
   CREATE INDEX search_links_by_document ON search_links (document);
   CREATE TABLE search_facts (
     document INTEGER NOT NULL,
     key TEXT NOT NULL COLLATE NOCASE,
     value TEXT NOT NULL COLLATE NOCASE,
     -- The value as a number, if it is one, so that 9 sorts before 10.
     number REAL
   );
   CREATE INDEX search_facts_by_key ON search_facts (key, value, document);
   CREATE INDEX search_facts_by_document ON search_facts (document);
   -- AUTOINCREMENT never reuses an id, so new chunks have ids above the highest known id.
   CREATE TABLE search_chunks (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     document INTEGER NOT NULL,
     vector INTEGER NOT NULL,
     english INTEGER NOT NULL,
     line INTEGER NOT NULL,
     end_line INTEGER NOT NULL,
     headings TEXT NOT NULL,
     text TEXT NOT NULL
   );
   CREATE INDEX search_chunks_by_document ON search_chunks (document);
   -- The documents whose chunks all have vectors, and the model that made them. The number of
   -- chunks and their combined checksum reveal damaged and missing chunks.
   CREATE TABLE search_embedded (
     document INTEGER PRIMARY KEY,
     model TEXT NOT NULL,
     chunks INTEGER NOT NULL DEFAULT 0,
     sum INTEGER NOT NULL DEFAULT 0
   );
   ${searchIndexTables("search")}`,
);
