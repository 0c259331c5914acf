import type { ColumnValue, Database } from "../storage/database.ts";
import { authoredTables, checksummedTables } from "../storage/migrations.ts";
import { checksumOf } from "./checksum.ts";
import type { IntegrityCheck } from "./damage.ts";

/**
 * Rows that exist nowhere else, such as proposals, the change log and the list of private files,
 * are stored twice: the table `sealed_rows` has a copy of each with a checksum. Rows that were altered
 * or lost are detected and restored. Each table declares this in its definition; the column `kept`
 * is the name of the table.
 */
export const checksummedRowTables = authoredTables([
  `CREATE TABLE sealed_rows (
     kept TEXT NOT NULL,
     id INTEGER NOT NULL,
     content TEXT NOT NULL,
     sum INTEGER NOT NULL,
     PRIMARY KEY (kept, id)
   ) WITHOUT ROWID;`,
]);

/** Runs a statement that inserts, updates or deletes rows, and updates their copies. */
export function runChecksummed(
  db: Database,
  table: string,
  sql: string,
  ...values: ColumnValue[]
): { changes: number; lastId: number } {
  return db.transaction(() => {
    const ids = db.all<{ id: number }>(`${sql} RETURNING id`, ...values).map(({ id }) => id);
    for (const id of ids) writeRowCopy(db, table, id);
    return { changes: ids.length, lastId: ids.at(-1) ?? 0 };
  });
}

/** A deleted row has no copy. */
function writeRowCopy(db: Database, table: string, id: number): void {
  const row = db.get<StoredRow>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) {
    db.run("DELETE FROM sealed_rows WHERE kept = ? AND id = ?", table, id);
    return;
  }
  const content = serializeRow(row);
  db.run(
    "INSERT OR REPLACE INTO sealed_rows (kept, id, content, sum) VALUES (?, ?, ?, ?)",
    table,
    id,
    content,
    copyChecksum(table, id, content),
  );
}

/** Tables that existed when copies were introduced share one marker. */
const firstTables = ["proposals", "changes"];

/** Adds the copies to a store of a version without them, once, when the store is opened. */
export function addMissingCopies(db: Database): void {
  const isMarked = (kept: string) =>
    db.get("SELECT 1 FROM sealed_rows WHERE kept = ? AND id = 0", kept) !== undefined;
  const isDone = (table: string) =>
    isMarked(`:${table}`) || (firstTables.includes(table) && isMarked(""));
  const missing = () => checksummedTables(db).filter((table) => !isDone(table));
  if (missing().length === 0) return;
  db.transaction(() => {
    for (const table of missing()) {
      for (const { id } of db.all<StoredRow>(`SELECT id FROM ${table}`))
        writeRowCopy(db, table, id);
      db.run("INSERT INTO sealed_rows (kept, id, content, sum) VALUES (?, 0, '', 0)", `:${table}`);
    }
  });
}

/** Whether a row of a table was altered or is missing. For small tables. */
export const hasDamagedRows = (db: Database, table: string): boolean =>
  findDamage(db, table).length > 0;

/** The altered and missing rows, with their original content. */
export const lostRows = <Row>(db: Database, table: string): Row[] =>
  findDamage(db, table).flatMap(({ copy }) => (copy === undefined ? [] : [JSON.parse(copy)]));

/** The rows with their original content: an altered row is read from its copy. */
export function intactRows<Row extends { id: number }>(
  db: Database,
  table: string,
  rows: readonly Row[],
): Row[] {
  const copies = db.all<RowCopy>(
    `SELECT id, content, sum FROM sealed_rows
      WHERE kept = ? AND id IN (SELECT value FROM json_each(?))`,
    table,
    JSON.stringify(rows.map(({ id }) => id)),
  );
  const intactCopies = new Map(
    copies.filter((copy) => isIntactCopy(table, copy)).map((copy) => [copy.id, copy]),
  );
  return rows.map((row) => {
    const content = intactCopies.get(row.id)?.content;
    if (content === undefined || content === serializeRow(row)) return row;
    // A copy omits columns that are null.
    const empty = Object.fromEntries(Object.keys(row).map((name) => [name, null]));
    return { ...empty, ...JSON.parse(content) };
  });
}

