import type { Database, Value } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

/** The tables that we write. Their numbers are SQLite's own, which the oldest projects have too. */
export type WrittenTable =
  | "source"
  | "code_cat"
  | "code_name"
  | "code_text"
  | "code_image"
  | "code_av"
  | "annotation"
  | "case_text"
  | "attribute"
  | "attribute_type"
  | "cases"
  | "journal"
  | "coder_names"
  | "project"
  | "lectern_folders"
  | "lectern_sources"
  | "lectern_guids"
  | "lectern_inbox";

/** Bytes as a log can keep them, which is written as JSON. */
interface KeptBytes {
  base64: string;
}

export type Row = Record<string, Value | KeptBytes>;

/** A row as it was and as it became; null where there was none, or is none. */
export interface RowChange {
  table: WrittenTable;
  id: number;
  before: Row | null;
  after: Row | null;
}

/**
 * The only way in which rows of a project are written. It remembers each row as it was, so that
 * whatever was done can be taken back, and leaves out columns that an older project has not.
 */
export interface Pen {
  insert(table: WrittenTable, values: Row): number;
  update(table: WrittenTable, id: number, values: Row): void;
  remove(table: WrittenTable, id: number): void;
  readonly changes: RowChange[];
}

export function takePen(db: Database): Pen {
  const changes: RowChange[] = [];
  const columns = columnsKnownBy(db);
  const note = (table: WrittenTable, id: number, before: Row | null): void => {
    changes.push({ table, id, before, after: rowOf(db, table, id) });
  };
  return {
    changes,
    insert(table, values) {
      const id = insertRow(db, table, columns(table, values), values);
      note(table, id, null);
      return id;
    },
    update(table, id, values) {
      const known = columns(table, values);
      if (known.length === 0) return;
      const before = rowOf(db, table, id);
      updateRow(db, table, id, known, values);
      note(table, id, before);
    },
    remove(table, id) {
      const before = rowOf(db, table, id);
      db.run(`DELETE FROM main.${table} WHERE rowid = ?`, id);
      note(table, id, before);
    },
  };
}

/** Takes changes back, the last first; false where a row is no longer as they left it. */
export function takeBack(db: Database, pen: Pen, changes: readonly RowChange[]): boolean {
  for (const { table, id, before, after } of changes.toReversed()) {
    const now = rowOf(db, table, id);
    if (!isSame(now, after)) return false;
    if (!before && now) pen.remove(table, id);
    else if (before && !now) pen.insert(table, { rowid: id, ...before });
    else if (before && now) pen.update(table, id, before);
  }
  return true;
}

export const isSame = (one: Row | null, other: Row | null): boolean =>
  one === null || other === null
    ? one === other
    : Object.keys({ ...one, ...other }).every(
        (column) => comparable(one[column]) === comparable(other[column]),
      );

const comparable = (value: Row[string] | undefined): unknown =>
  isBytes(value) ? `base64 ${value.base64}` : (value ?? null);

const isBytes = (value: unknown): value is KeptBytes =>
  typeof value === "object" && value !== null && "base64" in value;

/** As a plain object: the driver's rows have no prototype. */
export function rowOf(db: Database, table: WrittenTable, id: number): Row | null {
  const row = db.get<Record<string, Value>>(`SELECT * FROM main.${table} WHERE rowid = ?`, id);
  if (!row) return null;
  const kept = Object.entries(row).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
  ]);
  return Object.fromEntries(kept);
}

const stored = (value: Row[string] | undefined): Value =>
  isBytes(value) ? Buffer.from(value.base64, "base64") : (value ?? null);

function insertRow(
  db: Database,
  table: WrittenTable,
  columns: readonly string[],
  values: Row,
): number {
  return db.run(
    `INSERT INTO main.${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...columns.map((column) => stored(values[column])),
  ).lastId;
}

function updateRow(
  db: Database,
  table: WrittenTable,
  id: number,
  columns: readonly string[],
  values: Row,
): void {
  db.run(
    `UPDATE main.${table} SET ${columns.map((column) => `${column} = ?`).join(", ")}
      WHERE rowid = ?`,
    ...columns.map((column) => stored(values[column])),
    id,
  );
}

/** Of the values for a row, the columns that its table has. No table changes while a pen is held. */
function columnsKnownBy(db: Database): (table: WrittenTable, values: Row) => string[] {
  const byTable = new Map<WrittenTable, ReadonlySet<string>>();
  return (table, values) => {
    const known = byTable.get(table) ?? new Set(["rowid", ...columnsOf(db, table)]);
    byTable.set(table, known);
    return Object.keys(values).filter((column) => known.has(column));
  };
}
