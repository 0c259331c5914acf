import type { Database, Value } from "../../../kernel/database.ts";
import { hasTable } from "./storage-project.ts";
import { withTexts } from "./storage-values.ts";

/** The tables whose rows travel to and from other programs. */
export type ExchangedTable =
  | "source"
  | "code_cat"
  | "code_name"
  | "code_text"
  | "code_image"
  | "code_av"
  | "annotation"
  | "cases"
  | "case_text"
  | "attribute_type"
  | "attribute"
  | "journal"
  | "lectern_folders"
  | "lectern_sources"
  | "lectern_guids";

/** All rows in the order of their numbers; none where an older project lacks the table. */
export function rowsOf<Row>(db: Database, table: ExchangedTable): (Row & { row: number })[] {
  if (!hasTable(db, table)) return [];
  return db
    .all<Row & { row: number }>(`SELECT rowid AS row, * FROM ${table} ORDER BY rowid`)
    .map(withTexts);
}

/**
 * Adds a row to a project that is being made, which has every column of today's schema. Half of a
 * character, which no file can hold, becomes the sign for it.
 */
export function addRow(
  db: Database,
  table: ExchangedTable,
  values: Readonly<Record<string, Value>>,
): number {
  const columns = Object.keys(values);
  return db.run(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...Object.values(values).map((value) =>
      typeof value === "string" ? value.toWellFormed() : value,
    ),
  ).lastId;
}

export function describeProject(
  db: Database,
  { memo, coder, date }: { memo: string; coder: string; date: string },
): void {
  db.run("UPDATE project SET memo = ?, codername = ?, date = ?", memo, coder, date);
  db.run("DELETE FROM coder_names");
}

/** Tells which source holds the words of a recording. */
export function linkTranscript(db: Database, recording: number, text: number): void {
  db.run("UPDATE source SET av_text_id = ? WHERE id = ?", text, recording);
}

/** How much a project holds that only QualCoder knows: drawn graphs, kept queries, references. */
export const countsBeside = (db: Database): { what: string; count: number }[] =>
  Object.entries({
    graph: "Drawn graphs",
    stored_sql: "Stored queries",
    ris: "Bibliographic references",
  })
    .filter(([table]) => hasTable(db, table))
    .map(([table, what]) => {
      const row = db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
      return { what, count: row?.count ?? 0 };
    });

/** The number under which the GUID of a thing is kept. */
export const guidRow = (db: Database, kind: string, key: string): number | undefined =>
  db.get<{ row: number }>(
    "SELECT rowid AS row FROM lectern_guids WHERE kind = ? AND key = ?",
    kind,
    key,
  )?.row;
