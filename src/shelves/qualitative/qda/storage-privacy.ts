import type { Database } from "../../../kernel/database.ts";
import { columnsOf, hasTable } from "./storage-project.ts";

/** The function of a connection that says who asks: `agent`, or anybody else. */
export const whoAsks = "lectern_who_asks";

/** Whether whoever asks sees the source of this number. */
export const isSeenSource = (db: Database, id: number): boolean =>
  db.get("SELECT 1 FROM source WHERE id = ?", id) !== undefined;

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
 */
export function hidePrivate(db: Database): void {
  if (!columnsOf(db, "lectern_sources").includes("private")) return;
  for (const [table, column] of Object.entries(sourceColumns)) {
    if (!hasTable(db, table)) continue;
    db.exec(
      `CREATE TEMP VIEW IF NOT EXISTS ${table} AS
         SELECT t.rowid AS rowid, t.* FROM main.${table} t WHERE NOT EXISTS (
           SELECT 1 FROM main.lectern_sources p
            WHERE p.source_id = ${column} AND p.private = 1 AND ${whoAsks}() = 'agent')`,
    );
  }
}
