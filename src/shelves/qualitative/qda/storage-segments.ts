import type { Database } from "../../../kernel/storage/database.ts";
import { hasTable, tableColumns } from "./storage-project.ts";
import { areIntegerColumns, integerColumn, nameColumn, textColumn } from "./storage-values.ts";

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
 * The coded passages of a source in reading order, without those of hidden coders. Of two that
 * start at the same position the longer comes first, so that a reader can nest highlights.
 */
export const segmentsOfSource = (db: Database, source: number): SegmentRow[] =>
  db.all(
    `${segmentQuery(db)} AND fid = ? AND ${ownerVisibleCondition(db)} ORDER BY pos0, pos1 DESC, rowid`,
    source,
  );

/** The coded passages of all sources, ordered by source name. */
export const allSegments = (db: Database): (SegmentRow & { sourceName: string })[] =>
  db.all(
    `SELECT c.*, ${nameColumn("s.name")} AS sourceName FROM (${segmentQuery(db)} AND ${ownerVisibleCondition(db)}) c
       JOIN source s ON s.id = c.source
      ORDER BY s.name COLLATE NOCASE, s.id, c.start, c."end" DESC, c.id`,
  );

/** For each source, the range from the start of its first visible coding to the end of its last. */
export const codedExtents = (
  db: Database,
): { source_id: number; source_name: string; start_pos: number; end_pos: number }[] =>
  db.all(
    `SELECT s.id AS source_id, ${nameColumn("s.name")} AS source_name, min(c.pos0) AS start_pos,
            max(c.pos1) AS end_pos
       FROM code_text c JOIN source s ON s.id = c.fid
      WHERE ${areIntegerColumns("c.pos0", "c.pos1")} AND ${ownerVisibleCondition(db, "c.owner")} GROUP BY s.id`,
  );

export const findSegment = (db: Database, id: number): SegmentRow | undefined =>
  db.get(`${segmentQuery(db)} AND rowid = ?`, id);

/** Whether this coder has already coded exactly this passage with this code. */
export const isPassageCoded = (
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

/** Codings without a source, a code or positions are left out. */
const segmentQuery = (db: Database): string => {
  const importance = tableColumns(db, "code_text").includes("important")
    ? `ifnull(${integerColumn("important")}, 0)`
    : "0";
  return `SELECT rowid AS id, fid AS source, cid AS code, pos0 AS start, pos1 AS "end",
                 ifnull(${textColumn("seltext")}, '') AS text, ${textColumn("memo")} AS memo,
                 ${textColumn("owner")} AS owner, ${importance} AS importance
            FROM code_text WHERE ${areIntegerColumns(...requiredNumbers)}`;
};

const requiredNumbers = ["fid", "cid", "pos0", "pos1"];

/** The number of codings that `segmentQuery` leaves out. */
export const countUnreadableCodings = (db: Database): number =>
  db.get<{ count: number }>(
    `SELECT count(*) AS count FROM code_text WHERE NOT (${areIntegerColumns(...requiredNumbers)})`,
  )?.count ?? 0;

/** SQL condition: the coding's owner is not hidden. */
export const ownerVisibleCondition = (db: Database, owner = "owner"): string =>
  hasTable(db, "coder_names")
    ? `ifnull(${owner}, '') NOT IN (SELECT name FROM coder_names WHERE visibility = 0)`
    : "1";
