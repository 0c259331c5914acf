import { type Database, type OpenOptions, openDatabase, type RawDatabase } from "../database.ts";
import { type FileRules, refuseStrangeFile, watchOpening } from "./foreign-file.ts";
import { guardAgainst } from "./foreign-guard.ts";
import { refuseStrangeSchema, type SchemaRules } from "./foreign-schema.ts";

export interface ForeignOptions extends Pick<OpenOptions, "readOnly" | "busyMs"> {
  rules: SchemaRules & FileRules;
}

/**
 * Opens a database that somebody else may have written, and keeps looking at it: another program may
 * change the schema while it is open. Nothing here limits the time; that is for the process that
 * calls it, which is a host where somebody else waits.
 */
export function openForeignDatabase(path: string, options: ForeignOptions): Database {
  const { rules, ...rest } = options;
  refuseStrangeFile(path, rules);
  const refuseOpenedOutside = watchOpening(path, rules);
  let raw: RawDatabase | undefined;
  const guard = guardAgainst();
  const db = openDatabase(path, {
    ...rest,
    journal: "rollback",
    guard(opened) {
      raw = opened;
      guard.prepare(opened);
    },
  });
  let checked: number | undefined;
  const check = (): void => {
    const version = db.get<{ schema_version: number }>("PRAGMA schema_version")?.schema_version;
    if (version === checked || !raw) return;
    refuseStrangeSchema(raw, rules);
    checked = version;
  };
  try {
    refuseOpenedOutside();
    db.snapshot(check);
  } catch (error) {
    db.close();
    throw error;
  }
  return checkedBefore(db, check, guard.copying);
}

/** Looks at the schema in the same transaction as the work, so that nothing can change in between. */
function checkedBefore(
  db: Database,
  check: () => void,
  copying: (work: () => void) => void,
): Database {
  let depth = 0;
  const first = <Result>(work: () => Result): Result => {
    if (depth === 0) check();
    depth++;
    try {
      return work();
    } finally {
      depth--;
    }
  };
  const inside = <Result>(work: () => Result): Result =>
    depth > 0 ? work() : db.snapshot(() => first(work));
  return {
    ...db,
    all: (sql, ...values) => inside(() => db.all(sql, ...values)),
    get: (sql, ...values) => inside(() => db.get(sql, ...values)),
    exec: (sql) => inside(() => db.exec(sql)),
    run(sql, ...values) {
      if (depth > 0) return db.run(sql, ...values);
      if (!/^VACUUM\b/i.test(sql)) {
        return db.transaction(() => first(() => db.run(sql, ...values)));
      }
      db.snapshot(() => first(() => undefined));
      copying(() => db.run(sql, ...values));
      return { changes: 0, lastId: 0 };
    },
    transaction: (work, ...rest) => db.transaction(() => first(work), ...rest),
    snapshot: (work) => db.snapshot(() => first(work)),
  };
}
