import type { Database } from "../../../kernel/storage/database.ts";
import { tableColumns } from "./storage-project.ts";
import { nameColumn, textColumn } from "./storage-values.ts";

/** The name of a SQL function of the connection that returns the caller: `agent` or `person`. */
export const callerFunctionName = "lectern_who_asks";

/** Whether the current caller can see this source. */
export const isVisibleSource = (db: Database, id: number): boolean =>
  db.get("SELECT 1 FROM source WHERE id = ?", id) !== undefined;

/** The ids of all sources that the current caller can see. */
export const visibleSourceIds = (db: Database): number[] =>
  db.all<{ id: number }>("SELECT id FROM source").map(({ id }) => id);

/** All private sources, regardless of the caller. Privacy applies to the id, as in the views. */
export const privateSources = (db: Database): { name: string; mediapath: string | null }[] =>
  tableColumns(db, "lectern_sources").includes("private")
    ? db.all(
        `SELECT ${nameColumn("s.name")} AS name, ${textColumn("s.mediapath")} AS mediapath
           FROM main.source s JOIN main.lectern_sources p ON p.source_id = s.id
          WHERE p.private = 1`,
      )
    : [];

/** Includes ids of sources that another program has deleted. */
export const privateSourceIds = (db: Database): number[] =>
  tableColumns(db, "lectern_sources").includes("private")
    ? db
        .all<{ id: number }>("SELECT source_id AS id FROM main.lectern_sources WHERE private = 1")
        .map(({ id }) => id)
    : [];

/** The expression for the source of a row, in each table that refers to sources. */
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
 * Creates temporary views on this connection that leave out private sources, and all rows about
 * them, while the caller is an agent. The views have the names of the tables, so every statement is
 * filtered without being changed; a statement that must see all rows names the table as
 * `main.source`. Privacy applies to the id regardless of the date of the source: in doubt, an agent
 * sees less. Another process may have marked the first private source since the connection was
 * opened, or a copy of the database may have replaced the file. So this runs before each read for
 * an agent, and compares the views with the current tables.
 */
export function ensurePrivacyViews(db: Database): void {
  const current = privacyViewsOf(db).filter(
    (table) => table !== "source" || isCurrentSourceView(db),
  );
  const needed = tableColumns(db, "lectern_sources").includes("private") ? sourceTablesOf(db) : [];
  for (const table of privacyViewsOf(db)) {
    if (!current.includes(table) || !needed.includes(table)) db.exec(`DROP VIEW temp.${table}`);
  }
  for (const table of needed.filter((name) => !current.includes(name))) {
    const columns = table === "source" ? sourceViewColumns(db) : "t.*";
    db.exec(
      `CREATE TEMP VIEW ${table} AS
         SELECT t.rowid AS rowid, ${columns} FROM main.${table} t WHERE NOT EXISTS (
           SELECT 1 FROM main.lectern_sources p
            WHERE p.source_id = ${sourceColumns[table]} AND p.private = 1
              AND ${callerFunctionName}() = 'agent')`,
    );
  }
}

/** Whether the view has all columns of the table, and replaces names for agents. */
function isCurrentSourceView(db: Database): boolean {
  const view = db.get<{ sql: string }>(
    "SELECT sql FROM temp.sqlite_schema WHERE name = 'source'",
  )?.sql;
  return view?.includes(sourceViewColumns(db)) === true;
}

/** The columns of the view: agents may see another name than the real one. */
function sourceViewColumns(db: Database): string {
  if (!tableColumns(db, "lectern_sources").includes("agent_name")) return "t.*";
  const agentName = `(SELECT p.agent_name FROM main.lectern_sources p WHERE p.source_id = t.id)`;
  const name = `CASE ${callerFunctionName}() WHEN 'agent' THEN ifnull(${agentName}, t.name) ELSE t.name END`;
  return tableColumns(db, "source")
    .map((column) => (column === "name" ? `${name} AS name` : `t."${column}"`))
    .join(", ");
}

type SourceTable = keyof typeof sourceColumns;

const sourceTableList = Object.keys(sourceColumns)
  .map((table) => `'${table}'`)
  .join(", ");

const namesIn = (schema: "main" | "temp", type: "table" | "view") => (db: Database) =>
  db
    .all<{ name: SourceTable }>(
      `SELECT lower(name) AS name FROM ${schema}.sqlite_schema
        WHERE type = '${type}' AND lower(name) IN (${sourceTableList})`,
    )
    .map(({ name }) => name);

const sourceTablesOf = namesIn("main", "table");
const privacyViewsOf = namesIn("temp", "view");
