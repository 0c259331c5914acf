import type { ColumnValue, Database } from "../../../kernel/storage/database.ts";
import { hasTable, tableColumns } from "./storage-project.ts";
import { areIntegerColumns, nameColumn } from "./storage-values.ts";

/** A row anchored to a range of a text, which must move when the text is edited. */
export interface AnchoredRow {
  table: AnchoredTable;
  id: number;
  start: number;
  end: number;
  /** Distinguishes rows at the same range: code and owner. */
  twin: string;
}

const anchoredTables = ["code_text", "annotation", "case_text"] as const;

export type AnchoredTable = (typeof anchoredTables)[number];

/**
 * QualCoder allows one coding per range, code and owner, and one annotation per range and owner.
 */
const twinKeyColumns: Record<AnchoredTable, string> = {
  code_text: "ifnull(cid, '') || ' ' || ifnull(owner, '')",
  annotation: "ifnull(owner, '')",
  case_text: "rowid",
};

/** Includes rows of hidden coders. */
export const anchoredRowsOf = (db: Database, source: number): AnchoredRow[] =>
  anchoredTables
    .filter((table) => hasTable(db, table))
    .flatMap((table) =>
      db
        .all<Omit<AnchoredRow, "table">>(
          `SELECT rowid AS id, pos0 AS start, pos1 AS "end", ${twinKeyColumns[table]} AS twin
             FROM main.${table} WHERE fid = ? AND ${areIntegerColumns("pos0", "pos1")}
            ORDER BY pos0, pos1, rowid`,
          source,
        )
        .map((row) => ({ table, ...row })),
    );

export const findWholeRow = (
  db: Database,
  table: AnchoredTable,
  id: number,
): Record<string, ColumnValue> | undefined =>
  db.get(`SELECT * FROM main.${table} WHERE rowid = ?`, id);

export const textRevisionOf = (db: Database, source: number): number =>
  tableColumns(db, "lectern_sources").includes("revision")
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
  /** The original row as JSON. */
  was: string;
  quote: string;
  start: number | null;
  end: number | null;
  score: number;
  date: string;
}

/** Leaves out items of sources that QualCoder has deleted. */
export const allInboxItems = (db: Database): InboxRow[] =>
  hasTable(db, "lectern_inbox") ? db.all(`${inboxQuery} ORDER BY w.source_id, w.id`) : [];

export const findInboxItem = (db: Database, id: number): InboxRow | undefined =>
  hasTable(db, "lectern_inbox") ? db.get(`${inboxQuery} WHERE w.id = ?`, id) : undefined;

const inboxQuery = `SELECT w.id, w.source_id AS source, ${nameColumn("s.name")} AS sourceName, w.kind, w.cid AS code,
                        w.was, w.quote, w.pos0 AS start, w.pos1 AS "end", w.score, w.date
                   FROM lectern_inbox w JOIN source s ON s.id = w.source_id`;
