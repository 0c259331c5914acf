import type { Database } from "../../../kernel/database.ts";
import { isShown } from "./storage-segments.ts";

/** Two codes that mark the same passages, and how many of each. */
export interface SharedRow {
  one: number;
  other: number;
  /** Passages of the first that the other marks too, and the other way round. */
  ofOne: number;
  ofOther: number;
}

/**
 * Pairs of codes with passages in common: of two that overlap, at least half of what both cover
 * together is covered by each of them. Those of hidden coders are left out.
 */
export const sharedPassages = (db: Database): SharedRow[] =>
  db.all(
    `SELECT a.cid AS one, b.cid AS other, count(DISTINCT a.rowid) AS ofOne,
            count(DISTINCT b.rowid) AS ofOther
       FROM code_text a
       JOIN code_text b ON b.fid = a.fid AND a.cid < b.cid AND b.pos0 < a.pos1 AND a.pos0 < b.pos1
      WHERE 2 * (min(a.pos1, b.pos1) - max(a.pos0, b.pos0))
            >= max(a.pos1, b.pos1) - min(a.pos0, b.pos0)
        AND ${isShown(db, "a.owner")} AND ${isShown(db, "b.owner")}
      GROUP BY a.cid, b.cid`,
  );

export const codesInCategory = (db: Database, category: number): number[] =>
  db
    .all<{ id: number }>("SELECT cid AS id FROM code_name WHERE catid = ?", category)
    .map(({ id }) => id);

/** Codings of one code by their numbers; those of other codes are left out. */
export const codingsAmong = (db: Database, code: number, ids: readonly number[]): number[] =>
  db
    .all<{ id: number }>(
      `SELECT rowid AS id FROM code_text
        WHERE cid = ? AND rowid IN (SELECT value FROM json_each(?))`,
      code,
      JSON.stringify(ids),
    )
    .map(({ id }) => id);
