import { authoredTables } from "../../kernel/storage/migrations.ts";

/**
 * Analyses can be repeated, but callers hold their ids, so they must survive a restart. `form` is
 * the format of the analysis; analyses in an older format are ignored.
 */
export const repositoryTables = authoredTables(
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
    // Files that agents wrote, by real path. Agents may replace only these without approval.
    "CREATE TABLE repository_written (path TEXT PRIMARY KEY, digest TEXT NOT NULL)",
  ],
  ["repository_analyses.analysis", "repository_baselines.symbols"],
);
