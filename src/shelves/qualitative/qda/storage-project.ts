import type { Database } from "../../../kernel/storage/database.ts";
import { decodeTextValues } from "./storage-values.ts";
import { newestSchemaVersion, ownMigrations, ownVersionTable, qualcoderSchema } from "./tables.ts";

/** Creates QualCoder's tables and the project row in an empty database. */
export function createQualcoderTables(
  db: Database,
  { date, coder, name }: { date: string; coder: string; name?: string | undefined },
): void {
  db.transaction(() => {
    db.exec(qualcoderSchema);
    db.run(
      `INSERT INTO project (databaseversion, date, memo, about, bookmarkfile, bookmarkpos, codername,
         recently_used_codes, avbookmarkfile, avbookmarkmsec, avbookmarktextpos)
       VALUES (?, ?, '', 'Lectern', 0, 0, ?, '', 0, 0, 0)`,
      newestSchemaVersion,
      date,
      coder,
    );
    db.run("INSERT INTO coder_names (name, visibility) VALUES (?, 1)", coder);
    if (name === undefined) return;
    migrateOwnTables(db);
    db.run("INSERT INTO lectern_project (name) VALUES (?)", name);
  });
}

/** Empty if the table does not exist. */
export const tableColumns = (db: Database, table: string): string[] =>
  db
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?, 'main')", table)
    .map(({ name }) => name);

/** Older projects lack some tables, and projects that Lectern has never written to lack its own. */
export const hasTable = (db: Database, table: string): boolean =>
  tableColumns(db, table).length > 0;

/** Whether a column is the table's `INTEGER PRIMARY KEY`, SQLite's row number. */
export const hasRowNumber = (db: Database, table: string, column: string): boolean =>
  db.get(
    `SELECT 1 FROM pragma_table_info(?1, 'main') AS c JOIN pragma_table_list(?1) AS t
      WHERE c.name = ?2 AND c.pk = 1 AND upper(c.type) = 'INTEGER' AND t.schema = 'main' AND t.wr = 0`,
    table,
    column,
  ) !== undefined;

/** Whether SQLite cannot number another row of one of Lectern's tables; it says the disk is full. */
export const hasUsedUpNumbers = (db: Database): boolean =>
  hasTable(db, "sqlite_sequence") &&
  db.get("SELECT 1 FROM sqlite_sequence WHERE seq >= 9223372036854775807") !== undefined;

/**
 * Applies the missing migrations of Lectern's tables; false if a newer Lectern has applied more.
 */
export function migrateOwnTables(db: Database): boolean {
  db.exec(ownVersionTable);
  const applied = db.get<{ steps: number }>("SELECT steps FROM lectern_schema")?.steps ?? 0;
  if (applied > ownMigrations.length) return false;
  if (applied === ownMigrations.length) return true;
  for (const step of ownMigrations.slice(applied)) db.exec(step);
  db.exec("DELETE FROM lectern_schema");
  db.run("INSERT INTO lectern_schema (steps) VALUES (?)", ownMigrations.length);
  return true;
}

/** The id of the newest change in the project's own log, or 0. */
export const lastChangeId = (db: Database): number =>
  hasTable(db, "lectern_changes")
    ? (db.get<{ id: number }>("SELECT ifnull(max(id), 0) AS id FROM lectern_changes")?.id ?? 0)
    : 0;

/** Copies the committed content of the database. */
export const copyDatabaseTo = (db: Database, path: string): void => {
  db.run("VACUUM INTO ?", path);
};

/** The project's own name, if one was set. */
export const storedProjectName = (db: Database): string | undefined =>
  hasTable(db, "lectern_project")
    ? db.get<{ name: string }>("SELECT name FROM lectern_project")?.name
    : undefined;

export interface ProjectRow {
  databaseversion: string | null;
  date?: string | null;
  memo: string | null;
  codername?: string | null;
}

export const projectRow = (db: Database): ProjectRow | undefined => {
  const row = db.get<ProjectRow>("SELECT * FROM project LIMIT 1");
  return row && decodeTextValues(row);
};

/** The rowid of the only row in `project`. */
export const projectRowId = (db: Database): number | undefined =>
  db.get<{ id: number }>("SELECT rowid AS id FROM project LIMIT 1")?.id;
