import type { Database, Value } from "../../../kernel/database.ts";
import { columnsOf, hasTable } from "./storage-project.ts";
import { areNumbers, nameIn } from "./storage-values.ts";

/** What stands at a place of a text and has to follow it. */
export interface AnchoredRow {
  table: AnchoredTable;
  id: number;
  start: number;
  end: number;
  /** What tells it from others at the same place: its code and its owner. */
  twin: string;
}

const anchoredTables = ["code_text", "annotation", "case_text"] as const;

export type AnchoredTable = (typeof anchoredTables)[number];

/** Two codings of one coder with one code cannot stand at one place, nor two annotations of one. */
const twins: Record<AnchoredTable, string> = {
  code_text: "ifnull(cid, '') || ' ' || ifnull(owner, '')",
  annotation: "ifnull(owner, '')",
  case_text: "rowid",
};

/** Of everybody, hidden coders too. */
export const anchoredIn = (db: Database, source: number): AnchoredRow[] =>
  anchoredTables
    .filter((table) => hasTable(db, table))
    .flatMap((table) =>
      db
        .all<Omit<AnchoredRow, "table">>(
          `SELECT rowid AS id, pos0 AS start, pos1 AS "end", ${twins[table]} AS twin
             FROM main.${table} WHERE fid = ? AND ${areNumbers("pos0", "pos1")}
            ORDER BY pos0, pos1, rowid`,
          source,
        )
        .map((row) => ({ table, ...row })),
    );

export const wholeRow = (
  db: Database,
  table: AnchoredTable,
  id: number,
): Record<string, Value> | undefined => db.get(`SELECT * FROM main.${table} WHERE rowid = ?`, id);

export const revisionOf = (db: Database, source: number): number =>
  columnsOf(db, "lectern_sources").includes("revision")
    ? (db.get<{ revision: number | null }>(
        `SELECT o.revision FROM main.lectern_sources o
           JOIN main.source s ON s.id = o.source_id AND s.date IS o.source_date
          WHERE o.source_id = ?`,
        source,
      )?.revision ?? 0)
    : 0;

export interface InboxRow {
  id: number;
  source: number;
  sourceName: string;
  kind: AnchoredTable;
  code: number | null;
  /** The row as it was, in JSON. */
  was: string;
  quote: string;
  start: number | null;
  end: number | null;
  score: number;
  date: string;
}

/** Without what waits for a source that QualCoder has deleted since. */
export const allWaiting = (db: Database): InboxRow[] =>
  hasTable(db, "lectern_inbox") ? db.all(`${waiting} ORDER BY w.source_id, w.id`) : [];

export const findWaiting = (db: Database, id: number): InboxRow | undefined =>
  hasTable(db, "lectern_inbox") ? db.get(`${waiting} WHERE w.id = ?`, id) : undefined;

const waiting = `SELECT w.id, w.source_id AS source, ${nameIn("s.name")} AS sourceName, w.kind, w.cid AS code,
                        w.was, w.quote, w.pos0 AS start, w.pos1 AS "end", w.score, w.date
                   FROM lectern_inbox w JOIN source s ON s.id = w.source_id`;
