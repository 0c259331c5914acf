import * as z from "zod";
import { quoteIdentifier } from "../../../kernel/sql/connection.ts";
import type { ColumnValue, Database } from "../../../kernel/storage/database.ts";
import { tableColumns } from "./storage-project.ts";

/**
 * The tables that Lectern writes. Rows are addressed by SQLite's rowid, which exists in projects of
 * any version.
 */
const writtenTables = [
  "source",
  "code_cat",
  "code_name",
  "code_text",
  "code_image",
  "code_av",
  "annotation",
  "case_text",
  "attribute",
  "attribute_type",
  "cases",
  "journal",
  "coder_names",
  "project",
  "lectern_folders",
  "lectern_sources",
  "lectern_guids",
  "lectern_inbox",
] as const;

export type WrittenTable = (typeof writtenTables)[number];

/** Binary data in the JSON log. */
const EncodedBytes = z.strictObject({ base64: z.string() });
type EncodedBytes = z.infer<typeof EncodedBytes>;

export type Row = Record<string, ColumnValue | EncodedBytes>;

/** A row before and after a change; null if it does not exist. */
export interface RowChange {
  table: WrittenTable;
  id: number;
  before: Row | null;
  after: Row | null;
}

const StoredRow = z
  .record(z.string(), z.union([z.string(), z.number(), EncodedBytes, z.null()]))
  .nullable();

/**
 * The rows of a change as stored in the project's own log. Another program may have written the
 * log, and the names of tables become part of SQL statements.
 */
export const StoredRowChanges: z.ZodType<RowChange[]> = z.array(
  z.object({
    table: z.enum(writtenTables),
    id: z.int(),
    before: StoredRow,
    after: StoredRow,
  }),
);

/**
 * Writes rows of a project, and nothing else does. It records each row before and after, so that
 * the write can be undone, and ignores columns that an older project does not have.
 */
export interface RowWriter {
  insert(table: WrittenTable, values: Row): number;
  update(table: WrittenTable, id: number, values: Row): void;
  remove(table: WrittenTable, id: number): void;
  readonly changes: RowChange[];
}

export function openRowWriter(db: Database): RowWriter {
  const changes: RowChange[] = [];
  const columns = createColumnFilter(db);
  const recordChange = (table: WrittenTable, id: number, before: Row | null): void => {
    changes.push({ table, id, before, after: findRow(db, table, id) });
  };
  return {
    changes,
    insert(table, values) {
      const id = insertRow(db, table, columns(table, values), values);
      recordChange(table, id, null);
      return id;
    },
    update(table, id, values) {
      const knownColumns = columns(table, values);
      if (knownColumns.length === 0) return;
      const before = findRow(db, table, id);
      updateRow(db, table, id, knownColumns, values);
      recordChange(table, id, before);
    },
    remove(table, id) {
      const before = findRow(db, table, id);
      db.run(`DELETE FROM main.${table} WHERE rowid = ?`, id);
      recordChange(table, id, before);
    },
  };
}

/** Undoes changes in reverse order; false if a row has changed since. */
export function revertChanges(
  db: Database,
  writer: RowWriter,
  changes: readonly RowChange[],
): boolean {
  for (const { table, id, before, after } of changes.toReversed()) {
    const now = findRow(db, table, id);
    if (!isSameRow(now, after)) return false;
    if (!before && now) writer.remove(table, id);
    else if (before && !now) writer.insert(table, { rowid: id, ...before });
    else if (before && now) writer.update(table, id, before);
  }
  return true;
}

export const isSameRow = (first: Row | null, second: Row | null): boolean =>
  first === null || second === null
    ? first === second
    : Object.keys({ ...first, ...second }).every(
        (column) => comparable(first[column]) === comparable(second[column]),
      );

const comparable = (value: Row[string] | undefined): unknown =>
  isEncodedBytes(value) ? `base64 ${value.base64}` : (value ?? null);

const isEncodedBytes = (value: unknown): value is EncodedBytes =>
  typeof value === "object" && value !== null && "base64" in value;

/** Returns a plain object: the driver's rows have no prototype. */
export function findRow(db: Database, table: WrittenTable, id: number): Row | null {
  const row = db.get<Record<string, ColumnValue>>(
    `SELECT * FROM main.${table} WHERE rowid = ?`,
    id,
  );
  if (!row) return null;
  const encoded = Object.entries(row).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
  ]);
  return Object.fromEntries(encoded);
}

const toSqlValue = (value: Row[string] | undefined): ColumnValue =>
  isEncodedBytes(value) ? Buffer.from(value.base64, "base64") : (value ?? null);

/** The names of columns come from the project, so they are quoted. */
function insertRow(
  db: Database,
  table: WrittenTable,
  columns: readonly string[],
  values: Row,
): number {
  return db.run(
    `INSERT INTO main.${table} (${columns.map(quoteIdentifier).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...columns.map((column) => toSqlValue(values[column])),
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
    `UPDATE main.${table} SET ${columns.map((column) => `${quoteIdentifier(column)} = ?`).join(", ")}
      WHERE rowid = ?`,
    ...columns.map((column) => toSqlValue(values[column])),
    id,
  );
}

/**
 * Filters the values of a row to the columns of its table. Cached: no column changes during a
 * write.
 */
function createColumnFilter(db: Database): (table: WrittenTable, values: Row) => string[] {
  const byTable = new Map<WrittenTable, ReadonlySet<string>>();
  return (table, values) => {
    const tableColumnNames = byTable.get(table) ?? new Set(["rowid", ...tableColumns(db, table)]);
    byTable.set(table, tableColumnNames);
    return Object.keys(values).filter((column) => tableColumnNames.has(column));
  };
}
