import { checksumOfRow } from "./checksum.ts";
import { addDamaged, documentRange, type VerifiedPart } from "./damage.ts";
import type { Database } from "./database.ts";
import type { Document, Place } from "./documents.ts";
import type { FoundFile } from "./walk.ts";

/** A document's row, with what tells whether its file must be read again. */
export interface Row extends Document {
  changed: number;
  /** By the machine's clock: when its file was last read. */
  seen: number;
  /** Which recording wrote it. */
  recorded: number;
}

/** A file written within this time of being read may change again without its time telling. */
export const raceMs = 2_000;

/**
 * Whether a file may hold something else than what its row tells of. Times are compared for being
 * equal, never for which is later. Equal times prove something only in the order of events: written,
 * read a while after, asked now. Where the clock has gone back in between, the content decides.
 */
export function mayDiffer(row: Row, file: FoundFile, now = Date.now()): boolean {
  const isInOrder = row.modified + raceMs <= row.seen && row.seen <= now;
  return !isSameStat(row, file) || !isInOrder;
}

/** Whether a file looks as it did. Its ctime tells of a change whose author set the mtime back. */
export const isSameStat = (one: FileStat, other: FileStat): boolean =>
  one.size === other.size && one.modified === other.modified && one.changed === other.changed;

type FileStat = Pick<FoundFile, "size" | "modified" | "changed">;

/** A file as it was at one moment, ready to be recorded. */
export interface ReadFile extends FoundFile {
  root: string;
  text: string;
  hash: string;
  /** By the machine's clock, before the file was opened. */
  seen: number;
  /** The last recording before the file was opened: a row of a later one may know better. */
  asOf: number;
}

/** The rows of all documents, whatever this process may show. */
export interface DocumentRows {
  /** The roots that have documents. */
  roots(): string[];
  of(root: string): Row[];
  at(root: string, path: string): Row | undefined;
  /** The row at a path and those below it; an empty path is the whole root. */
  within(root: string, path: string): Row[];
  /** Those of the hashes that some row has. */
  knownHashes(hashes: readonly string[]): string[];
  /** The number of the last recording, by whatever process. */
  lastRecording(): number;
  /** Begins a recording: what is written from here on in the transaction has its number. */
  beginRecording(): void;
  /** Rows with this content, those first that were not looked at for longest. */
  withHash(hash: string, limit: number): Row[];
  /** Whether a row is as it was when it was read. */
  isUntouched(row: Row): boolean;
  /** Adds a row, under an id that was its own before if that is free. */
  add(file: ReadFile, formerId: number | undefined): number;
  update(id: number, file: ReadFile): void;
  /** Gives rows their new places all at once, so that two can change places. */
  move(moves: readonly { id: number; file: ReadFile }[]): void;
  remove(id: number): void;
  renameRoot(from: string, to: string): number;
  /** Whatever their files hold will differ, so that they are read and taken in again. */
  outdate(ids: Iterable<number>): void;
}

const columns = "id, root, path, hash, size, modified, changed, seen, recorded";

const currentRecording = "coalesce((SELECT number FROM recordings), 0)";

