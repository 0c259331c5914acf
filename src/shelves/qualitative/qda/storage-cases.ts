import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

export interface CaseLinkRow {
  id: number;
  source: number;
  sourceName: string;
  start: number;
  end: number;
}

export interface AttributeRow {
  id: number;
  name: string;
  value: string | null;
}

/** What can have attributes. Journals can too; QualCoder alone gives them any. */
export type AttributeOwner = "case" | "file";

export const findCase = (
  db: Database,
  name: string,
): { id: number; name: string; memo: string | null; date: string | null } | undefined =>
  columnsOf(db, "cases").length === 0
    ? undefined
    : db.get("SELECT caseid AS id, name, memo, date FROM cases WHERE name = ?", name);

export const linksOfCase = (db: Database, id: number): CaseLinkRow[] =>
  db.all(
    `SELECT t.rowid AS id, t.fid AS source, s.name AS sourceName, t.pos0 AS start, t.pos1 AS "end"
       FROM case_text t JOIN source s ON s.id = t.fid
      WHERE t.caseid = ? ORDER BY s.name, t.pos0, t.rowid`,
    id,
  );

/** All that a case leaves behind, in private sources too. */
export const rowsOfCase = (
  db: Database,
  id: number,
): { table: "case_text" | "attribute"; id: number }[] => [
  ...db
    .all<{ id: number }>("SELECT rowid AS id FROM main.case_text WHERE caseid = ?", id)
    .map((row) => ({ table: "case_text" as const, ...row })),
  ...db
    .all<{ id: number }>(
      "SELECT rowid AS id FROM main.attribute WHERE attr_type = 'case' AND id = ?",
      id,
    )
    .map((row) => ({ table: "attribute" as const, ...row })),
];

export const attributesOf = (db: Database, owner: AttributeOwner, id: number): AttributeRow[] =>
  columnsOf(db, "attribute").length === 0
    ? []
    : db.all(
        `SELECT rowid AS id, name, value FROM attribute
          WHERE attr_type = ? AND id = ? ORDER BY name COLLATE NOCASE`,
        owner,
        id,
      );

export interface AttributeTypeRow {
  name: string;
  owner: string;
  type: string;
  memo: string | null;
}

export const attributeTypes = (db: Database): AttributeTypeRow[] =>
  columnsOf(db, "attribute_type").length === 0
    ? []
    : db.all(
        `SELECT name, caseOrFile AS owner, valuetype AS type, memo
           FROM attribute_type ORDER BY name COLLATE NOCASE`,
      );

/** The numbers of everybody who can have an attribute of this kind, private sources too. */
export const possibleOwners = (db: Database, owner: AttributeOwner): number[] =>
  db
    .all<{ id: number }>(
      owner === "case" ? "SELECT caseid AS id FROM cases" : "SELECT id FROM main.source",
    )
    .map(({ id }) => id);
