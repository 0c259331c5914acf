import type { Database } from "../../../kernel/storage/database.ts";
import { hasTable, tableColumns } from "./storage-project.ts";
import { ownerVisibleCondition } from "./storage-segments.ts";
import { areIntegerColumns, integerColumn, nameColumn, textColumn } from "./storage-values.ts";

/** A coding of any kind, in a text, on a picture or in a recording. */
export interface CodingRow {
  kind: "text" | "image" | "av";
  id: number;
  source: number;
  code: number;
  owner: string | null;
  date: string | null;
  memo: string | null;
  importance: number;
  /** In code points of a text or milliseconds of a recording; null for a picture. */
  start: number | null;
  end: number | null;
  text: string | null;
  /** Rectangle on a picture or a PDF page. */
  x: number | null;
  y: number | null;
  width: number | null;
  height: number | null;
  page: number | null;
}

/** The column names in the table of each kind; null if the table has no such column. */
const columnsByKind = {
  text: { table: "code_text", source: "fid", start: "pos0", end: "pos1", text: "seltext" },
  av: { table: "code_av", source: "id", start: "pos0", end: "pos1" },
  image: {
    table: "code_image",
    source: "id",
    x: "x1",
    y: "y1",
    width: "width",
    height: "height",
    page: "pdf_page",
  },
} as const;

/** All codings except those of hidden coders. */
export const visibleCodings = (db: Database): CodingRow[] =>
  Object.entries(columnsByKind).flatMap(([kind, { table, ...place }]) => {
    const has = tableColumns(db, table);
    if (has.length === 0) return [];
    const parts: Record<string, string> = { code: "cid", importance: "important", ...place };
    const column = (as: string, read: (column: string) => string) => {
      const name = parts[as] ?? as;
      return `${has.includes(name) ? read(name) : "NULL"} AS "${as}"`;
    };
    const columns = [
      ...["owner", "date", "memo", "text"].map((as) => column(as, textColumn)),
      ...["code", "source", "start", "end"].map((as) => column(as, integerColumn)),
      ...["x", "y", "width", "height", "page"].map((as) => column(as, integerColumn)),
      column("importance", (name) => `ifnull(${integerColumn(name)}, 0)`),
    ];
    const needed = ["code", "source", "start", "end"].flatMap((as) => parts[as] ?? []);
    return db.all(
      `SELECT ? AS kind, rowid AS id, ${columns.join(", ")} FROM ${table}
        WHERE ${areIntegerColumns(...needed)} AND ${ownerVisibleCondition(db)}
        ORDER BY source, start, "end" DESC, rowid`,
      kind,
    );
  });

/** Only ids and names: sizes and counts would read every text. */
export const sourceTitles = (db: Database): { id: number; name: string }[] =>
  db.all(`SELECT id, ${nameColumn("name")} AS name FROM source ORDER BY name COLLATE NOCASE, id`);

/** A part of a source that is linked to a case; the whole source if both positions are zero. */
export interface CasePart {
  case: number;
  source: number;
  start: number;
  end: number;
}

export const allCaseParts = (db: Database): CasePart[] =>
  rowsIfTable(
    db,
    "case_text",
    'caseid AS "case", fid AS source, pos0 AS start, pos1 AS "end"',
    areIntegerColumns("caseid", "fid", "pos0", "pos1"),
  );

/** All attributes with their owner, a source or a case, ordered by name. */
export const allAttributeKinds = (db: Database): { name: string; of: string }[] =>
  rowsIfTable(db, "attribute_type", 'name, caseOrFile AS "of"', "typeof(name) = 'text'");

/** The values of an attribute by owner. */
export const valuesOfAttribute = (
  db: Database,
  { name, of }: { name: string; of: string },
): { id: number; value: string | null }[] =>
  hasTable(db, "attribute")
    ? db.all(
        `SELECT id, ${textColumn("value")} AS value FROM attribute WHERE name = ? AND attr_type = ?`,
        name,
        of,
      )
    : [];

/** Empty if the project's version has no such table. */
const rowsIfTable = <Row>(db: Database, table: string, columns: string, where: string): Row[] =>
  hasTable(db, table) ? db.all(`SELECT ${columns} FROM ${table} WHERE ${where}`) : [];
