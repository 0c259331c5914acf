import type { Database } from "../../../kernel/database.ts";
import { hasTable } from "./storage-project.ts";
import { areNumbers, nameIn, textIn } from "./storage-values.ts";

export interface CaseRow {
  id: number;
  name: string;
  memo: string | null;
}

export const allCases = (db: Database): CaseRow[] =>
  hasTable(db, "cases")
    ? db.all(
        `SELECT caseid AS id, ${nameIn("name")} AS name, ${textIn("memo")} AS memo
           FROM cases ORDER BY name, caseid`,
      )
    : [];

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
  hasTable(db, "cases")
    ? db.get(
        `SELECT caseid AS id, ${nameIn("name")} AS name, ${textIn("memo")} AS memo, date
           FROM cases WHERE ${nameIn("name")} = ?`,
        name,
      )
    : undefined;

export const linksOfCase = (db: Database, id: number): CaseLinkRow[] =>
  db.all(`${links} AND t.caseid = ? ${inOrder}`, id);

/** Of all cases at once: no index leads from a case to its links. */
export const allLinks = (db: Database): (CaseLinkRow & { case: number })[] =>
  hasTable(db, "case_text") ? db.all(`${links} ${inOrder}`) : [];

/** A link that does not say of which case, or where, means nothing and is left out. */
const links = `SELECT t.rowid AS id, t.caseid AS "case", t.fid AS source,
                      ${nameIn("s.name")} AS sourceName, t.pos0 AS start, t.pos1 AS "end"
                 FROM case_text t JOIN source s ON s.id = t.fid
                WHERE ${areNumbers("t.caseid", "t.pos0", "t.pos1")}`;

const inOrder = "ORDER BY s.name, t.pos0, t.rowid";

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
  hasTable(db, "attribute") ? db.all(`${attributes} AND id = ? ${byName}`, owner, id) : [];

export const findAttribute = (
  db: Database,
  { of, whose, name }: { of: AttributeOwner; whose: number; name: string },
): AttributeRow | undefined =>
  hasTable(db, "attribute")
    ? db.get(`${attributes} AND id = ? AND name = ?`, of, whose, name)
    : undefined;

/** Of all cases or of all sources at once: no index leads from one to its attributes. */
export const allAttributes = (
  db: Database,
  owner: AttributeOwner,
): (AttributeRow & { whose: number })[] =>
  hasTable(db, "attribute") ? db.all(`${attributes} ${byName}`, owner) : [];

const attributes = `SELECT rowid AS id, id AS whose, name, ${textIn("value")} AS value
                      FROM attribute WHERE attr_type = ? AND typeof(name) = 'text'`;

const byName = "ORDER BY name COLLATE NOCASE";

export interface AttributeTypeRow {
  name: string;
  owner: string;
  type: string;
  memo: string | null;
}

export const attributeTypes = (db: Database): AttributeTypeRow[] =>
  hasTable(db, "attribute_type")
    ? db.all(
        `SELECT name, ${textIn("caseOrFile")} AS owner,
                ifnull(${textIn("valuetype")}, 'character') AS type, ${textIn("memo")} AS memo
           FROM attribute_type
          WHERE typeof(name) = 'text' AND caseOrFile IS NOT NULL
          ORDER BY name COLLATE NOCASE`,
      )
    : [];

/** The numbers of everybody who can have an attribute of this kind, private sources too. */
export const possibleOwners = (db: Database, owner: AttributeOwner): number[] =>
  db
    .all<{ id: number }>(
      owner === "case" ? "SELECT caseid AS id FROM cases" : "SELECT id FROM main.source",
    )
    .map(({ id }) => id);
