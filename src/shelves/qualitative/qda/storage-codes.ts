import type { Database } from "../../../kernel/storage/database.ts";
import { codingCountsQuery } from "./storage-counts.ts";
import { hasTable, tableColumns } from "./storage-project.ts";
import { integerColumn, nameColumn, textColumn } from "./storage-values.ts";

export interface CodeRow {
  id: number;
  name: string;
  color: string | null;
  memo: string | null;
  category: number | null;
  /** The parent code. */
  parent: number | null;
  owner: string | null;
  date: string | null;
  /** Number of codings by visible coders. */
  segments: number;
}

export const allCodes = (db: Database): CodeRow[] =>
  db.all(`${codeQuery(db)} ORDER BY n.name COLLATE NOCASE, n.cid`);

export const findCode = (db: Database, id: number): CodeRow | undefined =>
  db.get(`${codeQuery(db, "?1")} WHERE n.cid = ?1`, id);

function codeQuery(db: Database, only?: string): string {
  const columns = { code_text: "cid", code_image: "cid", code_av: "cid" };
  return `SELECT n.cid AS id, ${nameColumn("n.name")} AS name, ${textColumn("n.color")} AS color,
                 ${textColumn("n.memo")} AS memo, ${integerColumn("n.catid")} AS category,
                 ${textColumn("n.owner")} AS owner, ${textColumn("n.date")} AS date,
                 ${hasSubcodes(db) ? integerColumn("n.supercid") : "NULL"} AS parent,
                 ifnull(c.codings, 0) AS segments
            FROM code_name n LEFT JOIN (${codingCountsQuery(db, columns, only)}) c ON c.key = n.cid`;
}

export type CodingTable = "code_text" | "code_image" | "code_av" | "lectern_inbox";

/** `all` includes private sources and hidden coders; `seen` is what the caller may see. */
type Visibility = "all" | "seen";

const tableFor = (visibility: Visibility, table: CodingTable): string =>
  visibility === "all" ? `main.${table}` : table;

/** The codings of a code in texts, pictures, recordings and the inbox. */
export const codingIdsOf = (
  db: Database,
  code: number,
  visibility: Visibility,
): { table: CodingTable; id: number }[] =>
  (["code_text", "code_image", "code_av", "lectern_inbox"] as const)
    .filter((table) => hasTable(db, table))
    .flatMap((table) =>
      db
        .all<{ id: number }>(
          `SELECT rowid AS id FROM ${tableFor(visibility, table)} WHERE cid = ?`,
          code,
        )
        .map(({ id }) => ({ table, id })),
    );

/** A coding, and a coding of another code with the same range and owner. */
export interface DuplicateCodingRow {
  id: number;
  memo: string | null;
  twin: number;
  twinMemo: string | null;
}

/** Codings of `source` for which `target` has a coding with the same range and owner. */
export const duplicateCodingsOf = (
  db: Database,
  code: number,
  otherCode: number,
  visibility: Visibility,
): DuplicateCodingRow[] =>
  db.all(
    `SELECT one.rowid AS id, one.memo, two.rowid AS twin, two.memo AS twinMemo
         FROM ${tableFor(visibility, "code_text")} one
         JOIN ${tableFor(visibility, "code_text")} two ON two.cid = ?2 AND two.fid = one.fid AND two.pos0 = one.pos0
                           AND two.pos1 = one.pos1 AND two.owner IS one.owner
        WHERE one.cid = ?1`,
    code,
    otherCode,
  );

/** Sub-codes exist since schema version 16. */
export const hasSubcodes = (db: Database): boolean =>
  tableColumns(db, "code_name").includes("supercid");

export const subcodeIdsOf = (db: Database, code: number): number[] =>
  hasSubcodes(db)
    ? db
        .all<{ cid: number }>("SELECT cid FROM code_name WHERE supercid = ?", code)
        .map(({ cid }) => cid)
    : [];

export interface CategoryRow {
  id: number;
  name: string;
  parent: number | null;
  memo: string | null;
  owner: string | null;
  date: string | null;
  codes: number;
}

export const allCategories = (db: Database): CategoryRow[] =>
  db.all(
    `SELECT g.catid AS id, ${nameColumn("g.name")} AS name, ${integerColumn("g.supercatid")} AS parent,
            ${textColumn("g.memo")} AS memo, ${textColumn("g.owner")} AS owner, ${textColumn("g.date")} AS date,
            ifnull(c.codes, 0) AS codes
       FROM code_cat g
       LEFT JOIN (SELECT catid AS key, count(*) AS codes FROM code_name GROUP BY catid) c
         ON c.key = g.catid
      ORDER BY g.name COLLATE NOCASE, g.catid`,
  );
