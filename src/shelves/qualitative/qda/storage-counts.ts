import type { Database } from "../../../kernel/storage/database.ts";
import { hasTable } from "./storage-project.ts";
import { ownerVisibleCondition } from "./storage-segments.ts";

/** The key column in each table of codings. */
interface CodingColumns {
  code_text: string;
  code_image: string;
  code_av: string;
}

/**
 * A query that counts codings per `key`, without hidden coders; for a single key if its parameter
 * is given. It scans each table once: most of these columns have no index, so a lookup per key
 * would scan all codings each time.
 */
export function codingCountsQuery(db: Database, columns: CodingColumns, only?: string): string {
  const keys = Object.entries(columns)
    .filter(([table]) => hasTable(db, table))
    .map(([table, column]) => {
      const isWanted = only === undefined ? "" : `AND ${column} = ${only}`;
      return `SELECT ${column} AS key FROM ${table} WHERE ${ownerVisibleCondition(db)} ${isWanted}`;
    });
  return `SELECT key, count(*) AS codings FROM (${keys.join(" UNION ALL ")}) GROUP BY key`;
}
