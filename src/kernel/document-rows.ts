import type { Database } from "./database.ts";
import type { Document, Place } from "./documents.ts";
import type { FoundFile } from "./walk.ts";

/** A document's row: when it was last compared with its file stands beside it. */
export type Row = Document & { seen: number };

/** A file written within this time of being read may change again without its time telling. */
export const raceMs = 2_000;

/** Whether a file may hold something else than what its row tells of. */
export function mayDiffer(row: Row, file: FoundFile): boolean {
  const same = row.size === file.size && row.modified === file.modified;
  return !same || row.seen < row.modified + raceMs;
}

/** A file as it was at one moment, ready to be recorded. */
export interface ReadFile extends FoundFile {
  root: string;
  text: string;
  hash: string;
  /** Taken before the file was opened: whoever looked later knows better. */
  seen: number;
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
}

const columns = "id, root, path, hash, size, modified, seen";

export function openDocumentRows(db: Database): DocumentRows {
  const select = `SELECT ${columns} FROM main.documents`;
  const update = (id: number, { root, path, hash, size, modified, seen }: ReadFile): void => {
    db.run(
      `UPDATE main.documents SET root = ?, path = ?, hash = ?, size = ?, modified = ?, seen = ?
        WHERE id = ?`,
      root,
      path,
      hash,
      size,
      modified,
      seen,
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
    withHash: (hash, limit) =>
      db.all(`${select} WHERE hash = ? ORDER BY seen LIMIT ?`, hash, limit),
    knownHashes: (hashes) =>
      db
        .all<{ hash: string }>(
          `SELECT value AS hash FROM json_each(?)
            WHERE EXISTS (SELECT 1 FROM main.documents WHERE hash = value)`,
          JSON.stringify(hashes),
        )
        .map(({ hash }) => hash),
    isUntouched: ({ id, root, path, seen }) =>
      db.get(
        "SELECT 1 FROM main.documents WHERE id = ? AND root = ? AND path = ? AND seen = ?",
        id,
        root,
        path,
        seen,
      ) !== undefined,
    add(file, formerId) {
      const isTaken =
        formerId === undefined || db.get("SELECT 1 FROM main.documents WHERE id = ?", formerId);
      const { root, path, hash, size, modified, seen } = file;
      return db.run(
        `INSERT INTO main.documents (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        isTaken ? null : formerId,
        root,
        path,
        hash,
        size,
        modified,
        seen,
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
    renameRoot: (from, to) =>
      db.run("UPDATE main.documents SET root = ? WHERE root = ?", to, from).changes,
  };
}

/** Where a row or file is, as a key. No root's name holds a slash. */
export const keyOf = ({ root, path }: Place): string => `${root}/${path}`;
