import { get, run, type Steps } from "../../kernel/storage/steps.ts";
import { withIntactJson } from "./storage.ts";

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

const selectLatest = withIntactJson(
  `SELECT ${columns} FROM repository_baselines WHERE root = ? AND pages = ?`,
  "symbols",
  " ORDER BY id DESC LIMIT 1",
);

/** The newest readable baseline is current. */
export const latestBaselineRow = (root: string, pages: string): Steps<BaselineRow | undefined> =>
  get(selectLatest, root, pages);

const selectBaseline = withIntactJson(
  `SELECT ${columns} FROM repository_baselines WHERE id = ?`,
  "symbols",
);

export const findBaselineRow = (id: number): Steps<BaselineRow | undefined> =>
  get(selectBaseline, id);

/** Inserts a baseline and deletes all but the newest `keep`. Older ones are kept for undo. */
export function* insertBaseline(row: Omit<BaselineRow, "id">, keep: number): Steps<number> {
  const { root, pages, made, symbols } = row;
  const inserted = yield* get<{ id: number }>(
    `INSERT INTO repository_baselines (root, pages, made, symbols) VALUES (?, ?, ?, ?)
     RETURNING id`,
    root,
    pages,
    made,
    symbols,
  );
  yield* run(
    `DELETE FROM repository_baselines WHERE root = ?1 AND pages = ?2 AND id NOT IN
       (SELECT id FROM repository_baselines WHERE root = ?1 AND pages = ?2 ORDER BY id DESC LIMIT ?3)`,
    root,
    pages,
    keep,
  );
  return inserted?.id ?? 0;
}

export function* updateBaseline(id: number, symbols: string): Steps<void> {
  yield* run(
    "UPDATE repository_baselines SET symbols = ?1 WHERE id = ?2 AND symbols <> ?1",
    symbols,
    id,
  );
}
