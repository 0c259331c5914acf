import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

export interface SegmentRow {
  id: number;
  source: number;
  code: number;
  start: number;
  end: number;
  text: string;
  memo: string | null;
  importance: number;
  owner: string | null;
}

/**
 * Coded passages of one source in reading order, without those of coders whom the researcher has
 * hidden. Where two begin together the longer comes first, so that a reader can nest highlights.
 */
export const segmentsOfSource = (db: Database, source: number): SegmentRow[] =>
  db.all(
    `${described(db)} WHERE fid = ? AND ${isShown(db)} ORDER BY pos0, pos1 DESC, rowid`,
    source,
  );

/** Of each source, from where the first shown coding begins to where the last one ends. */
export const codedSpans = (
  db: Database,
): { source_id: number; source_name: string; start_pos: number; end_pos: number }[] =>
  db.all(
    `SELECT s.id AS source_id, s.name AS source_name, min(c.pos0) AS start_pos,
            max(c.pos1) AS end_pos
       FROM code_text c JOIN source s ON s.id = c.fid
      WHERE ${isShown(db, "c.owner")} GROUP BY s.id`,
  );

export const findSegment = (db: Database, id: number): SegmentRow | undefined =>
  db.get(`${described(db)} WHERE rowid = ?`, id);

/** Whether this coder has coded exactly this passage with this code. */
export const isCoded = (
  db: Database,
  { code, source, start, end, owner }: Omit<SegmentRow, "id" | "text" | "memo" | "importance">,
): boolean =>
  db.get(
    `SELECT 1 FROM code_text
      WHERE cid = ? AND fid = ? AND pos0 = ? AND pos1 = ? AND owner IS ?`,
    code,
    source,
    start,
    end,
    owner,
  ) !== undefined;

const described = (db: Database): string =>
  `SELECT rowid AS id, fid AS source, cid AS code, pos0 AS start, pos1 AS "end", seltext AS text,
          memo, owner,
          ${columnsOf(db, "code_text").includes("important") ? "ifnull(important, 0)" : "0"} AS importance
     FROM code_text`;

/** Whether a coding's owner is not hidden by the researcher. */
export const isShown = (db: Database, owner = "owner"): string =>
  columnsOf(db, "coder_names").length > 0
    ? `ifnull(${owner}, '') NOT IN (SELECT name FROM coder_names WHERE visibility = 0)`
    : "1";
