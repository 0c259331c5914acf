import type { Database, Value } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

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
export const rowsOf = <Row>(db: Database, table: ExchangedTable): (Row & { row: number })[] =>
  columnsOf(db, table).length === 0
    ? []
    : db.all(`SELECT rowid AS row, * FROM ${table} ORDER BY rowid`);

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

/** The coders that a project lists; older ones have no list. */
export const listedCoders = (db: Database): { name: string; visibility: number }[] =>
  columnsOf(db, "coder_names").length === 0
    ? []
    : db.all("SELECT name, visibility FROM coder_names ORDER BY rowid");

/** How much a project holds that only QualCoder knows: drawn graphs, kept queries, references. */
export const countsBeside = (db: Database): { what: string; count: number }[] =>
  (
    [
      ["graph", "Drawn graphs"],
      ["stored_sql", "Stored queries"],
      ["ris", "Bibliographic references"],
    ] as const
  ).map(([table, what]) => ({
    what,
    count:
      columnsOf(db, table).length === 0
        ? 0
        : (db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0),
  }));

/** The number under which the GUID of a thing is kept. */
export const guidRow = (db: Database, kind: string, key: string): number | undefined =>
  db.get<{ row: number }>(
    "SELECT rowid AS row FROM lectern_guids WHERE kind = ? AND key = ?",
    kind,
    key,
  )?.row;
