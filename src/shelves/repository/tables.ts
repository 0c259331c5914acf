import { authored } from "../../kernel/tables.ts";

/**
 * Analyses can be made again, but their ids are given to callers, so that they outlive a restart.
 * `form` is that of the analysis: one in an older form is not found.
 */
export const repositoryTables = authored(
  [
    `CREATE TABLE repository_analyses (
     id TEXT PRIMARY KEY,
     root TEXT NOT NULL,
     form INTEGER NOT NULL,
     made INTEGER NOT NULL,
     analysis TEXT NOT NULL
   )`,
    `CREATE TABLE repository_baselines (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     root TEXT NOT NULL,
     pages TEXT NOT NULL,
     made TEXT NOT NULL,
     symbols TEXT NOT NULL
   );
   CREATE INDEX repository_baselines_by_root ON repository_baselines (root, pages, id);`,
  ],
  ["repository_analyses.analysis", "repository_baselines.symbols"],
);
