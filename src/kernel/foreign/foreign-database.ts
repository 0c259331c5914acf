import {
  type Database,
  type DatabaseOptions,
  isCorruptionError,
  openDatabase,
  type RawDatabase,
} from "../storage/database.ts";
import { createConnectionGuard } from "./connection-guard.ts";
import { assertPlainFile, detectSwappedFile, type ForeignFileRules } from "./file-checks.ts";
import { assertPlainSchema, listPlainTables, type SchemaRules } from "./schema-checks.ts";
import { unsafeDatabase } from "./unsafe-database.ts";

export interface ForeignOptions extends Pick<DatabaseOptions, "readOnly" | "busyTimeoutMs"> {
  rules: SchemaRules & ForeignFileRules;
  /** Maximum number of rows in all tables together. */
  maxRows?: number;
}

/**
 * Opens a database that another program may have written. It is checked again after each change,
 * because the other program may alter the schema or add rows while it is open. There is no time
 * limit here; a server calls this in a host process with a deadline.
 */
export function openForeignDatabase(path: string, options: ForeignOptions): Database {
  const { rules, maxRows = maxForeignRows, ...rest } = options;
  assertPlainFile(path, rules);
  const assertNotSwapped = detectSwappedFile(path, rules);
  let raw: RawDatabase | undefined;
  const guard = createConnectionGuard();
  const db = openDatabase(path, {
    ...rest,
    journal: "rollback",
    guard(opened) {
      raw = opened;
      guard.prepare(opened);
    },
  });
  let checkedSchema: number | undefined;
  let checkedData: number | undefined;
  const check = (): void => {
    const schema = db.get<{ schema_version: number }>("PRAGMA schema_version")?.schema_version;
    const data = db.dataVersion();
    if (!raw) return;
    if (schema !== checkedSchema) assertPlainSchema(raw, rules);
    checkedSchema = schema;
    if (data !== checkedData) assertRowLimit(raw, maxRows);
    checkedData = data;
  };
  try {
    assertNotSwapped();
    db.snapshot(check);
  } catch (error) {
    db.close();
    throw error;
  }
  return withSchemaCheck(db, check, guard.copying);
}

/** Runs the check in the same transaction as the work, so that nothing can change in between. */
function withSchemaCheck(
  db: Database,
  check: () => void,
  copying: (work: () => void) => void,
): Database {
  let depth = 0;
  const checkFirst = <Result>(work: () => Result): Result => {
    if (depth === 0) check();
    depth++;
    try {
      return work();
    } finally {
      depth--;
    }
  };
  const inSnapshot = <Result>(work: () => Result): Result =>
    depth > 0 ? work() : db.snapshot(() => checkFirst(work));
  return {
    ...db,
    all: (sql, ...values) => inSnapshot(() => db.all(sql, ...values)),
    get: (sql, ...values) => inSnapshot(() => db.get(sql, ...values)),
    exec: (sql) => inSnapshot(() => db.exec(sql)),
    run(sql, ...values) {
      if (depth > 0) return db.run(sql, ...values);
      if (!/^VACUUM\b/i.test(sql)) {
        return db.transaction(() => checkFirst(() => db.run(sql, ...values)));
      }
      db.snapshot(() => checkFirst(() => undefined));
      copying(() => db.run(sql, ...values));
      return { changes: 0, lastId: 0 };
    },
    transaction: (work, ...rest) => db.transaction(() => checkFirst(work), ...rest),
    snapshot: (work) => db.snapshot(() => checkFirst(work)),
  };
}

/** Row limit for all tables together. A large project has a few hundred thousand codings. */
const maxForeignRows = 5_000_000;

/** Rejects a database with too many rows. Counting stops at one above the limit. */
function assertRowLimit(db: RawDatabase, maxRows: number): void {
  let remaining = maxRows;
  for (const { name } of listPlainTables(db)) {
    remaining -= countRows(db, name, remaining + 1);
    if (remaining < 0) {
      throw unsafeDatabase(`It contains more than ${maxRows.toLocaleString("en")} rows`);
    }
  }
}

/** A damaged table counts as empty: reading it fails later, and the other tables remain usable. */
function countRows(db: RawDatabase, table: string, limit: number): number {
  try {
    const counted = db.prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM main.${quoteIdentifier(table)} LIMIT ?)`,
    );
    return (counted.get(limit) as { count: number }).count;
  } catch (error) {
    if (isCorruptionError(error)) return 0;
    throw error;
  }
}

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
