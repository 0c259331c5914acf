import type { Database } from "../../../kernel/database.ts";
import { markOf } from "../preview.ts";
import type { Row, RowChange, WrittenTable } from "./storage-rows.ts";

/** A row as it was before a change and as it is after it; null where there was none, or is none. */
export interface ChangedRow {
  table: WrittenTable;
  id: number;
  before: Row | null;
  after: Row | null;
}

/** What many steps did to each row, as one step. */
export function changedRows(changes: readonly RowChange[]): ChangedRow[] {
  const rows = new Map<string, ChangedRow>();
  for (const { table, id, before, after } of changes) {
    const key = `${table} ${id}`;
    rows.set(key, {
      table,
      id,
      before: rows.has(key) ? (rows.get(key)?.before ?? null) : before,
      after,
    });
  }
  return [...rows.values()];
}

/**
 * Whether an agent made the row and nobody else has changed it since, in Lectern or in QualCoder:
 * it must hold exactly what an agent has written. Everything else is a person's.
 */
export function isAgentRow(db: Database, table: WrittenTable, id: number, row: Row): boolean {
  const known = db.get<{ mark: string }>(
    "SELECT mark FROM lectern_agent_rows WHERE name = ? AND id = ?",
    table,
    id,
  );
  return known !== undefined && known.mark === markOf(row);
}

/**
 * Remembers what an agent has made. A person's row stays theirs when an agent changes it, and so does
 * what is split off it: that is a new row in the person's name.
 */
export function rememberAgentRows(db: Database, rows: readonly ChangedRow[], owner: string): void {
  for (const { table, id, before, after } of rows) {
    if (!after) continue;
    const isMade = before
      ? isAgentRow(db, table, id, before)
      : after.owner === undefined || after.owner === owner;
    if (!isMade) continue;
    db.run(
      "INSERT OR REPLACE INTO lectern_agent_rows (name, id, mark) VALUES (?, ?, ?)",
      table,
      id,
      markOf(after),
    );
  }
}

/** Whatever a person has changed or brought back is theirs. */
export function forgetAgentRows(db: Database, rows: readonly ChangedRow[]): void {
  if (!db.get("SELECT 1 FROM lectern_agent_rows LIMIT 1")) return;
  for (const { table, id } of rows) {
    db.run("DELETE FROM lectern_agent_rows WHERE name = ? AND id = ?", table, id);
  }
}

/** A passage or an area that is coded, and by whom. */
export interface Coding {
  table: WrittenTable;
  id: number;
  row: Row;
}

/** All codings of a code, in private sources too. */
export const codingsUnder = (db: Database, code: number): Coding[] =>
  codingTables.flatMap((table) =>
    db
      .all<Row & { codingNumber: number }>(
        `SELECT rowid AS codingNumber, * FROM main.${table} WHERE cid = ?`,
        code,
      )
      .map(({ codingNumber, ...row }) => ({ table, id: codingNumber, row: { ...row } })),
  );

const codingTables = ["code_text", "code_image", "code_av"] as const;

export const isCodingTable = (table: WrittenTable): boolean =>
  (codingTables as readonly string[]).includes(table);
