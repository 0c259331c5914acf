import type { Database } from "../../../kernel/storage/database.ts";
import { codingCountsQuery } from "./storage-counts.ts";
import { hasTable, tableColumns } from "./storage-project.ts";
import { nameColumn, textColumn } from "./storage-values.ts";

export interface SourceRow {
  id: number;
  name: string;
  mediapath: string | null;
  memo: string | null;
  date: string | null;
  /** Length of the text in bytes; null if there is no text. */
  size: number | null;
  folder: number | null;
  origin: string | null;
  language: string | null;
  /** A JSON array. */
  topics: string | null;
  organization: string | null;
  /** 1 if the source is hidden from agents. */
  private: number | null;
}

export interface CountedSourceRow extends SourceRow {
  /** Number of codings by visible coders. */
  codings: number;
}

export const allSources = (db: Database): CountedSourceRow[] => {
  const counts = codingCountsQuery(db, { code_text: "fid", code_image: "id", code_av: "id" });
  return db.all(
    `SELECT d.*, ifnull(c.codings, 0) AS codings
       FROM (${sourceQuery(db)}) d LEFT JOIN (${counts}) c ON c.key = d.id
      ORDER BY d.name COLLATE NOCASE, d.id`,
  );
};

/** All source names that the caller can see. */
export const sourceNames = (db: Database): { name: string }[] =>
  db.all(`SELECT ${nameColumn("name")} AS name FROM source`);

/**
 * The name itself, or a variant if a source that the caller cannot see has it: names are unique.
 */
export function freeSourceName(db: Database, name: string): string {
  const isTaken = (wanted: string): boolean =>
    db.get("SELECT 1 FROM main.source WHERE name = ?", wanted) !== undefined;
  let free = name;
  for (let count = 2; isTaken(free); count++) free = `${name} (${count})`;
  return free;
}

/** The sources that agents see under this name instead of their real one. */
export const sourceIdsRenamedForAgents = (db: Database, name: string): number[] =>
  db
    .all<{ id: number }>(
      "SELECT source_id AS id FROM main.lectern_sources WHERE agent_name = ?",
      name,
    )
    .map(({ id }) => id);

/** Does not read the texts. */
export const countSources = (db: Database): number =>
  db.get<{ count: number }>("SELECT count(*) AS count FROM source")?.count ?? 0;

/** The whole text of every source, as passages for the read log. */
export const wholeTextPassages = (
  db: Database,
): { source_id: number; source_name: string; start_pos: number; end_pos: number }[] =>
  db.all(
    `SELECT id AS source_id, ${nameColumn("name")} AS source_name, 0 AS start_pos,
            length(${textColumn("fulltext")}) AS end_pos
       FROM source WHERE fulltext <> ''`,
  );

export const findSource = (db: Database, id: number): SourceRow | undefined =>
  db.get(`${sourceQuery(db)} WHERE s.id = ?`, id);

/** The text exactly as stored; empty if there is none. */
export const textOfSource = (db: Database, id: number): string =>
  db.get<{ text: string | null }>(
    `SELECT ${textColumn("fulltext")} AS text FROM source WHERE id = ?`,
    id,
  )?.text ?? "";

/** The stored date of the source that the row in `lectern_sources` was written for. */
export const sourceExtrasDate = (db: Database, id: number): { date: string | null } | undefined =>
  db.get("SELECT source_date AS date FROM lectern_sources WHERE source_id = ?", id);

/** The rows that refer to a source and must be deleted with it. */
export const dependentRowsOfSource = (
  db: Database,
  id: number,
): { table: DependentTable; id: number }[] =>
  dependentTables
    .filter(({ table }) => hasTable(db, table))
    .flatMap(({ table, where }) =>
      db
        .all<{ id: number }>(`SELECT rowid AS id FROM main.${table} WHERE ${where}`, id)
        .map((row) => ({ table, id: row.id })),
    );

const dependentTables = [
  { table: "code_text", where: "fid = ?" },
  { table: "code_image", where: "id = ?" },
  { table: "code_av", where: "id = ?" },
  { table: "annotation", where: "fid = ?" },
  { table: "case_text", where: "fid = ?" },
  { table: "attribute", where: "attr_type = 'file' AND id = ?" },
  { table: "lectern_sources", where: "source_id = ?" },
  { table: "lectern_inbox", where: "source_id = ?" },
] as const;

type DependentTable = (typeof dependentTables)[number]["table"];

/**
 * The id of the next source. Another program may have deleted a source and left rows that refer to
 * it; its id is not reused, so that a new source does not inherit codings or privacy.
 */
export function nextSourceId(db: Database): number {
  const last = db.get<{ id: number }>("SELECT ifnull(max(rowid), 0) AS id FROM main.source");
  let id = (last?.id ?? 0) + 1;
  while (dependentRowsOfSource(db, id).length > 0) id++;
  return id;
}

/** Counts the codings among the dependent rows, including those of hidden coders. */
export const countCodings = (rows: readonly { table: DependentTable }[]): number =>
  rows.filter(({ table }) => table.startsWith("code_")).length;

/** A source with the columns of `lectern_sources`, if they were written for the same source. */
function sourceQuery(db: Database): string {
  const columns = tableColumns(db, "lectern_sources");
  const hasOwn = columns.length > 0;
  const own = ["folder_id", "origin", "language", "topics", "organization"]
    .map((column) => `${hasOwn ? `o.${column}` : "NULL"} AS ${column}`)
    .join(", ")
    .replace("AS folder_id", "AS folder");
  // Unlike the other columns, privacy applies to the id regardless of the date, as in the privacy
  // views.
  const isPrivate = columns.includes("private") ? "p.private" : "NULL";
  const join = hasOwn
    ? `LEFT JOIN lectern_sources o ON o.source_id = s.id AND o.source_date IS s.date
       LEFT JOIN lectern_sources p ON p.source_id = s.id`
    : "";
  return `SELECT s.id, ${nameColumn("s.name")} AS name, ${textColumn("s.mediapath")} AS mediapath,
                 ${textColumn("s.memo")} AS memo, s.date, octet_length(s.fulltext) AS size, ${own},
                 ${isPrivate} AS private
            FROM source s ${join}`;
}
