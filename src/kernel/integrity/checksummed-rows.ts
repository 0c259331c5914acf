import type { ColumnValue, Database } from "../storage/database.ts";
import { authoredTables, checksummedTables } from "../storage/migrations.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { all, dialect, get, inNumbers, run, type Steps, transaction } from "../storage/steps.ts";
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

/**
 * Runs a statement that inserts, updates or deletes rows, and updates their copies. Returns the ids of
 * the rows.
 */
export function* runChecksummed(
  table: string,
  sql: string,
  ...values: ColumnValue[]
): Steps<readonly number[]> {
  return yield* transaction(function* () {
    const rows = yield* all<{ id: number }>(`${sql} RETURNING id`, ...values);
    const ids = rows.map(({ id }) => id);
    if (yield* hasCopies()) for (const id of ids) yield* writeRowCopy(table, id);
    return ids;
  });
}

/** PostgreSQL has checksums of its pages, and replicas. */
function* hasCopies(): Steps<boolean> {
  return (yield* dialect()) === "sqlite";
}

/** A deleted row has no copy. */
function* writeRowCopy(table: string, id: number): Steps<void> {
  const row = yield* get<StoredRow>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) {
    yield* run("DELETE FROM sealed_rows WHERE kept = ? AND id = ?", table, id);
    return;
  }
  const content = serializeRow(row);
  yield* run(
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
        runSteps(db, writeRowCopy(table, id));
      db.run("INSERT INTO sealed_rows (kept, id, content, sum) VALUES (?, 0, '', 0)", `:${table}`);
    }
  });
}

/** Whether a row of a table was altered or is missing. For small tables. */
export function* hasDamagedRows(table: string): Steps<boolean> {
  return (yield* hasCopies()) && (yield* findDamage(table)).length > 0;
}

/** The altered and missing rows, with their original content. */
export function* lostRows<Row>(table: string): Steps<Row[]> {
  if (!(yield* hasCopies())) return [];
  const damaged = yield* findDamage(table);
  return damaged.flatMap(({ copy }) => (copy === undefined ? [] : [JSON.parse(copy)]));
}

/** The rows with their original content: an altered row is read from its copy. */
export function* intactRows<Row extends { id: number }>(
  table: string,
  rows: readonly Row[],
): Steps<readonly Row[]> {
  if (!(yield* hasCopies())) return rows;
  const copies = yield* all<RowCopy>(
    `SELECT id, content, sum FROM sealed_rows WHERE kept = ? AND id ${inNumbers("?")}`,
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
    if (runSteps(db, findDamage(table, { after, upTo })).length > 0) broken.add(`rows of ${table}`);
    return { next: isEnd ? [tableIndex + 1] : [tableIndex, last], rows: count };
  },
};

/** Restores rows that were altered or lost. Deletes nothing. */
export function* restoreChecksummed(...tables: readonly string[]): Steps<void> {
  if (!(yield* hasCopies())) return;
  yield* transaction(function* () {
    for (const table of tables) {
      for (const { id, copy } of yield* findDamage(table)) {
        if (copy === undefined) yield* dropStrayDuplicate(table, id);
        else yield* restoreRow(table, JSON.parse(copy));
        yield* writeRowCopy(table, id);
      }
    }
  });
}

/** Restores all tables of a store. */
export const restoreAllChecksummed = (db: Database): void =>
  runSteps(db, restoreChecksummed(...checksummedTables(db)));

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
function* findDamage(
  table: string,
  { after, upTo }: { after: number; upTo: number } = allIds,
): Steps<{ id: number; copy?: string }[]> {
  const found = yield* all<StoredRow>(
    `SELECT * FROM ${table} WHERE id > ? AND id <= ?`,
    after,
    upTo,
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  const copies = yield* all<RowCopy>(
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

function* restoreRow(table: string, content: StoredRow): Steps<void> {
  const columns = Object.keys(content);
  yield* run(
    `INSERT OR REPLACE INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")})
     VALUES (${columns.map(() => "?").join(", ")})`,
    ...Object.values(content),
  );
}

/** A row with a wrong id is deleted if the row with the right id exists. */
function* dropStrayDuplicate(table: string, id: number): Steps<void> {
  const row = yield* get<StoredRow>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) return;
  const others = yield* all<StoredRow>(`SELECT * FROM ${table} WHERE id <> ?`, id);
  const content = serializeRow({ ...row, id: 0 });
  if (others.some((other) => serializeRow({ ...other, id: 0 }) === content)) {
    yield* run(`DELETE FROM ${table} WHERE id = ?`, id);
  }
}
