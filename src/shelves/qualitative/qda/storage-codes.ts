import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";
import { isShown } from "./storage-segments.ts";

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
  db.get(`${describedCode(db)} WHERE n.cid = ?`, id);

function describedCode(db: Database): string {
  const segments = codingTables(db).map(
    (table) =>
      `(SELECT count(*) FROM ${table} c WHERE c.cid = n.cid AND ${isShown(db, "c.owner")})`,
  );
  return `SELECT n.cid AS id, n.name, n.color, n.memo, n.catid AS category, n.owner, n.date,
                 ${hasSubcodes(db) ? "n.supercid" : "NULL"} AS parent, ${segments.join(" + ")} AS segments
            FROM code_name n`;
}

export type CodingTable = "code_text" | "code_image" | "code_av" | "lectern_inbox";

/** The tables of what is coded that this project has. */
const codingTables = (db: Database): CodingTable[] =>
  (["code_text", "code_image", "code_av"] as const).filter(
    (table) => columnsOf(db, table).length > 0,
  );

const waitingTables = (db: Database): CodingTable[] =>
  columnsOf(db, "lectern_inbox").length > 0 ? ["lectern_inbox"] : [];

/** All with a code: in texts, pictures and recordings, in the inbox, in private sources, of hidden coders. */
export const codingsOf = (db: Database, code: number): { table: CodingTable; id: number }[] =>
  [...codingTables(db), ...waitingTables(db)].flatMap((table) =>
    db
      .all<{ id: number }>(`SELECT rowid AS id FROM main.${table} WHERE cid = ?`, code)
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
export const twinsOf = (db: Database, code: number, other: number): TwinRow[] =>
  db.all(
    `SELECT one.rowid AS id, one.memo, two.rowid AS twin, two.memo AS twinMemo
         FROM main.code_text one
         JOIN main.code_text two ON two.cid = ?2 AND two.fid = one.fid AND two.pos0 = one.pos0
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
    `SELECT g.catid AS id, g.name, g.supercatid AS parent, g.memo, g.owner, g.date,
            (SELECT count(*) FROM code_name n WHERE n.catid = g.catid) AS codes
       FROM code_cat g
      ORDER BY g.name COLLATE NOCASE, g.catid`,
  );
