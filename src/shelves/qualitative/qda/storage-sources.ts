import type { Database } from "../../../kernel/database.ts";
import { codingCounts } from "./storage-counts.ts";
import { columnsOf, hasTable } from "./storage-project.ts";
import { nameIn, textIn } from "./storage-values.ts";

export interface SourceRow {
  id: number;
  name: string;
  mediapath: string | null;
  memo: string | null;
  date: string | null;
  /** Bytes of the text; null where a source has none. */
  size: number | null;
  folder: number | null;
  origin: string | null;
  language: string | null;
  /** A JSON array. */
  topics: string | null;
  organization: string | null;
  /** 1 where agents do not see it. */
  private: number | null;
}

export interface CountedSourceRow extends SourceRow {
  /** How often something in it is coded, by coders who are not hidden. */
  codings: number;
}

export const allSources = (db: Database): CountedSourceRow[] => {
  const counts = codingCounts(db, { code_text: "fid", code_image: "id", code_av: "id" });
  return db.all(
    `SELECT d.*, ifnull(c.codings, 0) AS codings
       FROM (${described(db)}) d LEFT JOIN (${counts}) c ON c.key = d.id
      ORDER BY d.name COLLATE NOCASE, d.id`,
  );
};

/** All names that whoever asks can know to be taken. */
export const sourceNames = (db: Database): { name: string }[] =>
  db.all(`SELECT ${nameIn("name")} AS name FROM source`);

/** The name itself, or one like it where a source that nobody may know of has it: a name is unique. */
export function freeSourceName(db: Database, name: string): string {
  const isTaken = (wanted: string): boolean =>
    db.get("SELECT 1 FROM main.source WHERE name = ?", wanted) !== undefined;
  let free = name;
  for (let count = 2; isTaken(free); count++) free = `${name} (${count})`;
  return free;
}

/** The sources that agents know by this name, which is not their own. */
export const namedForAgents = (db: Database, name: string): number[] =>
  db
    .all<{ id: number }>(
      "SELECT source_id AS id FROM main.lectern_sources WHERE agent_name = ?",
      name,
    )
    .map(({ id }) => id);

/** How many there are, without a walk through every text. */
export const countSources = (db: Database): number =>
  db.get<{ count: number }>("SELECT count(*) AS count FROM source")?.count ?? 0;

/** Every text from its first code point to its last. */
export const wholeTexts = (
  db: Database,
): { source_id: number; source_name: string; start_pos: number; end_pos: number }[] =>
  db.all(
    `SELECT id AS source_id, ${nameIn("name")} AS source_name, 0 AS start_pos,
            length(${textIn("fulltext")}) AS end_pos
       FROM source WHERE fulltext <> ''`,
  );

export const findSource = (db: Database, id: number): SourceRow | undefined =>
  db.get(`${described(db)} WHERE s.id = ?`, id);

/** The text exactly as it is stored; empty where a source has none. */
export const textOfSource = (db: Database, id: number): string =>
  db.get<{ text: string | null }>(
    `SELECT ${textIn("fulltext")} AS text FROM source WHERE id = ?`,
    id,
  )?.text ?? "";

/** The date of the source that we keep something of under this number. */
export const dateBeside = (db: Database, id: number): { date: string | null } | undefined =>
  db.get("SELECT source_date AS date FROM lectern_sources WHERE source_id = ?", id);

/** What refers to a source, table by table, and would be left without it. */
export const belongingsOf = (db: Database, id: number): { table: Belonging; id: number }[] =>
  belongings
    .filter(({ table }) => hasTable(db, table))
    .flatMap(({ table, where }) =>
      db
        .all<{ id: number }>(`SELECT rowid AS id FROM main.${table} WHERE ${where}`, id)
        .map((row) => ({ table, id: row.id })),
    );

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

/**
 * The number of the next source. Another program may have deleted one and left what belongs to it:
 * its number is not given again, so that nobody inherits its codings or its privacy.
 */
export function freeSourceNumber(db: Database): number {
  const last = db.get<{ id: number }>("SELECT ifnull(max(rowid), 0) AS id FROM main.source");
  let id = (last?.id ?? 0) + 1;
  while (belongingsOf(db, id).length > 0) id++;
  return id;
}

/** Of what belongs to a source, the codings, those of hidden coders too. */
export const codingsAmongThem = (rows: readonly { table: Belonging }[]): number =>
  rows.filter(({ table }) => table.startsWith("code_")).length;

/** A source, and what we keep of it if it is still the same. */
function described(db: Database): string {
  const known = columnsOf(db, "lectern_sources");
  const hasOwn = known.length > 0;
  const own = ["folder_id", "origin", "language", "topics", "organization"]
    .map((column) => `${hasOwn ? `o.${column}` : "NULL"} AS ${column}`)
    .join(", ")
    .replace("AS folder_id", "AS folder");
  // Unlike the rest, this holds for the number alone, as it does where agents are kept away.
  const isPrivate = known.includes("private") ? "p.private" : "NULL";
  const join = hasOwn
    ? `LEFT JOIN lectern_sources o ON o.source_id = s.id AND o.source_date IS s.date
       LEFT JOIN lectern_sources p ON p.source_id = s.id`
    : "";
  return `SELECT s.id, ${nameIn("s.name")} AS name, ${textIn("s.mediapath")} AS mediapath,
                 ${textIn("s.memo")} AS memo, s.date, octet_length(s.fulltext) AS size, ${own},
                 ${isPrivate} AS private
            FROM source s ${join}`;
}
