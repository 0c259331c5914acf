import type { Database } from "../../../kernel/storage/database.ts";
import type { KnownCoders } from "../project/coder.ts";
import { hasTable, projectRow, tableColumns } from "./storage-project.ts";
import { textColumn } from "./storage-values.ts";

export interface CoderRow {
  id: number;
  name: string;
  isHidden: number;
  codings: number;
}

/** Everyone who has coded or is listed; the id is 0 for coders who are not listed. */
export const allCoders = (db: Database): CoderRow[] => {
  const isListed = hasTable(db, "coder_names");
  const listed = isListed
    ? "SELECT rowid AS id, name, visibility IS 0 AS isHidden FROM coder_names"
    : "SELECT 0 AS id, '' AS name, 0 AS isHidden WHERE 0";
  return db.all(
    `WITH listed AS (${listed}),
          counted AS (SELECT ${textColumn("owner")} AS name, count(*) AS codings
                        FROM code_text WHERE owner <> '' GROUP BY 1),
          every AS (SELECT name FROM listed UNION SELECT name FROM counted)
     SELECT ifnull(l.id, 0) AS id, e.name, ifnull(l.isHidden, 0) AS isHidden,
            ifnull(c.codings, 0) AS codings
       FROM every e LEFT JOIN listed l ON l.name = e.name LEFT JOIN counted c ON c.name = e.name
      ORDER BY e.name COLLATE NOCASE`,
  );
};

/** Empty for older projects, which have no list. */
export const allListedCoders = (db: Database): { name: string; visibility: number }[] =>
  hasTable(db, "coder_names")
    ? db.all("SELECT name, visibility FROM coder_names ORDER BY rowid")
    : [];

/** QualCoder shows only listed coders. Older projects have no list. */
export function ensureCoderListed(db: Database, name: string): void {
  if (!hasTable(db, "coder_names")) return;
  db.run("INSERT OR IGNORE INTO coder_names (name, visibility) VALUES (?, 1)", name);
}

/** Records that this name belongs to an agent. */
export const ensureAgentListed = (db: Database, name: string): void => {
  db.run("INSERT OR IGNORE INTO lectern_agents (name) VALUES (?)", name);
};

/** The names under which agents have written. */
export const allListedAgents = (db: Database): string[] =>
  hasTable(db, "lectern_agents")
    ? db.all<{ name: string }>("SELECT name FROM lectern_agents").map(({ name }) => name)
    : [];

export const knownCodersOf = (db: Database): KnownCoders => ({
  codername: projectRow(db)?.codername,
  agents: allListedAgents(db),
  allNames: () => everyCoderName(db),
});

/** Everyone who is listed or owns a row, including rows of private sources. */
const everyCoderName = (db: Database): string[] =>
  Object.entries(coderColumns)
    .filter(([table, column]) => tableColumns(db, table).includes(column))
    .flatMap(([table, column]) =>
      db.all<{ name: string }>(
        `SELECT DISTINCT ${textColumn(column)} AS name FROM main.${table} WHERE ${column} <> ''`,
      ),
    )
    .map(({ name }) => name);

/** The owner column of each table. */
const coderColumns = {
  coder_names: "name",
  source: "owner",
  code_cat: "owner",
  code_name: "owner",
  code_text: "owner",
  code_image: "owner",
  code_av: "owner",
  annotation: "owner",
  cases: "owner",
  case_text: "owner",
  attribute_type: "owner",
  attribute: "owner",
  journal: "owner",
};
