/** A parameter of a statement; `Uint8Array` is bytea, an array is a PostgreSQL array. */
export type SqlParameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly SqlParameter[];

export interface StatementOptions {
  /** Cancels the statement at the server; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The client's deadline, instead of the default; 0 means none. */
  deadlineMs?: number;
  /** False for statements whose text varies, which would fill the server's memory. */
  prepared?: boolean;
  /** The statement may run twice, so it is repeated if its connection is lost. */
  repeatable?: boolean;
}

/**
 * Runs statements with the parameters `$1`, `$2`, …. `bigint` columns are read as numbers, `bytea` as
 * `Uint8Array`, `json` as values. Errors are a `Failure` where the user can fix the cause, and
 * otherwise an `SqlError`; neither contains a password, a parameter or the text of a statement.
 */
export interface SqlRunner {
  all<Row>(
    sql: string,
    values?: readonly SqlParameter[],
    options?: StatementOptions,
  ): Promise<Row[]>;
  get<Row>(
    sql: string,
    values?: readonly SqlParameter[],
    options?: StatementOptions,
  ): Promise<Row | undefined>;
  /** The number of changed rows. */
  run(sql: string, values?: readonly SqlParameter[], options?: StatementOptions): Promise<number>;
  query<Row>(
    sql: string,
    values?: readonly SqlParameter[],
    options?: StatementOptions,
  ): Promise<{ rows: Row[]; changes: number }>;
  /** Runs several statements without parameters, in one round trip. */
  script(text: string, options?: StatementOptions): Promise<void>;
}

export interface TransactionOptions {
  signal?: AbortSignal | undefined;
  isolation?: "read committed" | "repeatable read" | "serializable";
  readOnly?: boolean;
  /** The server's and the client's deadline of each statement, for long work such as building an index. */
  statementDeadlineMs?: number;
  /** Held until the end of the transaction; taken in the same message as `BEGIN`. */
  lock?: TransactionLock;
  /** A channel whose listeners are notified of the commit. */
  notify?: string;
  /** Whether `work` may run again after a conflict or a lost connection; by default it may. */
  isRepeatable?: () => boolean;
}

/** An advisory lock; waiting for it fails with `database-locked`. */
interface TransactionLock {
  name: string;
  waitMs: number;
}

export interface SqlClient extends SqlRunner {
  /**
   * Commits what `work` wrote, or nothing if it throws. After a serialization failure, a deadlock or a
   * connection that is lost before the commit, `work` runs again, so it must not have effects outside
   * of the database; see `isRepeatable`. Statements that are started together travel together: `Promise.all` costs one
   * round trip, and so does `BEGIN` with the first statement.
   */
  transaction<Result>(
    work: (sql: SqlRunner) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Lends one connection, for a sequence of statements that is not a transaction. */
  withConnection<Result>(
    work: (sql: SqlRunner) => Promise<Result>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result>;
  /** How often this client has waited for an answer of the server. */
  readonly roundTrips: number;
  close(): Promise<void>;
}
