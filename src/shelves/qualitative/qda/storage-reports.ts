import type { Database } from "../../../kernel/database.ts";
import { columnsOf, hasTable } from "./storage-project.ts";
import { isShown } from "./storage-segments.ts";
import { areNumbers, nameIn, numberIn, textIn } from "./storage-values.ts";

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
  /** Code points of a text, milliseconds of a recording; null on a picture. */
  start: number | null;
  end: number | null;
  text: string | null;
  /** A rectangle on a picture or on a page of a PDF. */
  x: number | null;
  y: number | null;
  width: number | null;
  height: number | null;
  page: number | null;
}

/** What the columns of a kind are called in its table; what it has no column for is null. */
const places = {
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

/** Every coding, without those of coders whom the researcher has hidden. */
export const shownCodings = (db: Database): CodingRow[] =>
  Object.entries(places).flatMap(([kind, { table, ...place }]) => {
    const has = columnsOf(db, table);
    if (has.length === 0) return [];
    const parts: Record<string, string> = { code: "cid", importance: "important", ...place };
    const column = (as: string, read: (column: string) => string) => {
      const name = parts[as] ?? as;
      return `${has.includes(name) ? read(name) : "NULL"} AS "${as}"`;
    };
    const columns = [
      ...["owner", "date", "memo", "text"].map((as) => column(as, textIn)),
      ...["code", "source", "start", "end"].map((as) => column(as, numberIn)),
      ...["x", "y", "width", "height", "page"].map((as) => column(as, numberIn)),
      column("importance", (name) => `ifnull(${numberIn(name)}, 0)`),
    ];
    const needed = ["code", "source", "start", "end"].flatMap((as) => parts[as] ?? []);
    return db.all(
      `SELECT ? AS kind, rowid AS id, ${columns.join(", ")} FROM ${table}
        WHERE ${areNumbers(...needed)} AND ${isShown(db)}
        ORDER BY source, start, "end" DESC, rowid`,
      kind,
    );
  });

/** Numbers and names alone: sizes and counts cost a walk through every text. */
export const sourceTitles = (db: Database): { id: number; name: string }[] =>
  db.all(`SELECT id, ${nameIn("name")} AS name FROM source ORDER BY name COLLATE NOCASE, id`);

/** A part of a source that belongs to a case; all of it where both positions are zero. */
export interface CasePart {
  case: number;
  source: number;
  start: number;
  end: number;
}

export const caseParts = (db: Database): CasePart[] =>
  rowsOf(
    db,
    "case_text",
    'caseid AS "case", fid AS source, pos0 AS start, pos1 AS "end"',
    areNumbers("caseid", "fid", "pos0", "pos1"),
  );

/** Attributes by name; each is of sources or of cases. */
export const attributeKinds = (db: Database): { name: string; of: string }[] =>
  rowsOf(db, "attribute_type", 'name, caseOrFile AS "of"', "typeof(name) = 'text'");

/** The values of an attribute, for whoever has one. */
export const attributeValues = (
  db: Database,
  { name, of }: { name: string; of: string },
): { id: number; value: string | null }[] =>
  hasTable(db, "attribute")
    ? db.all(
        `SELECT id, ${textIn("value")} AS value FROM attribute WHERE name = ? AND attr_type = ?`,
        name,
        of,
      )
    : [];

/** None where a project of another age has no such table. */
const rowsOf = <Row>(db: Database, table: string, columns: string, where: string): Row[] =>
  hasTable(db, table) ? db.all(`SELECT ${columns} FROM ${table} WHERE ${where}`) : [];
