import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

export interface SourceRow {
  id: number;
  name: string;
  mediapath: string | null;
  memo: string | null;
  date: string | null;
  /** Bytes of the text; null where a source has none. */
  size: number | null;
  /** How often something in it is coded, by whomever. */
  codings: number;
  folder: number | null;
  origin: string | null;
  language: string | null;
  /** A JSON array. */
  topics: string | null;
  organization: string | null;
}

export const allSources = (db: Database): SourceRow[] =>
  db.all(`${described(db)} ORDER BY s.name COLLATE NOCASE, s.id`);

/** Names alone, for whoever needs no sizes and counts: those cost a walk through every text. */
export const sourceNames = (db: Database): { name: string }[] => db.all("SELECT name FROM source");

export const findSource = (db: Database, id: number): SourceRow | undefined =>
  db.get(`${described(db)} WHERE s.id = ?`, id);

/** The text exactly as it is stored; empty where a source has none. */
export const textOfSource = (db: Database, id: number): string =>
  db.get<{ text: string | null }>("SELECT fulltext AS text FROM source WHERE id = ?", id)?.text ??
  "";

/** The date of the source that we keep something of under this number. */
export const dateBeside = (db: Database, id: number): { date: string | null } | undefined =>
  db.get("SELECT source_date AS date FROM lectern_sources WHERE source_id = ?", id);

/** What refers to a source, table by table, and would be left without it. */
export function belongingsOf(db: Database, id: number): { table: Belonging; id: number }[] {
  return belongings.flatMap(({ table, where }) =>
    columnsOf(db, table).length === 0
      ? []
      : db
          .all<{ id: number }>(`SELECT rowid AS id FROM ${table} WHERE ${where}`, id)
          .map((row) => ({ table, id: row.id })),
  );
}

const belongings = [
  { table: "code_text", where: "fid = ?" },
  { table: "code_image", where: "id = ?" },
  { table: "code_av", where: "id = ?" },
  { table: "annotation", where: "fid = ?" },
  { table: "case_text", where: "fid = ?" },
  { table: "attribute", where: "attr_type = 'file' AND id = ?" },
  { table: "lectern_sources", where: "source_id = ?" },
] as const;

type Belonging = (typeof belongings)[number]["table"];

/** What we keep of a source besides, if it is still the same one. */
function described(db: Database): string {
  const hasOwn = columnsOf(db, "lectern_sources").length > 0;
  const own = hasOwn
    ? "o.folder_id AS folder, o.origin, o.language, o.topics, o.organization"
    : "NULL AS folder, NULL AS origin, NULL AS language, NULL AS topics, NULL AS organization";
  const join = hasOwn
    ? "LEFT JOIN lectern_sources o ON o.source_id = s.id AND o.source_date IS s.date"
    : "";
  const codings = [
    ["code_text", "fid"],
    ["code_image", "id"],
    ["code_av", "id"],
  ]
    .filter(([table = ""]) => columnsOf(db, table).length > 0)
    .map(([table, source]) => `(SELECT count(*) FROM ${table} c WHERE c.${source} = s.id)`);
  return `SELECT s.id, s.name, s.mediapath, s.memo, s.date,
                 length(CAST(s.fulltext AS BLOB)) AS size, ${codings.join(" + ")} AS codings, ${own}
            FROM source s ${join}`;
}
