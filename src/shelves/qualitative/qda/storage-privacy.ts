import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";
import { nameIn, textIn } from "./storage-values.ts";

/** The function of a connection that says who asks: `agent`, or anybody else. */
export const whoAsks = "lectern_who_asks";

/** Whether whoever asks sees the source of this number. */
export const isSeenSource = (db: Database, id: number): boolean =>
  db.get("SELECT 1 FROM source WHERE id = ?", id) !== undefined;

/** The sources that are private, whoever asks. A mark holds for a number, as in the views. */
export const privateSources = (db: Database): { name: string; mediapath: string | null }[] =>
  columnsOf(db, "lectern_sources").includes("private")
    ? db.all(
        `SELECT ${nameIn("s.name")} AS name, ${textIn("s.mediapath")} AS mediapath
           FROM main.source s JOIN main.lectern_sources p ON p.source_id = s.id
          WHERE p.private = 1`,
      )
    : [];

/** Their numbers, also of sources that another program has deleted. */
export const privateNumbers = (db: Database): number[] =>
  columnsOf(db, "lectern_sources").includes("private")
    ? db
        .all<{ id: number }>("SELECT source_id AS id FROM main.lectern_sources WHERE private = 1")
        .map(({ id }) => id)
    : [];

/** Where a source is named in a table, so that its rows can be left out with it. */
const sourceColumns = {
  source: "t.id",
  code_text: "t.fid",
  code_image: "t.id",
  code_av: "t.id",
  annotation: "t.fid",
  case_text: "t.fid",
  lectern_inbox: "t.source_id",
  attribute: "CASE t.attr_type WHEN 'file' THEN t.id ELSE 0 END",
} as const;

/**
 * Lays views over the tables of this connection which leave out private sources, and whatever
 * belongs to them, while an agent asks. They have the tables' own names, so that no statement needs
 * to think of it; one that must see every row names the table as `main.source`. A mark holds for its
 * number whatever became of the source's date: in doubt, an agent sees less.
 *
 * Another process may have marked the first source since this connection was opened, or a copy of
 * the database may have been put in its place. So this is called before anything is read for an
 * agent, and compares the views with the tables of that moment.
 */
export function hidePrivate(db: Database): void {
  const laid = viewsOver(db).filter((table) => table !== "source" || isWholeView(db));
  const wanted = columnsOf(db, "lectern_sources").includes("private") ? tablesOf(db) : [];
  for (const table of viewsOver(db)) {
    if (!laid.includes(table) || !wanted.includes(table)) db.exec(`DROP VIEW temp.${table}`);
  }
  for (const table of wanted.filter((name) => !laid.includes(name))) {
    const columns = table === "source" ? sourceView(db) : "t.*";
    db.exec(
      `CREATE TEMP VIEW ${table} AS
         SELECT t.rowid AS rowid, ${columns} FROM main.${table} t WHERE NOT EXISTS (
           SELECT 1 FROM main.lectern_sources p
            WHERE p.source_id = ${sourceColumns[table]} AND p.private = 1
              AND ${whoAsks}() = 'agent')`,
    );
  }
}

/** Whether the view over sources has the columns of the table, and the names of agents with them. */
function isWholeView(db: Database): boolean {
  const view = db.get<{ sql: string }>(
    "SELECT sql FROM temp.sqlite_schema WHERE name = 'source'",
  )?.sql;
  return view?.includes(sourceView(db)) === true;
}

/** The columns of a source; agents may know it by another name than its own. */
function sourceView(db: Database): string {
  if (!columnsOf(db, "lectern_sources").includes("agent_name")) return "t.*";
  const known = `(SELECT p.agent_name FROM main.lectern_sources p WHERE p.source_id = t.id)`;
  const name = `CASE ${whoAsks}() WHEN 'agent' THEN ifnull(${known}, t.name) ELSE t.name END`;
  return columnsOf(db, "source")
    .map((column) => (column === "name" ? `${name} AS name` : `t."${column}"`))
    .join(", ");
}

type SourceTable = keyof typeof sourceColumns;

const listed = Object.keys(sourceColumns)
  .map((table) => `'${table}'`)
  .join(", ");

const namesIn = (schema: "main" | "temp", type: "table" | "view") => (db: Database) =>
  db
    .all<{ name: SourceTable }>(
      `SELECT lower(name) AS name FROM ${schema}.sqlite_schema
        WHERE type = '${type}' AND lower(name) IN (${listed})`,
    )
    .map(({ name }) => name);

const tablesOf = namesIn("main", "table");
const viewsOver = namesIn("temp", "view");
