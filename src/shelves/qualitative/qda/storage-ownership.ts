import type { Database } from "../../../kernel/storage/database.ts";
import { digestOf } from "../governance/preview-token.ts";
import type { Row, RowChange, WrittenTable } from "./storage-rows.ts";

/** A row before and after a change; null if it does not exist. */
export interface NetRowChange {
  table: WrittenTable;
  id: number;
  before: Row | null;
  after: Row | null;
}

/** Merges several changes to one row into a single change. */
export function netChangesOf(changes: readonly RowChange[]): NetRowChange[] {
  const rows = new Map<string, NetRowChange>();
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
 * Whether an agent made the row and no person has changed it since, in Lectern or in QualCoder: the
 * row must equal what an agent has written. Any other row is a person's.
 */
export function isAgentRow(db: Database, table: WrittenTable, id: number, row: Row): boolean {
  const known = db.get<{ mark: string }>(
    "SELECT mark FROM lectern_agent_rows WHERE name = ? AND id = ?",
    table,
    id,
  );
  return known !== undefined && known.mark === digestOf(row);
}

/**
 * Records the rows that an agent has made. A person's row remains theirs if an agent changes it,
 * and so does a row split off from it, which has the person as owner.
 */
export function saveAgentRows(db: Database, rows: readonly NetRowChange[], owner: string): void {
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
      digestOf(after),
    );
  }
}

/** A row that a person has changed or restored is the person's. */
export function deleteAgentRows(db: Database, rows: readonly NetRowChange[]): void {
  if (!db.get("SELECT 1 FROM lectern_agent_rows LIMIT 1")) return;
  for (const { table, id } of rows) {
    db.run("DELETE FROM lectern_agent_rows WHERE name = ? AND id = ?", table, id);
  }
}

/** A coding of a text, picture or recording. */
export interface StoredCoding {
  table: WrittenTable;
  id: number;
  row: Row;
}

/** Includes codings in private sources. */
export const codingsOfCode = (db: Database, code: number): StoredCoding[] =>
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
