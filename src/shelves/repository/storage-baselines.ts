import type { Database } from "../../kernel/storage/database.ts";

/** The symbols that the documentation was last known to match. `symbols` is JSON. */
export interface BaselineRow {
  id: number;
  /** The repository's real path, and the folder of its pages. */
  root: string;
  pages: string;
  /** ISO 8601. */
  made: string;
  symbols: string;
}

const columns = "id, root, pages, made, symbols";

/** The newest readable baseline is current: a disk error may have damaged a newer one. */
export const latestBaselineRow = (
  db: Database,
  root: string,
  pages: string,
): BaselineRow | undefined =>
  db.get(
    `SELECT ${columns} FROM repository_baselines
      WHERE root = ? AND pages = ? AND json_valid(symbols) ORDER BY id DESC LIMIT 1`,
    root,
    pages,
  );

export const findBaselineRow = (db: Database, id: number): BaselineRow | undefined =>
  db.get(`SELECT ${columns} FROM repository_baselines WHERE id = ? AND json_valid(symbols)`, id);

/** Inserts a baseline and deletes all but the newest `keep`. Older ones are kept for undo. */
export function insertBaseline(db: Database, row: Omit<BaselineRow, "id">, keep: number): number {
  const { root, pages, made, symbols } = row;
  const { lastId } = db.run(
    "INSERT INTO repository_baselines (root, pages, made, symbols) VALUES (?, ?, ?, ?)",
    root,
    pages,
    made,
    symbols,
  );
  db.run(
    `DELETE FROM repository_baselines WHERE root = ?1 AND pages = ?2 AND id NOT IN
       (SELECT id FROM repository_baselines WHERE root = ?1 AND pages = ?2 ORDER BY id DESC LIMIT ?3)`,
    root,
    pages,
    keep,
  );
  return lastId;
}

export function updateBaseline(db: Database, id: number, symbols: string): void {
  db.run(
    "UPDATE repository_baselines SET symbols = ?1 WHERE id = ?2 AND symbols <> ?1",
    symbols,
    id,
  );
}
