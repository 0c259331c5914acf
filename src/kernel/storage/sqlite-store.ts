import type { ColumnValue, Database } from "./database.ts";
import { insertRows } from "./insert-rows.ts";
import type { Sql, Step, Steps } from "./steps.ts";
import type { SyncStore } from "./store.ts";

export const openSqliteStore = (db: Database): SyncStore => ({
  dialect: "sqlite",
  run: (steps) => runSteps(db, steps),
  waitUntilWritable: (options) => db.waitUntilWritable(options),
  truncateLog: db.truncateLog,
  size: db.size,
  vacuum: db.vacuum,
});

/** Runs all steps before it returns, for a process or test that works with SQLite only. */
export function runSteps<Result>(db: Database, steps: Steps<Result>): Result {
  let next = steps.next();
  while (!next.done) {
    let result: unknown;
    try {
      result = perform(db, next.value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(result);
  }
  return next.value;
}

function perform(db: Database, step: Step): unknown {
  switch (step.kind) {
    case "all":
      return db.all(textOf(step.sql), ...step.values);
    case "get":
      return db.get(textOf(step.sql), ...step.values);
    case "run":
      return runStatement(db, textOf(step.sql), step.values);
    case "insert":
      return insertRows(db, textOf(step.sql), step.rows);
    case "each":
      for (const row of step.rows) db.run(textOf(step.sql), ...row);
      return undefined;
    case "dialect":
      return "sqlite";
    default: {
      const { work, options } = step;
      const runWork = () => runSteps(db, work());
      return options.isSnapshot ? db.snapshot(runWork) : db.transaction(runWork, options);
    }
  }
}

/** A pragma contains its value, so each has another text and would be prepared for nothing. */
function runStatement(db: Database, sql: string, values: readonly ColumnValue[]): number {
  if (!sql.startsWith("PRAGMA ")) return db.run(sql, ...values).changes;
  db.exec(sql);
  return 0;
}

const textOf = (sql: Sql): string => (typeof sql === "string" ? sql : sql.sqlite);
