import type { Database } from "../../../kernel/database.ts";
import { hasTable } from "./storage-project.ts";
import { isShown } from "./storage-segments.ts";

/** The columns by which codings of texts, pictures and recordings name something. */
interface CodingColumns {
  code_text: string;
  code_image: string;
  code_av: string;
}

/**
 * A query of how often each `key` is coded, by coders who are not hidden; only of one where its
 * parameter is given. All are counted in one walk: most of these columns have no index, so that a
 * look for each key would walk through all codings every time.
 */
export function codingCounts(db: Database, columns: CodingColumns, only?: string): string {
  const keys = Object.entries(columns)
    .filter(([table]) => hasTable(db, table))
    .map(([table, column]) => {
      const isWanted = only === undefined ? "" : `AND ${column} = ${only}`;
      return `SELECT ${column} AS key FROM ${table} WHERE ${isShown(db)} ${isWanted}`;
    });
  return `SELECT key, count(*) AS codings FROM (${keys.join(" UNION ALL ")}) GROUP BY key`;
}
