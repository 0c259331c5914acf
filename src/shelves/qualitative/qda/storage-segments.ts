import type { Database } from "../../../kernel/database.ts";
import { columnsOf, hasTable } from "./storage-project.ts";
import { areNumbers, nameIn, numberIn, textIn } from "./storage-values.ts";

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
  db.all(`${described(db)} AND fid = ? AND ${isShown(db)} ORDER BY pos0, pos1 DESC, rowid`, source);

/** The same of all sources, with the name of each, by name. */
export const allSegments = (db: Database): (SegmentRow & { sourceName: string })[] =>
  db.all(
    `SELECT c.*, ${nameIn("s.name")} AS sourceName FROM (${described(db)} AND ${isShown(db)}) c
       JOIN source s ON s.id = c.source
      ORDER BY s.name COLLATE NOCASE, s.id, c.start, c."end" DESC, c.id`,
  );

/** Of each source, from where the first shown coding begins to where the last one ends. */
export const codedSpans = (
  db: Database,
): { source_id: number; source_name: string; start_pos: number; end_pos: number }[] =>
  db.all(
    `SELECT s.id AS source_id, ${nameIn("s.name")} AS source_name, min(c.pos0) AS start_pos,
            max(c.pos1) AS end_pos
       FROM code_text c JOIN source s ON s.id = c.fid
      WHERE ${areNumbers("c.pos0", "c.pos1")} AND ${isShown(db, "c.owner")} GROUP BY s.id`,
  );

export const findSegment = (db: Database, id: number): SegmentRow | undefined =>
  db.get(`${described(db)} AND rowid = ?`, id);

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

/** A coding that does not say of what, or where, means nothing and is left out. */
const described = (db: Database): string => {
  const importance = columnsOf(db, "code_text").includes("important")
    ? `ifnull(${numberIn("important")}, 0)`
    : "0";
  return `SELECT rowid AS id, fid AS source, cid AS code, pos0 AS start, pos1 AS "end",
                 ifnull(${textIn("seltext")}, '') AS text, ${textIn("memo")} AS memo,
                 ${textIn("owner")} AS owner, ${importance} AS importance
            FROM code_text WHERE ${areNumbers(...neededNumbers)}`;
};

const neededNumbers = ["fid", "cid", "pos0", "pos1"];

/** How many codings of texts are in no list. */
export const countUnreadable = (db: Database): number =>
  db.get<{ count: number }>(
    `SELECT count(*) AS count FROM code_text WHERE NOT (${areNumbers(...neededNumbers)})`,
  )?.count ?? 0;

/** Whether a coding's owner is not hidden by the researcher. */
export const isShown = (db: Database, owner = "owner"): string =>
  hasTable(db, "coder_names")
    ? `ifnull(${owner}, '') NOT IN (SELECT name FROM coder_names WHERE visibility = 0)`
    : "1";
