import { openRawDatabase, type RawDatabase } from "../database.ts";
import type { Authorizer } from "./authorizer.ts";

/** SQLite's own limit of its heap has no effect: both drivers are built without its bookkeeping. */
const limits = {
  length: 16_000_000,
  column: 200,
  vdbeOp: 1_000_000,
  likePatternLength: 5_000,
};

/** What does not fit into memory must not go to a file: the memory is watched, the disk is not. */
export function openConnection(tables: string): RawDatabase {
  const db = openRawDatabase(":memory:", { defensive: true, timeout: 1_000 });
  db.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
  db.exec(tables);
  return db;
}

/** Lets us write for a moment; where the work fails, the connection is no longer of use. */
export function unguarded(db: RawDatabase, authorizer: Authorizer, work: () => void): void {
  db.setAuthorizer(null);
  if (db.limits) db.limits.length = 1_000_000_000;
  db.exec("PRAGMA query_only = OFF; BEGIN");
  work();
  db.exec("COMMIT; PRAGMA query_only = ON");
  guard(db, authorizer);
}

/** From here on the connection compiles nothing but what the authorizer lets pass. */
export function guard(db: RawDatabase, authorizer: Authorizer): void {
  if (db.limits) Object.assign(db.limits, limits);
  db.setAuthorizer((action, first = null, second = null, schema = null, accessor = null) =>
    authorizer.decide(action, first, second, schema, accessor),
  );
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
