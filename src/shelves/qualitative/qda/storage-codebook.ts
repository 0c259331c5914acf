import type { Database } from "../../../kernel/database.ts";
import { isShown } from "./storage-segments.ts";
import { areNumbers } from "./storage-values.ts";

/** How often a code marks exactly a stretch of a source. */
export interface CodedPlaceRow {
  source: number;
  start: number;
  end: number;
  code: number;
  times: number;
}

/** Source by source in the order of their starts, without those of hidden coders. */
export const codedPlaces = (db: Database): CodedPlaceRow[] =>
  db.all(
    `SELECT fid AS source, pos0 AS start, pos1 AS "end", cid AS code, count(*) AS times
       FROM code_text
      WHERE ${areNumbers("cid", "pos0", "pos1")} AND pos0 < pos1 AND ${isShown(db)}
      GROUP BY fid, pos0, pos1, cid
      ORDER BY fid, pos0, pos1, cid`,
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