const rowsPerStep = 250;

/** The position is the index of a table in the list, and the last verified id. */
export const checksummedRowIntegrity: IntegrityCheck = {
  name: "sealed rows",
  verify(db, position, { broken }) {
    const [tableIndex = 0, after = Number.MIN_SAFE_INTEGER] = Array.isArray(position)
      ? position.map(Number)
      : [];
    const table = checksummedTables(db)[tableIndex];
    if (!table) return { rows: 0 };
    const { count = 0, last = 0 } =
      db.get<{ count: number; last: number }>(
        `SELECT count(*) AS count, max(id) AS last
           FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?)`,
        after,
        rowsPerStep,
      ) ?? {};
    const isEnd = count < rowsPerStep;
    const upTo = isEnd ? Number.MAX_SAFE_INTEGER : last;
    if (findDamage(db, table, { after, upTo }).length > 0) broken.add(`rows of ${table}`);
    return { next: isEnd ? [tableIndex + 1] : [tableIndex, last], rows: count };
  },
};

/** Restores rows that were altered or lost. Deletes nothing. */
export function restoreChecksummed(
  db: Database,
  tables: readonly string[] = checksummedTables(db),
): void {
  db.transaction(() => {
    for (const table of tables) {
      for (const { id, copy } of findDamage(db, table)) {
        if (copy === undefined) dropStrayDuplicate(db, table, id);
        else restoreRow(db, table, JSON.parse(copy));
        writeRowCopy(db, table, id);
      }
    }
  });
}

interface RowCopy {
  id: number;
  content: string;
  sum: number;
}

const allIds = { after: Number.MIN_SAFE_INTEGER, upTo: Number.MAX_SAFE_INTEGER };

type StoredRow = Record<string, ColumnValue> & { id: number };

/** The non-null columns of a row, so a column that was added later does not change the checksum. */
const serializeRow = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));

const copyChecksum = (table: string, id: number, content: string): number =>
  checksumOf(`${table} ${id} ${content}`);

const isIntactCopy = (table: string, { id, content, sum }: RowCopy): boolean =>
  copyChecksum(table, id, content) === sum;

/** The damaged rows with their valid copies. A damaged copy is ignored and created again. */
function findDamage(
  db: Database,
  table: string,
  { after, upTo }: { after: number; upTo: number } = allIds,
): { id: number; copy?: string }[] {
  const found = db.all<StoredRow>(`SELECT * FROM ${table} WHERE id > ? AND id <= ?`, after, upTo);
  const rows = new Map(found.map((row) => [row.id, row]));
  const copies = db.all<RowCopy>(
    `SELECT id, content, sum FROM sealed_rows
      WHERE kept = ? AND id > ? AND id <= ? ORDER BY id`,
    table,
    after,
    upTo,
  );
  const damaged: { id: number; copy?: string }[] = [];
  for (const copy of copies) {
    const { id, content } = copy;
    const row = rows.get(id);
    rows.delete(id);
    if (!isIntactCopy(table, copy)) damaged.push({ id });
    else if (!row || serializeRow(row) !== content) damaged.push({ id, copy: content });
  }
  // Restored rows come first: a row without a copy may be the same row under a wrong id.
  return [...damaged, ...[...rows.keys()].map((id) => ({ id }))];
}

function restoreRow(db: Database, table: string, content: StoredRow): void {
  const columns = Object.keys(content);
  db.run(
    `INSERT OR REPLACE INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")})
     VALUES (${columns.map(() => "?").join(", ")})`,
    ...Object.values(content),
  );
}

/** A row with a wrong id is deleted if the row with the right id exists. */
function dropStrayDuplicate(db: Database, table: string, id: number): void {
  const row = db.get<StoredRow>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) return;
  const others = db.all<StoredRow>(`SELECT * FROM ${table} WHERE id <> ?`, id);
  const content = serializeRow({ ...row, id: 0 });
  if (others.some((other) => serializeRow({ ...other, id: 0 }) === content)) {
    db.run(`DELETE FROM ${table} WHERE id = ?`, id);
  }
}
