import { authored } from "../../kernel/tables.ts";

/**
 * What belongs to the person at this machine and to no project: how far agents may go, and what
 * they have read. A project may be sent to others; these must not change with whose project it is.
 */
export const homeTables = authored([
  `CREATE TABLE qualitative_policy (
     operation TEXT NOT NULL,
     agent TEXT NOT NULL COLLATE NOCASE,
     tier TEXT NOT NULL,
     PRIMARY KEY (operation, agent)
   );
   CREATE TABLE qualitative_reads (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     at TEXT NOT NULL,
     agent TEXT NOT NULL,
     call TEXT NOT NULL,
     operation TEXT NOT NULL,
     project TEXT NOT NULL,
     source_id INTEGER NOT NULL,
     source_name TEXT,
     start_pos INTEGER NOT NULL,
     end_pos INTEGER NOT NULL
   );`,
  // Clients whose answers to questions count as the person's own. Of the key only a hash is kept.
  `CREATE TABLE qualitative_trusted_clients (
     client TEXT PRIMARY KEY,
     key_hash TEXT NOT NULL,
     since TEXT NOT NULL
   );`,
]);
