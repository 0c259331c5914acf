import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";
import { isShown } from "./storage-segments.ts";

export interface SourceRow {
  id: number;
  name: string;
  mediapath: string | null;
  memo: string | null;
  date: string | null;
  /** Bytes of the text; null where a source has none. */
  size: number | null;
  /** How often something in it is coded, by coders who are not hidden. */
  codings: number;
  folder: number | null;
  origin: string | null;
  language: string | null;
  /** A JSON array. */
  topics: string | null;
  organization: string | null;
  /** 1 where agents do not see it. */
  private: number | null;
}

export const allSources = (db: Database): SourceRow[] =>
  db.all(`${described(db)} ORDER BY s.name COLLATE NOCASE, s.id`);

/** All names that are taken, those of private sources too. */
export const sourceNames = (db: Database): { name: string }[] =>
  db.all("SELECT name FROM main.source");

/** Where the files of sources lie that whoever asks does not see. */
export const hiddenFiles = (db: Database): string[] =>
  db
    .all<{ mediapath: string }>(
      `SELECT mediapath FROM main.source
        WHERE mediapath <> '' AND id NOT IN (SELECT id FROM source)`,
    )
    .map(({ mediapath }) => mediapath);

/** How many there are, without a walk through every text. */
export const countSources = (db: Database): number =>
  db.get<{ count: number }>("SELECT count(*) AS count FROM source")?.count ?? 0;

/** Every text from its first code point to its last. */
export const wholeTexts = (
  db: Database,
): { source_id: number; source_name: string; start_pos: number; end_pos: number }[] =>
  db.all(
    `SELECT id AS source_id, name AS source_name, 0 AS start_pos, length(fulltext) AS end_pos
       FROM source WHERE fulltext <> ''`,
  );

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
          .all<{ id: number }>(`SELECT rowid AS id FROM main.${table} WHERE ${where}`, id)
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
  { table: "lectern_inbox", where: "source_id = ?" },
] as const;

type Belonging = (typeof belongings)[number]["table"];

/** Of what belongs to a source, the codings, those of hidden coders too. */
export const codingsAmongThem = (rows: readonly { table: Belonging }[]): number =>
  rows.filter(({ table }) => table.startsWith("code_")).length;

/** What we keep of a source besides, if it is still the same one. */
function described(db: Database): string {
  const known = columnsOf(db, "lectern_sources");
  const hasOwn = known.length > 0;
  const own = ["folder_id", "origin", "language", "topics", "organization"]
    .map((column) => `${hasOwn ? `o.${column}` : "NULL"} AS ${column}`)
    .join(", ")
    .replace("AS folder_id", "AS folder");
  // Unlike the rest, this holds for the number alone, as it does where agents are kept away.
  const isPrivate = known.includes("private")
    ? "(SELECT p.private FROM lectern_sources p WHERE p.source_id = s.id)"
    : "NULL";
  const join = hasOwn
    ? "LEFT JOIN lectern_sources o ON o.source_id = s.id AND o.source_date IS s.date"
    : "";
  const codings = [
    ["code_text", "fid"],
    ["code_image", "id"],
    ["code_av", "id"],
  ]
    .filter(([table = ""]) => columnsOf(db, table).length > 0)
    .map(
      ([table, source]) =>
        `(SELECT count(*) FROM ${table} c WHERE c.${source} = s.id AND ${isShown(db, "c.owner")})`,
    );
  return `SELECT s.id, s.name, s.mediapath, s.memo, s.date,
                 length(CAST(s.fulltext AS BLOB)) AS size, ${codings.join(" + ")} AS codings, ${own}, ${isPrivate} AS private
            FROM source s ${join}`;
}
