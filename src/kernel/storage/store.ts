import type { SqlDialect, Steps } from "./steps.ts";
import type { WriteWaitOptions } from "./write-lock.ts";

/** The store of a home: SQLite in a folder, or a schema of a PostgreSQL database. */
export interface Store {
  readonly dialect: SqlDialect;
  /** Each statement outside a transaction is committed on its own. */
  run<Result>(steps: Steps<Result>): Result | Promise<Result>;
  /**
   * Waits until a transaction could begin without blocking the thread; fails with `store-busy`. In
   * PostgreSQL a transaction itself waits without blocking.
   */
  waitUntilWritable(options?: WriteWaitOptions): Promise<void> | undefined;
  /** Shortens the log after many changes, in SQLite. */
  truncateLog(): void;
  /** In bytes. */
  size(): number | Promise<number>;
  /** Returns unused space to the file system, in SQLite; PostgreSQL uses it again by itself. */
  vacuum(): void;
}

/** A store that returns results directly. */
export interface SyncStore extends Store {
  readonly dialect: "sqlite";
  run<Result>(steps: Steps<Result>): Result;
}
