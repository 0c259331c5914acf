import type { Database } from "../../../kernel/storage/database.ts";
import { hasTable } from "./storage-project.ts";
import { areIntegerColumns, nameColumn, textColumn } from "./storage-values.ts";

export interface CaseRow {
  id: number;
  name: string;
  memo: string | null;
}

export const allCases = (db: Database): CaseRow[] =>
  hasTable(db, "cases")
    ? db.all(
        `SELECT caseid AS id, ${nameColumn("name")} AS name, ${textColumn("memo")} AS memo
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

/** What can have attributes. Journals can too, but only QualCoder sets those. */
export type AttributeOwner = "case" | "file";

export const findCase = (
  db: Database,
  name: string,
): { id: number; name: string; memo: string | null; date: string | null } | undefined =>
  hasTable(db, "cases")
    ? db.get(
        `SELECT caseid AS id, ${nameColumn("name")} AS name, ${textColumn("memo")} AS memo, date
           FROM cases WHERE ${nameColumn("name")} = ?`,
        name,
      )
    : undefined;

export const linksOfCase = (db: Database, id: number): CaseLinkRow[] =>
  db.all(`${caseLinksQuery} AND t.caseid = ? ${inOrder}`, id);

/** All cases in one query, because there is no index from a case to its links. */
export const allCaseLinks = (db: Database): (CaseLinkRow & { case: number })[] =>
  hasTable(db, "case_text") ? db.all(`${caseLinksQuery} ${inOrder}`) : [];

/** Links without a case, a source or positions are left out. */
const caseLinksQuery = `SELECT t.rowid AS id, t.caseid AS "case", t.fid AS source,
                      ${nameColumn("s.name")} AS sourceName, t.pos0 AS start, t.pos1 AS "end"
                 FROM case_text t JOIN source s ON s.id = t.fid
                WHERE ${areIntegerColumns("t.caseid", "t.pos0", "t.pos1")}`;

const inOrder = "ORDER BY s.name, t.pos0, t.rowid";

/** The rows to delete with a case, including those of private sources. */
export const dependentRowsOfCase = (
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

export const attributesOfOwner = (
  db: Database,
  owner: AttributeOwner,
  id: number,
): AttributeRow[] =>
  hasTable(db, "attribute") ? db.all(`${attributesQuery} AND id = ? ${byName}`, owner, id) : [];

export const findAttribute = (
  db: Database,
  { of, whose, name }: { of: AttributeOwner; whose: number; name: string },
): AttributeRow | undefined =>
  hasTable(db, "attribute")
    ? db.get(`${attributesQuery} AND id = ? AND name = ?`, of, whose, name)
    : undefined;

/** All cases or sources in one query, because there is no index from one to its attributes. */
export const allAttributes = (
  db: Database,
  owner: AttributeOwner,
): (AttributeRow & { whose: number })[] =>
  hasTable(db, "attribute") ? db.all(`${attributesQuery} ${byName}`, owner) : [];

const attributesQuery = `SELECT rowid AS id, id AS whose, name, ${textColumn("value")} AS value
                      FROM attribute WHERE attr_type = ? AND typeof(name) = 'text'`;

const byName = "ORDER BY name COLLATE NOCASE";

export interface AttributeTypeRow {
  name: string;
  owner: string;
  type: string;
  memo: string | null;
}

export const allAttributeTypes = (db: Database): AttributeTypeRow[] =>
  hasTable(db, "attribute_type")
    ? db.all(
        `SELECT name, ${textColumn("caseOrFile")} AS owner,
                ifnull(${textColumn("valuetype")}, 'character') AS type, ${textColumn("memo")} AS memo
           FROM attribute_type
          WHERE typeof(name) = 'text' AND caseOrFile IS NOT NULL
          ORDER BY name COLLATE NOCASE`,
      )
    : [];

/** The ids of all cases or sources, including private sources. */
export const attributeOwnerIds = (db: Database, owner: AttributeOwner): number[] =>
  db
    .all<{ id: number }>(
      owner === "case" ? "SELECT caseid AS id FROM cases" : "SELECT id FROM main.source",
    )
    .map(({ id }) => id);
