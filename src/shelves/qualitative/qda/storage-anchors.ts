import type { Database, Value } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

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
  code_text: "cid || ' ' || ifnull(owner, '')",
  annotation: "ifnull(owner, '')",
  case_text: "rowid",
};

/** Of everybody, hidden coders too. */
export const anchoredIn = (db: Database, source: number): AnchoredRow[] =>
  anchoredTables.flatMap((table) =>
    columnsOf(db, table).length === 0
      ? []
      : db
          .all<Omit<AnchoredRow, "table">>(
            `SELECT rowid AS id, pos0 AS start, pos1 AS "end", ${twins[table]} AS twin
               FROM main.${table} WHERE fid = ? ORDER BY pos0, pos1, rowid`,
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

export const allWaiting = (db: Database): InboxRow[] =>
  columnsOf(db, "lectern_inbox").length === 0 ? [] : db.all(`${waiting} ORDER BY source_id, id`);

export const findWaiting = (db: Database, id: number): InboxRow | undefined =>
  columnsOf(db, "lectern_inbox").length === 0 ? undefined : db.get(`${waiting} WHERE id = ?`, id);

const waiting = `SELECT id, source_id AS source, kind, cid AS code, was, quote, pos0 AS start,
                        pos1 AS "end", score, date
                   FROM lectern_inbox`;
