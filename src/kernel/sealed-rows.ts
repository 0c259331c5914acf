import { checksumOf } from "./checksum.ts";
import type { VerifiedPart } from "./damage.ts";
import type { Database, Value } from "./database.ts";
import { authored } from "./tables.ts";

/**
 * Rows that exist nowhere else, such as proposals and the change log, are kept twice: a copy with a
 * checksum lies in another table. A row that is altered or lost is found by it, and comes back.
 */
const sealedTables = ["proposals", "changes"] as const;

type SealedTable = (typeof sealedTables)[number];

export const sealTables = authored([
  `CREATE TABLE sealed_rows (
     kept TEXT NOT NULL,
     id INTEGER NOT NULL,
     content TEXT NOT NULL,
     sum INTEGER NOT NULL,
     PRIMARY KEY (kept, id)
   ) WITHOUT ROWID;`,
]);

/** Runs a statement that inserts, updates or deletes rows, and seals them as they are then. */
export function runSealed(
  db: Database,
  table: SealedTable,
  sql: string,
  ...values: Value[]
): { changes: number; lastId: number } {
  return db.transaction(() => {
    const ids = db.all<{ id: number }>(`${sql} RETURNING id`, ...values).map(({ id }) => id);
    for (const id of ids) sealRow(db, table, id);
    return { changes: ids.length, lastId: ids.at(-1) ?? 0 };
  });
}

/** A row that is gone needs no seal. */
function sealRow(db: Database, table: SealedTable, id: number): void {
  const row = db.get<Row>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) {
    db.run("DELETE FROM sealed_rows WHERE kept = ? AND id = ?", table, id);
    return;
  }
  const content = contentOf(row);
  db.run(
    "INSERT OR REPLACE INTO sealed_rows (kept, id, content, sum) VALUES (?, ?, ?, ?)",
    table,
    id,
    content,
    sumOf(table, id, content),
  );
}

/** A store of a version without seals gets them once, when it is opened. */
export function sealUnsealed(db: Database): void {
  const isDone = () => db.get("SELECT 1 FROM sealed_rows WHERE kept = '' AND id = 0");
  if (isDone()) return;
  db.transaction(() => {
    if (isDone()) return;
    for (const table of sealedTables) {
      for (const { id } of db.all<Row>(`SELECT id FROM ${table}`)) sealRow(db, table, id);
    }
    db.run("INSERT INTO sealed_rows (kept, id, content, sum) VALUES ('', 0, '', 0)");
  });
}

/** Rows as they were sealed: one that was altered is read from its copy. */
export function soundRows<Kept extends { id: number }>(
  db: Database,
  table: SealedTable,
  rows: readonly Kept[],
): Kept[] {
  const seals = db.all<Seal>(
    `SELECT id, content, sum FROM sealed_rows
      WHERE kept = ? AND id IN (SELECT value FROM json_each(?))`,
    table,
    JSON.stringify(rows.map(({ id }) => id)),
  );
  const sound = new Map(
    seals.filter((seal) => isSound(table, seal)).map((seal) => [seal.id, seal]),
  );
  return rows.map((row) => {
    const content = sound.get(row.id)?.content;
    if (content === undefined || content === contentOf(row)) return row;
    // A copy leaves out the columns that hold nothing.
    const empty = Object.fromEntries(Object.keys(row).map((name) => [name, null]));
    return { ...empty, ...JSON.parse(content) };
  });
}

const rowsPerStep = 250;

/** The position is a table's place in the list, and the last id that was compared. */
export const verifiedSeals: VerifiedPart = {
  name: "sealed rows",
  verify(db, position, { broken }) {
    const [place = 0, after = Number.MIN_SAFE_INTEGER] = Array.isArray(position)
      ? position.map(Number)
      : [];
    const table = sealedTables[place];
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
    if (damageOf(db, table, { after, upTo }).length > 0) broken.add(`rows of ${table}`);
    return { next: isEnd ? [place + 1] : [place, last], rows: count };
  },
};

/** Brings back what was altered or lost. Nothing is dropped. */
export function restoreSealed(db: Database): void {
  db.transaction(() => {
    for (const table of sealedTables) {
      for (const { id, seal } of damageOf(db, table)) {
        if (seal === undefined) sealStray(db, table, id);
        else restore(db, table, JSON.parse(seal));
        sealRow(db, table, id);
      }
    }
  });
}

interface Seal {
  id: number;
  content: string;
  sum: number;
}

const everyId = { after: Number.MIN_SAFE_INTEGER, upTo: Number.MAX_SAFE_INTEGER };

type Row = Record<string, Value> & { id: number };

/** What a row holds; a column that was added since holds nothing, and changes nothing. */
const contentOf = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));

const sumOf = (table: string, id: number, content: string): number =>
  checksumOf(`${table} ${id} ${content}`);

const isSound = (table: string, { id, content, sum }: Seal): boolean =>
  sumOf(table, id, content) === sum;

/** Rows with their sound seals; a seal that is itself damaged tells nothing, and is made again. */
function damageOf(
  db: Database,
  table: SealedTable,
  { after, upTo }: { after: number; upTo: number } = everyId,
): { id: number; seal?: string }[] {
  const found = db.all<Row>(`SELECT * FROM ${table} WHERE id > ? AND id <= ?`, after, upTo);
  const rows = new Map(found.map((row) => [row.id, row]));
  const seals = db.all<Seal>(
    `SELECT id, content, sum FROM sealed_rows
      WHERE kept = ? AND id > ? AND id <= ? ORDER BY id`,
    table,
    after,
    upTo,
  );
  const damaged: { id: number; seal?: string }[] = [];
  for (const seal of seals) {
    const { id, content } = seal;
    const row = rows.get(id);
    rows.delete(id);
    if (!isSound(table, seal)) damaged.push({ id });
    else if (!row || contentOf(row) !== content) damaged.push({ id, seal: content });
  }
  // Those come first that are to be brought back: one without a seal may be the same, misnumbered.
  return [...damaged, ...[...rows.keys()].map((id) => ({ id }))];
}

function restore(db: Database, table: SealedTable, content: Row): void {
  const columns = Object.keys(content);
  db.run(
    `INSERT OR REPLACE INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")})
     VALUES (${columns.map(() => "?").join(", ")})`,
    ...Object.values(content),
  );
}

/** A row under a number that it never had is dropped where the row of its own number is there. */
function sealStray(db: Database, table: SealedTable, id: number): void {
  const row = db.get<Row>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) return;
  const others = db.all<Row>(`SELECT * FROM ${table} WHERE id <> ?`, id);
  const twin = contentOf({ ...row, id: 0 });
  if (others.some((other) => contentOf({ ...other, id: 0 }) === twin)) {
    db.run(`DELETE FROM ${table} WHERE id = ?`, id);
  }
}
