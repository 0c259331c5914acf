import { indexTables } from "../../kernel/index/sqlite.ts";
import { derived } from "../../kernel/tables.ts";

export const searchTables = derived(
  7,
  `CREATE TABLE search_documents (
     document INTEGER PRIMARY KEY,
     title TEXT NOT NULL,
     -- What the document says of its own date, in milliseconds.
     date INTEGER,
     -- What it is written in, as two letters.
     language TEXT,
     -- Over this row, its facts and its links.
     sum INTEGER NOT NULL DEFAULT 0
   );
   -- Where its links lead, as paths from the folder of its collection; wiki links by [[name]].
   CREATE TABLE search_links (document INTEGER NOT NULL, target TEXT NOT NULL);
   CREATE INDEX search_links_by_target ON search_links (target, document);
   CREATE INDEX search_links_by_document ON search_links (document);
   CREATE TABLE search_facts (
     document INTEGER NOT NULL,
     key TEXT NOT NULL COLLATE NOCASE,
     value TEXT NOT NULL COLLATE NOCASE,
     -- The value where it is a number, so that 9 comes before 10.
     number REAL
   );
   CREATE INDEX search_facts_by_key ON search_facts (key, value, document);
   CREATE INDEX search_facts_by_document ON search_facts (document);
   -- A number is never given twice, so that what is new lies behind the highest that was seen.
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
   -- The documents whose chunks all have vectors, and by which model.
   -- The number of its chunks and their checksums, combined, tell of one that is damaged or gone.
   CREATE TABLE search_embedded (
     document INTEGER PRIMARY KEY,
     model TEXT NOT NULL,
     chunks INTEGER NOT NULL DEFAULT 0,
     sum INTEGER NOT NULL DEFAULT 0
   );
   ${indexTables("search")}`,
);