export function openDocumentRows(db: Database): DocumentRows {
  const select = `SELECT ${columns} FROM main.documents`;
  const update = (id: number, file: ReadFile): void => {
    const { root, path, hash, size, modified, changed, seen } = file;
    db.run(
      `UPDATE main.documents SET root = ?, path = ?, hash = ?, size = ?, modified = ?, changed = ?,
          seen = ?, sum = ?, recorded = ${currentRecording}
        WHERE id = ?`,
      root,
      path,
      hash,
      size,
      modified,
      changed,
      seen,
      sumOf(file),
      id,
    );
  };
  return {
    roots: () =>
      db
        // From each root to the next, since to go through all documents takes its time.
        .all<{ root: string }>(
          `WITH RECURSIVE next (root) AS (
             SELECT min(root) FROM main.documents
             UNION ALL
             SELECT (SELECT min(root) FROM main.documents WHERE root > next.root)
               FROM next WHERE next.root IS NOT NULL
           )
           SELECT root FROM next WHERE root IS NOT NULL`,
        )
        .map(({ root }) => root),
    of: (root) => db.all(`${select} WHERE root = ? ORDER BY path`, root),
    at: (root, path) => db.get(`${select} WHERE root = ? AND path = ?`, root, path),
    within(root, path) {
      if (path === "") return this.of(root);
      // In the order of letters `0` follows the slash; names such as `a-b` lie between `a` and `a/`.
      return db.all(
        `${select} WHERE root = ?1 AND path >= ?2 AND path < ?2 || '0'
            AND (path = ?2 OR path > ?2 || '/') ORDER BY path`,
        root,
        path,
      );
    },
    lastRecording: () => db.get<{ number: number }>("SELECT number FROM recordings")?.number ?? 0,
    beginRecording() {
      if (db.run("UPDATE recordings SET number = number + 1").changes > 0) return;
      db.run("INSERT INTO recordings SELECT coalesce(max(recorded), 0) + 1 FROM main.documents");
    },
    withHash: (hash, limit) =>
      db.all(`${select} WHERE hash = ? ORDER BY recorded LIMIT ?`, hash, limit),
    knownHashes: (hashes) =>
      db
        .all<{ hash: string }>(
          `SELECT value AS hash FROM json_each(?)
            WHERE EXISTS (SELECT 1 FROM main.documents WHERE hash = value)`,
          JSON.stringify(hashes),
        )
        .map(({ hash }) => hash),
    isUntouched: ({ id, root, path, recorded }) =>
      db.get(
        "SELECT 1 FROM main.documents WHERE id = ? AND root = ? AND path = ? AND recorded = ?",
        id,
        root,
        path,
        recorded,
      ) !== undefined,
    add(file, formerId) {
      const isTaken =
        formerId === undefined || db.get("SELECT 1 FROM main.documents WHERE id = ?", formerId);
      const { root, path, hash, size, modified, changed, seen } = file;
      return db.run(
        `INSERT INTO main.documents (${columns}, sum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${currentRecording}, ?)`,
        isTaken ? null : formerId,
        root,
        path,
        hash,
        size,
        modified,
        changed,
        seen,
        sumOf(file),
      ).lastId;
    },
    update,
    move(moves) {
      // No path begins with a slash, so here they stand in nobody's way.
      for (const { id } of moves) {
        db.run("UPDATE main.documents SET path = '/' || id WHERE id = ?", id);
      }
      for (const { id, file } of moves) update(id, file);
    },
    remove(id) {
      db.run("DELETE FROM main.documents WHERE id = ?", id);
    },
    renameRoot(from, to) {
      const renamed = db.all<Row>(`${select} WHERE root = ?`, from);
      for (const row of renamed) {
        const sum = sumOf({ ...row, root: to });
        db.run("UPDATE main.documents SET root = ?, sum = ? WHERE id = ?", to, sum, row.id);
      }
      return renamed.length;
    },
    outdate(ids) {
      const sql = "UPDATE main.documents SET hash = '', size = -1 WHERE id = ?";
      for (const id of ids) db.run(sql, id);
    },
  };
}

export const verifiedDocuments: VerifiedPart = {
  name: "documents",
  verify(db, after, damage) {
    const { range, next } = documentRange(db, after, 250);
    const rows = db.all<Row & { sum: number }>(
      `SELECT ${columns}, sum FROM main.documents WHERE id > ? AND id <= ?`,
      range.after,
      range.upTo,
    );
    const damaged = rows.filter((row) => sumOf(row) !== row.sum);
    addDamaged(
      damage,
      "rows",
      damaged.map(({ id }) => id),
    );
    return { next, rows: rows.length };
  },
};

const sumOf = (row: Omit<Document, "id"> & { changed: number; seen: number }): number =>
  checksumOfRow([row.root, row.path, row.hash, row.size, row.modified, row.changed, row.seen]);

/** Where a row or file is, as a key. No root's name holds a slash. */
export const keyOf = ({ root, path }: Place): string => `${root}/${path}`;
