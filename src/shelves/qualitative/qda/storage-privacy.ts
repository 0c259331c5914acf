import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

/** The function of a connection that says who asks: `agent`, or anybody else. */
export const whoAsks = "lectern_who_asks";

/** Where a source is named in a table, so that its rows can be left out with it. */
const sourceColumns = {
  source: "id",
  code_text: "fid",
  code_image: "id",
  code_av: "id",
  annotation: "fid",
  case_text: "fid",
  lectern_inbox: "source_id",
  attribute: "CASE attr_type WHEN 'file' THEN id ELSE 0 END",
} as const;

/**
 * Lays views over the tables of this connection which leave out private sources, and whatever
 * belongs to them, while an agent asks. They have the tables' own names, so that no statement needs
 * to think of it; one that must see every row names the table as `main.source`. A mark holds for its
 * number whatever became of the source's date: in doubt, an agent sees less.
 */
export function hidePrivate(db: Database): void {
  if (!columnsOf(db, "lectern_sources").includes("private")) return;
  const isPrivate = `SELECT source_id FROM main.lectern_sources
                      WHERE private = 1 AND ${whoAsks}() = 'agent'`;
  for (const [table, column] of Object.entries(sourceColumns)) {
    if (columnsOf(db, table).length === 0) continue;
    db.exec(
      `CREATE TEMP VIEW IF NOT EXISTS ${table} AS
         SELECT rowid AS rowid, * FROM main.${table} WHERE ${column} NOT IN (${isPrivate})`,
    );
  }
}
