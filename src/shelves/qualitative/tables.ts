import { authoredTables } from "../../kernel/storage/migrations.ts";

/**
 * Tables in the home: the policy for agents and the read log. They are not stored in a project,
 * since a project may be sent to others.
 */
export const homeTables = authoredTables(
  [
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
    // Clients trusted to relay a person's answers. Only a hash of the key is stored.
    `CREATE TABLE qualitative_trusted_clients (
     client TEXT PRIMARY KEY,
     key_hash TEXT NOT NULL,
     since TEXT NOT NULL
   );`,
    // Rows that are stored twice need an integer id.
    `CREATE TABLE qualitative_policy_numbered (
     id INTEGER PRIMARY KEY,
     operation TEXT NOT NULL,
     agent TEXT NOT NULL COLLATE NOCASE,
     tier TEXT NOT NULL,
     UNIQUE (operation, agent)
   );
   INSERT INTO qualitative_policy_numbered (operation, agent, tier)
     SELECT operation, agent, tier FROM qualitative_policy;
   DROP TABLE qualitative_policy;
   ALTER TABLE qualitative_policy_numbered RENAME TO qualitative_policy;
   CREATE TABLE qualitative_trusted_clients_numbered (
     id INTEGER PRIMARY KEY,
     client TEXT NOT NULL UNIQUE,
     key_hash TEXT NOT NULL,
     since TEXT NOT NULL
   );
   INSERT INTO qualitative_trusted_clients_numbered (client, key_hash, since)
     SELECT client, key_hash, since FROM qualitative_trusted_clients;
   DROP TABLE qualitative_trusted_clients;
   ALTER TABLE qualitative_trusted_clients_numbered RENAME TO qualitative_trusted_clients;`,
    // Which process serves a project, in a home that several machines share.
    `CREATE TABLE qualitative_leases (
     project TEXT PRIMARY KEY,
     holder TEXT NOT NULL,
     host TEXT NOT NULL,
     pid INTEGER NOT NULL,
     expires INTEGER NOT NULL
   );`,
  ],
  [],
  ["qualitative_policy", "qualitative_trusted_clients"],
);
