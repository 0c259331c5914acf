import type { SqlDialect, Steps } from "./steps.ts";

/** The store of a home: SQLite in a folder, or a schema of a PostgreSQL database. */
export interface Store {
  readonly dialect: SqlDialect;
  /** Each statement outside a transaction is committed on its own. */
  run<Result>(steps: Steps<Result>): Result | Promise<Result>;
}

/** A store that returns results directly. */
export interface SyncStore extends Store {
  readonly dialect: "sqlite";
  run<Result>(steps: Steps<Result>): Result;
}
