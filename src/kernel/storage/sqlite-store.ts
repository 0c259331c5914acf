import type { Database } from "./database.ts";
import type { Sql, Step, Steps } from "./steps.ts";
import type { SyncStore } from "./store.ts";

export const openSqliteStore = (db: Database): SyncStore => ({
  dialect: "sqlite",
  run: (steps) => runSteps(db, steps),
});

/** Runs all steps before it returns. */
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
      return db.run(textOf(step.sql), ...step.values).changes;
    default: {
      const { work, options } = step;
      const runWork = () => runSteps(db, work());
      return options.isSnapshot ? db.snapshot(runWork) : db.transaction(runWork, options);
    }
  }
}

const textOf = (sql: Sql): string => (typeof sql === "string" ? sql : sql.sqlite);
