import { openRawDatabase, type RawDatabase } from "../storage/database.ts";
import type { Authorizer } from "./authorizer.ts";

/** SQLite's heap limit has no effect: both drivers are built without memory statistics. */
const limits = {
  length: 16_000_000,
  column: 200,
  vdbeOp: 1_000_000,
  likePatternLength: 5_000,
};

/** Temporary data stays in memory, which is limited; disk use is not. */
export function openSandboxConnection(tables: string): RawDatabase {
  const db = openRawDatabase(":memory:", { defensive: true, timeout: 1_000 });
  db.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
  db.exec(tables);
  return db;
}

/** Allows writes while `work` runs. If `work` throws, the connection must be discarded. */
export function withWriteAccess(db: RawDatabase, authorizer: Authorizer, work: () => void): void {
  db.setAuthorizer(null);
  if (db.limits) db.limits.length = 1_000_000_000;
  db.exec("PRAGMA query_only = OFF; BEGIN");
  work();
  db.exec("COMMIT; PRAGMA query_only = ON");
  installAuthorizer(db, authorizer);
}

/** Restricts the connection to statements that the authorizer allows. */
export function installAuthorizer(db: RawDatabase, authorizer: Authorizer): void {
  if (db.limits) Object.assign(db.limits, limits);
  db.setAuthorizer((action, first = null, second = null, schema = null, accessor = null) =>
    authorizer.decide(action, first, second, schema, accessor),
  );
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
