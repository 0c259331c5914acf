import type { FoundFile } from "../indexing/walk.ts";
import { checksumOfRow } from "../integrity/checksum.ts";
import {
  addDamagedDocuments,
  type IntegrityCheck,
  nextDocumentRange,
} from "../integrity/damage.ts";
import type { Database } from "../storage/database.ts";
import type { Document, DocumentPath } from "./documents.ts";

/** A document's row, with the data that shows whether its file must be read again. */
export interface DocumentRow extends Document {
  changed: number;
  /** When the file was last read, by the system clock. */
  seen: number;
  /** The number of the recording that wrote the row. */
  recorded: number;
}

/** A file read within this time of its last write may change again without a new mtime. */
export const timestampRaceMs = 2_000;

/**
 * Whether a file may differ from its row. Times are only compared for equality. An equal stat is
 * trusted only if the recorded times are in order: the file was written, read at least
 * `timestampRaceMs` later, and is checked after that. They are not if the clock was set back; then
 * the content is compared.
 */
export function mayHaveChanged(row: DocumentRow, file: FoundFile, now = Date.now()): boolean {
  const isInOrder = row.modified + timestampRaceMs <= row.seen && row.seen <= now;
  return !isSameStat(row, file) || !isInOrder;
}

/** Whether two stats are equal. The ctime also detects a change after which the mtime was restored. */
export const isSameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.modified === b.modified && a.changed === b.changed;

type FileStat = Pick<FoundFile, "size" | "modified" | "changed">;

/** The stat, text and hash of a file at one moment, to be recorded. */
export interface FileSnapshot extends FoundFile {
  root: string;
  text: string;
  hash: string;
  /** The time before the file was opened, by the system clock. */
  seen: number;
  /** The last recording before the file was opened; a row of a later recording may be newer. */
  asOf: number;
}

/** The rows of all documents, including those that this process does not show. */
export interface DocumentRows {
  /** The roots that have documents. */
  roots(): string[];
  inRoot(root: string): DocumentRow[];
  atPath(root: string, path: string): DocumentRow | undefined;
  /** The rows at and below a path; the empty path is the whole root. */
  atOrBelowPath(root: string, path: string): DocumentRow[];
  /** The subset of these hashes that occur in rows. */
  knownHashes(hashes: readonly string[]): string[];
  /** The number of the last recording of any process. */
  lastRecording(): number;
  /** Starts a recording: rows written later in this transaction get its number. */
  beginRecording(): void;
  /** Rows with this content, least recently recorded first. */
  withHash(hash: string, limit: number): DocumentRow[];
  /** Whether a row has not been changed since it was read. */
  isUnchanged(row: DocumentRow): boolean;
  /** Adds a row, under its former id if that is free. */
  add(file: FileSnapshot, formerId: number | undefined): number;
  update(id: number, file: FileSnapshot): void;
  /** Changes the paths of several rows together, so that two can swap paths. */
  move(moves: readonly { id: number; file: FileSnapshot }[]): void;
  remove(id: number): void;
  renameRoot(from: string, to: string): number;
  /** Makes the rows differ from their files, so that the files are read and indexed again. */
  markOutdated(ids: Iterable<number>): void;
}

const documentColumns = "id, root, path, hash, size, modified, changed, seen, recorded";

const currentRecording = "coalesce((SELECT number FROM recordings), 0)";

export function openDocumentRows(db: Database): DocumentRows {
  // Built once: statements are found by their text, and a new string must be hashed again.
  const select = `SELECT ${documentColumns} FROM main.documents`;
  const selectAtPath = `${select} WHERE root = ? AND path = ?`;
  const insert = `INSERT INTO main.documents (${documentColumns}, sum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${currentRecording}, ?)`;
  const update = (id: number, file: FileSnapshot): void => {
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
      rowChecksum(file),
      id,
    );
  };
  return {
    roots: () =>
      db
        // A loose index scan from each root to the next, because a full scan is slow.
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
    inRoot: (root) => db.all(`${select} WHERE root = ? ORDER BY path`, root),
    atPath: (root, path) => db.get(selectAtPath, root, path),
    atOrBelowPath(root, path) {
      if (path === "") return this.inRoot(root);
      // In byte order `0` follows `/`; names such as `a-b` sort between `a` and `a/`.
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
    isUnchanged: ({ id, root, path, recorded }) =>
      db.get(
        "SELECT 1 FROM main.documents WHERE id = ? AND root = ? AND path = ? AND recorded = ?",
        id,
        root,
        path,
        recorded,
      ) !== undefined,
    add(file, formerId) {
      const needsNewId =
        formerId === undefined || db.get("SELECT 1 FROM main.documents WHERE id = ?", formerId);
      const { root, path, hash, size, modified, changed, seen } = file;
      return db.run(
        insert,
        needsNewId ? null : formerId,
        root,
        path,
        hash,
        size,
        modified,
        changed,
        seen,
        rowChecksum(file),
      ).lastId;
    },
    update,
    move(moves) {
      // Temporary unique paths: no real path begins with a slash.
      for (const { id } of moves) {
        db.run("UPDATE main.documents SET path = '/' || id WHERE id = ?", id);
      }
      for (const { id, file } of moves) update(id, file);
    },
    remove(id) {
      db.run("DELETE FROM main.documents WHERE id = ?", id);
    },
    renameRoot(from, to) {
      const renamed = db.all<DocumentRow>(`${select} WHERE root = ?`, from);
      for (const row of renamed) {
        const sum = rowChecksum({ ...row, root: to });
        db.run("UPDATE main.documents SET root = ?, sum = ? WHERE id = ?", to, sum, row.id);
      }
      return renamed.length;
    },
    markOutdated(ids) {
      const sql = "UPDATE main.documents SET hash = '', size = -1 WHERE id = ?";
      for (const id of ids) db.run(sql, id);
    },
  };
}

export const documentIntegrity: IntegrityCheck = {
  name: "documents",
  verify(db, after, damage) {
    const { range, next } = nextDocumentRange(db, after, 250);
    const rows = db.all<DocumentRow & { sum: number }>(
      `SELECT ${documentColumns}, sum FROM main.documents WHERE id > ? AND id <= ?`,
      range.after,
      range.upTo,
    );
    const damaged = rows.filter((row) => rowChecksum(row) !== row.sum);
    addDamagedDocuments(
      damage,
      "rows",
      damaged.map(({ id }) => id),
    );
    return { next, rows: rows.length };
  },
};

const rowChecksum = (row: Omit<Document, "id"> & { changed: number; seen: number }): number =>
  checksumOfRow([row.root, row.path, row.hash, row.size, row.modified, row.changed, row.seen]);

/** The root and path of a row or file as a key. Root names contain no slash. */
export const documentKey = ({ root, path }: DocumentPath): string => `${root}/${path}`;
