import type { Database } from "../../../kernel/database.ts";
import type { KnownCoders } from "../coder.ts";
import { columnsOf, hasTable, projectRow } from "./storage-project.ts";
import { textIn } from "./storage-values.ts";

export interface CoderRow {
  id: number;
  name: string;
  isHidden: number;
  codings: number;
}

/** Everybody who has coded something or is in the list; the number is 0 for who is not listed. */
export const allCoders = (db: Database): CoderRow[] => {
  const isListed = hasTable(db, "coder_names");
  const listed = isListed
    ? "SELECT rowid AS id, name, visibility IS 0 AS isHidden FROM coder_names"
    : "SELECT 0 AS id, '' AS name, 0 AS isHidden WHERE 0";
  return db.all(
    `WITH listed AS (${listed}),
          counted AS (SELECT ${textIn("owner")} AS name, count(*) AS codings
                        FROM code_text WHERE owner <> '' GROUP BY 1),
          every AS (SELECT name FROM listed UNION SELECT name FROM counted)
     SELECT ifnull(l.id, 0) AS id, e.name, ifnull(l.isHidden, 0) AS isHidden,
            ifnull(c.codings, 0) AS codings
       FROM every e LEFT JOIN listed l ON l.name = e.name LEFT JOIN counted c ON c.name = e.name
      ORDER BY e.name COLLATE NOCASE`,
  );
};

/** The coders that a project lists; older ones have no list. */
export const listedCoders = (db: Database): { name: string; visibility: number }[] =>
  hasTable(db, "coder_names")
    ? db.all("SELECT name, visibility FROM coder_names ORDER BY rowid")
    : [];

/** QualCoder shows only coders whose names are in its list, which older projects have not. */
export function listCoder(db: Database, name: string): void {
  if (!hasTable(db, "coder_names")) return;
  db.run("INSERT OR IGNORE INTO coder_names (name, visibility) VALUES (?, 1)", name);
}

/** Remembers that whoever codes under this name is no person. */
export const listAgent = (db: Database, name: string): void => {
  db.run("INSERT OR IGNORE INTO lectern_agents (name) VALUES (?)", name);
};

/** The names under which agents have written. */
export const listedAgents = (db: Database): string[] =>
  hasTable(db, "lectern_agents")
    ? db.all<{ name: string }>("SELECT name FROM lectern_agents").map(({ name }) => name)
    : [];

export const codersIn = (db: Database): KnownCoders => ({
  codername: projectRow(db)?.codername,
  agents: listedAgents(db),
  everybody: () => everyName(db),
});

/** Whoever is listed or has made anything, in a private source too. */
const everyName = (db: Database): string[] =>
  Object.entries(coderColumns)
    .filter(([table, column]) => columnsOf(db, table).includes(column))
    .flatMap(([table, column]) =>
      db.all<{ name: string }>(
        `SELECT DISTINCT ${textIn(column)} AS name FROM main.${table} WHERE ${column} <> ''`,
      ),
    )
    .map(({ name }) => name);

/** Where a coder is named. */
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
