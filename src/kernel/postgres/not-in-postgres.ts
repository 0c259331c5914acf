import { Failure } from "../failure.ts";
import type { Database } from "../storage/database.ts";

/** What a home on PostgreSQL cannot do. */
export const notInPostgres = (what: string): Failure =>
  new Failure(
    "unavailable",
    "not-in-postgres",
    `${what} is not possible in a home on PostgreSQL.`,
    {
      hints: ["Use a home in a folder for this: set LECTERN_HOME to its path."],
    },
  );

/** In place of the SQLite store that such a home lacks: each use fails. */
export const noDatabase = (): Database =>
  new Proxy({} as Database, {
    get(_, name) {
      throw notInPostgres(`This (${String(name)})`);
    },
  });
