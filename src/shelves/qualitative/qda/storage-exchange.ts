import type { ColumnValue, Database } from "../../../kernel/storage/database.ts";
import { hasTable } from "./storage-project.ts";
import { decodeTextValues } from "./storage-values.ts";

/** The tables that are imported and exported. */
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

/** All rows by id; empty if an older project lacks the table. */
export function exchangedRows<Row>(db: Database, table: ExchangedTable): (Row & { row: number })[] {
  if (!hasTable(db, table)) return [];
  return db
    .all<Row & { row: number }>(`SELECT rowid AS row, * FROM ${table} ORDER BY rowid`)
    .map(decodeTextValues);
}

/**
 * Inserts a row into a new project, which has every column of the current schema. A lone surrogate,
 * which UTF-8 cannot encode, becomes U+FFFD.
 */
export function insertExchangedRow(
  db: Database,
  table: ExchangedTable,
  values: Readonly<Record<string, ColumnValue>>,
): number {
  const columns = Object.keys(values);
  return db.run(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...Object.values(values).map((value) =>
      typeof value === "string" ? value.toWellFormed() : value,
    ),
  ).lastId;
}

export function saveProjectInfo(
  db: Database,
  { memo, coder, date }: { memo: string; coder: string; date: string },
): void {
  db.run("UPDATE project SET memo = ?, codername = ?, date = ?", memo, coder, date);
  db.run("DELETE FROM coder_names");
}

/** Links a recording to the source with its transcript. */
export function linkTranscript(db: Database, recording: number, text: number): void {
  db.run("UPDATE source SET av_text_id = ? WHERE id = ?", text, recording);
}

/** Counts the data that no exchange format supports: drawn graphs, stored queries, references. */
export const untransferableCounts = (db: Database): { what: string; count: number }[] =>
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

/** The row of a stored GUID. */
export const findGuidRowId = (db: Database, kind: string, key: string): number | undefined =>
  db.get<{ row: number }>(
    "SELECT rowid AS row FROM lectern_guids WHERE kind = ? AND key = ?",
    kind,
    key,
  )?.row;
