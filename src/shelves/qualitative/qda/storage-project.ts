import type { Database } from "../../../kernel/database.ts";
import { withTexts } from "./storage-values.ts";
import { classicSchema, newestVersion, ownSteps, ownVersionTable } from "./tables.ts";

/** Fills an empty database as QualCoder would. */
export function createClassic(
  db: Database,
  { date, coder, name }: { date: string; coder: string; name?: string | undefined },
): void {
  db.transaction(() => {
    db.exec(classicSchema);
    db.run(
      `INSERT INTO project (databaseversion, date, memo, about, bookmarkfile, bookmarkpos, codername,
         recently_used_codes, avbookmarkfile, avbookmarkmsec, avbookmarktextpos)
       VALUES (?, ?, '', 'Lectern', 0, 0, ?, '', 0, 0, 0)`,
      newestVersion,
      date,
      coder,
    );
    db.run("INSERT INTO coder_names (name, visibility) VALUES (?, 1)", coder);
    if (name === undefined) return;
    takeOwnSteps(db);
    db.run("INSERT INTO lectern_project (name) VALUES (?)", name);
  });
}

/** The columns of a table; none where there is no such table. */
export const columnsOf = (db: Database, table: string): string[] =>
  db
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?, 'main')", table)
    .map(({ name }) => name);

/** Older projects lack some tables, and those that we never wrote to lack ours. */
export const hasTable = (db: Database, table: string): boolean => columnsOf(db, table).length > 0;

/** Brings our own tables to where they are to be; false where a newer Lectern has been further. */
export function takeOwnSteps(db: Database): boolean {
  db.exec(ownVersionTable);
  const taken = db.get<{ steps: number }>("SELECT steps FROM lectern_schema")?.steps ?? 0;
  if (taken > ownSteps.length) return false;
  if (taken === ownSteps.length) return true;
  for (const step of ownSteps.slice(taken)) db.exec(step);
  db.exec("DELETE FROM lectern_schema");
  db.run("INSERT INTO lectern_schema (steps) VALUES (?)", ownSteps.length);
  return true;
}

/** The number of the newest change in the project's own log; 0 where there is none. */
export const lastChange = (db: Database): number =>
  hasTable(db, "lectern_changes")
    ? (db.get<{ id: number }>("SELECT ifnull(max(id), 0) AS id FROM lectern_changes")?.id ?? 0)
    : 0;

/** A whole copy of the file, as it stands at this moment. */
export const copyInto = (db: Database, path: string): void => {
  db.run("VACUUM INTO ?", path);
};

/** The name that a project was given, where it is not its folder's. */
export const givenName = (db: Database): string | undefined =>
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
  return row && withTexts(row);
};

/** The number of the row that tells about the project. */
export const projectNumber = (db: Database): number | undefined =>
  db.get<{ id: number }>("SELECT rowid AS id FROM project LIMIT 1")?.id;
