import type { Database } from "../../../kernel/storage/database.ts";
import { ownerVisibleCondition } from "./storage-segments.ts";
import { areIntegerColumns } from "./storage-values.ts";

/** The number of codings of one range with one code. */
export interface CodedSpanRow {
  source: number;
  start: number;
  end: number;
  code: number;
  times: number;
}

/** Ordered by source and start, without hidden coders. */
export const codedSpanCounts = (db: Database): CodedSpanRow[] =>
  db.all(
    `SELECT fid AS source, pos0 AS start, pos1 AS "end", cid AS code, count(*) AS times
       FROM code_text
      WHERE ${areIntegerColumns("cid", "pos0", "pos1")} AND pos0 < pos1 AND ${ownerVisibleCondition(db)}
      GROUP BY fid, pos0, pos1, cid
      ORDER BY fid, pos0, pos1, cid`,
  );

export const codeIdsInCategory = (db: Database, category: number): number[] =>
  db
    .all<{ id: number }>("SELECT cid AS id FROM code_name WHERE catid = ?", category)
    .map(({ id }) => id);

/** Those of the ids that are codings of this code. */
export const codingIdsAmong = (db: Database, code: number, ids: readonly number[]): number[] =>
  db
    .all<{ id: number }>(
      `SELECT rowid AS id FROM code_text
        WHERE cid = ? AND rowid IN (SELECT value FROM json_each(?))`,
      code,
      JSON.stringify(ids),
    )
    .map(({ id }) => id);
