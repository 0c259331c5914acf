import type { Database } from "../../../kernel/database.ts";
import { codingCounts } from "./storage-counts.ts";
import { columnsOf, hasTable } from "./storage-project.ts";
import { nameIn, numberIn, textIn } from "./storage-values.ts";

export interface CodeRow {
  id: number;
  name: string;
  color: string | null;
  memo: string | null;
  category: number | null;
  /** The code that it is a sub-code of. */
  parent: number | null;
  owner: string | null;
  date: string | null;
  /** How often it is used, by coders who are not hidden. */
  segments: number;
}

export const allCodes = (db: Database): CodeRow[] =>
  db.all(`${describedCode(db)} ORDER BY n.name COLLATE NOCASE, n.cid`);

export const findCode = (db: Database, id: number): CodeRow | undefined =>
  db.get(`${describedCode(db, "?1")} WHERE n.cid = ?1`, id);

function describedCode(db: Database, only?: string): string {
  const columns = { code_text: "cid", code_image: "cid", code_av: "cid" };
  return `SELECT n.cid AS id, ${nameIn("n.name")} AS name, ${textIn("n.color")} AS color,
                 ${textIn("n.memo")} AS memo, ${numberIn("n.catid")} AS category,
                 ${textIn("n.owner")} AS owner, ${textIn("n.date")} AS date,
                 ${hasSubcodes(db) ? numberIn("n.supercid") : "NULL"} AS parent,
                 ifnull(c.codings, 0) AS segments
            FROM code_name n LEFT JOIN (${codingCounts(db, columns, only)}) c ON c.key = n.cid`;
}

export type CodingTable = "code_text" | "code_image" | "code_av" | "lectern_inbox";

/** `all` of them, in private sources too, or those that whoever asks sees. */
type Reach = "all" | "seen";

const tableIn = (reach: Reach, table: CodingTable): string =>
  reach === "all" ? `main.${table}` : table;

/** Those of a code: in texts, pictures and recordings, in the inbox, of hidden coders too. */
export const codingsOf = (
  db: Database,
  code: number,
  reach: Reach,
): { table: CodingTable; id: number }[] =>
  (["code_text", "code_image", "code_av", "lectern_inbox"] as const)
    .filter((table) => hasTable(db, table))
    .flatMap((table) =>
      db
        .all<{ id: number }>(`SELECT rowid AS id FROM ${tableIn(reach, table)} WHERE cid = ?`, code)
        .map(({ id }) => ({ table, id })),
    );

/** A coding, and the one of another code at the same place in the same name. */
export interface TwinRow {
  id: number;
  memo: string | null;
  twin: number;
  twinMemo: string | null;
}

/** Passages of one code that the other code marks already, in the same name. */
export const twinsOf = (db: Database, code: number, other: number, reach: Reach): TwinRow[] =>
  db.all(
    `SELECT one.rowid AS id, one.memo, two.rowid AS twin, two.memo AS twinMemo
         FROM ${tableIn(reach, "code_text")} one
         JOIN ${tableIn(reach, "code_text")} two ON two.cid = ?2 AND two.fid = one.fid AND two.pos0 = one.pos0
                           AND two.pos1 = one.pos1 AND two.owner IS one.owner
        WHERE one.cid = ?1`,
    code,
    other,
  );

/** Codes have stood below codes since version 16. */
export const hasSubcodes = (db: Database): boolean =>
  columnsOf(db, "code_name").includes("supercid");

export const subcodesOf = (db: Database, code: number): number[] =>
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
    `SELECT g.catid AS id, ${nameIn("g.name")} AS name, ${numberIn("g.supercatid")} AS parent,
            ${textIn("g.memo")} AS memo, ${textIn("g.owner")} AS owner, ${textIn("g.date")} AS date,
            ifnull(c.codes, 0) AS codes
       FROM code_cat g
       LEFT JOIN (SELECT catid AS key, count(*) AS codes FROM code_name GROUP BY catid) c
         ON c.key = g.catid
      ORDER BY g.name COLLATE NOCASE, g.catid`,
  );
