import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { Failure, invalid } from "../failure.ts";
import { homeGone, watchFileIdentity } from "../files/file-identity.ts";
import { openWriteLock, sleepSync, type WriteLock, type WriteWaitOptions } from "./write-lock.ts";

/** One open SQLite file. All methods are synchronous, so a transaction never awaits. */
export interface Database {
  all<Row>(sql: string, ...values: ColumnValue[]): Row[];
  get<Row>(sql: string, ...values: ColumnValue[]): Row | undefined;
  run(sql: string, ...values: ColumnValue[]): { changes: number; lastId: number };
  exec(sql: string): void;
  /** Defines an SQL function without arguments on this connection; its result may change. */
  defineFunction(name: string, result: () => string): void;
  /**
   * Takes the write lock first, so that no statement fails half-way; a nested transaction is a
   * savepoint.
   */
  transaction<Result>(work: () => Result, options?: TransactionOptions<Result>): Result;
  /**
   * Waits asynchronously until a transaction could begin; fails with `store-busy`. Writers in a
   * server wait here first, so that `transaction` does not block the thread.
   */
  waitUntilWritable(options?: WriteWaitOptions): Promise<void> | undefined;
  /** Runs reads on one snapshot: later commits of other connections are invisible to them. */
  snapshot<Result>(work: () => Result): Result;
  /** The size of the file in bytes after a checkpoint of its log. */
  size(): number;
  /** Frees the space of deleted rows. */
  vacuum(): void;
  /** Checkpoints and truncates the log, unless another connection is reading. */
  truncateLog(): void;
  /** Changes when another connection commits. */
  dataVersion(): number;
  /** The number of rows that this connection has inserted, updated or deleted. */
  totalChanges(): number;
  /**
   * Whether the file is still the one at its path. If not, reads still work, but transactions fail
   * with `home-gone`: their writes would be lost when the process ends.
   */
  isInPlace(): boolean;
  close(): void;
}

interface TransactionOptions<Result> {
  /** Decides from the result whether to commit; by default, always. Otherwise it is rolled back. */
  commitIf?: (result: Result) => boolean;
  /** Fails immediately if another process is writing, for callers that retry later. */
  withoutWaiting?: boolean;
}

export type ColumnValue = string | number | bigint | null | Uint8Array;

export interface DatabaseOptions {
  readOnly?: boolean;
  /** How long each statement waits for a lock; if absent, writers use the write lock instead. */
  busyTimeoutMs?: number;
  /** `rollback` leaves no sidecar files that would have to be copied with the file. */
  journal?: "wal" | "rollback";
  /** Called with the driver before the first statement; see `foreign/foreign-database.ts`. */
  guard?: (raw: RawDatabase) => void;
}

/** The part of the driver's API that is used; equal in `node:sqlite` and the package. */
export interface RawDatabase {
  prepare(sql: string): RawStatement;
  exec(sql: string): void;
  function(name: string, result: () => string): void;
  setAuthorizer(decide: ((action: number, ...names: (string | null)[]) => number) | null): void;
  /** Missing in older versions of `node:sqlite`. */
  readonly limits?: Record<string, number>;
  close(): void;
  readonly isTransaction: boolean;
}

export interface RawStatement {
  all(...values: ColumnValue[]): unknown[];
  get(...values: ColumnValue[]): unknown;
  run(...values: ColumnValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(): Iterable<unknown>;
  columns(): { name: string }[];
  setReturnArrays(on: boolean): void;
  setReadBigInts(on: boolean): void;
}

/** How long a reader waits; a write-ahead log rarely blocks readers, and only briefly. */
const readerTimeoutMs = 5_000;

/** SQLite before this version can lose committed writes in WAL mode. */
const minSqliteVersion = "3.51.3";

export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  const { busyTimeoutMs = readerTimeoutMs } = options;
  const journal = options.journal ?? (path === ":memory:" ? "rollback" : "wal");
  const isShared = journal === "wal" && !options.readOnly;
  const isForeign = options.guard !== undefined;
  const raw = openRawDatabase(path, {
    readOnly: options.readOnly ?? false,
    defensive: isForeign,
  });
  try {
    options.guard?.(raw);
    raw.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const row = raw.prepare("SELECT sqlite_version() AS version").get() as { version: string };
    assertSqliteVersion(row.version);
    // In an untrusted file, a foreign key could delete rows that no statement names.
    raw.exec(`PRAGMA foreign_keys = ${isForeign ? "OFF" : "ON"}`);
    if (isShared) enableWal(raw);
    // Commits must survive a power failure; a batch of files is one commit, so the cost is small.
    raw.exec("PRAGMA synchronous = FULL");
  } catch (error) {
    raw.close();
    throw error;
  }
  const usesWriteLock = isShared && options.busyTimeoutMs === undefined;
  return wrapConnection(raw, busyTimeoutMs, usesWriteLock ? path : undefined);
}

/** The driver itself, for the process that runs untrusted statements behind its own guard. */
export const openRawDatabase = (path: string, options: object): RawDatabase =>
  new (loadDriver().DatabaseSync)(path, options);

/** Node has a stable SQLite from version 24; before that, a package with the same interface. */
function loadDriver(): { DatabaseSync: new (path: string, options: object) => RawDatabase } {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return createRequire(import.meta.url)("node:sqlite");
  return createRequire(import.meta.url)("@photostructure/sqlite");
}

export function assertSqliteVersion(version: string): void {
  const rank = (dotted: string) =>
    dotted.split(".").reduce((sum, part) => sum * 1000 + Number(part), 0);
  if (rank(version) >= rank(minSqliteVersion)) return;
  throw new Failure(
    "unavailable",
    "old-sqlite",
    `SQLite ${version} is too old: ${minSqliteVersion} or newer is needed.`,
    { hints: ["Update Node, which includes SQLite."] },
  );
}

/**
 * Switching to WAL needs exclusive access for a moment and ignores the busy timeout. Many processes
 * may open a new home at the same time, so each retries.
 */
function enableWal(raw: RawDatabase): void {
  for (let attempt = 0; ; attempt++) {
    try {
      const row = raw.prepare("PRAGMA journal_mode = WAL").get() as { journal_mode: string };
      if (row.journal_mode === "wal") return;
      throw new Failure("unavailable", "no-wal", "SQLite cannot use its write-ahead log here.", {
        hints: ["Set LECTERN_HOME to a folder on a local disk."],
      });
    } catch (error) {
      if (!isBusyError(error) || attempt > 400) throw error;
    }
    sleepSync(5 + Math.random() * 20);
  }
}

/** `path` is given if several processes write to the file. */
function wrapConnection(raw: RawDatabase, busyMs: number, path: string | undefined): Database {
  const statements = new Map<string, RawStatement>();
  const prepare = (sql: string): RawStatement => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = raw.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const dataVersion = (): number =>
    (prepare("PRAGMA data_version").get() as { data_version: number }).data_version;
  const totalChanges = (): number =>
    (prepare("SELECT total_changes() AS total").get() as { total: number }).total;
  const execWithoutWaiting = (sql: string): void => {
    raw.exec("PRAGMA busy_timeout = 0");
    try {
      raw.exec(sql);
    } finally {
      raw.exec(`PRAGMA busy_timeout = ${busyMs}`);
    }
  };
  const lock: WriteLock =
    path === undefined
      ? {
          begin: () => raw.exec("BEGIN IMMEDIATE"),
          onTransactionEnd: () => {},
          waitUntilFree: () => undefined,
        }
      : openWriteLock({
          exec: execWithoutWaiting,
          isBusy: isBusyError,
          dataVersion,
          totalChanges,
          path,
        });
  // The first read creates the write-ahead log, which remains until the last connection is closed.
  raw.prepare("SELECT 1 FROM sqlite_master").get();
  const files = watchFileIdentity(path === undefined ? [] : [path, `${path}-wal`]);
  const isInPlace = (): boolean => files.areInPlace();
  const assertInPlace = (): void => {
    if (depth === 1 && !isInPlace()) throw homeGone();
  };
  let depth = 0;
  const db: Database = {
    all: <Row>(sql: string, ...values: ColumnValue[]) =>
      prepare(sql).all(...assertNoNul(values)) as Row[],
    get: <Row>(sql: string, ...values: ColumnValue[]) =>
      prepare(sql).get(...assertNoNul(values)) as Row | undefined,
    run(sql, ...values) {
      const checkedValues = assertNoNul(values);
      if (depth === 0 && path !== undefined)
        return db.transaction(() => db.run(sql, ...checkedValues));
      const { changes, lastInsertRowid } = prepare(sql).run(...checkedValues);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    exec: (sql) => raw.exec(sql),
    defineFunction: (name, result) => raw.function(name, result),
    transaction(work, { withoutWaiting, commitIf } = {}) {
      const name = `s${depth}`;
      if (depth === 0) lock.begin(withoutWaiting);
      else raw.exec(`SAVEPOINT ${name}`);
      depth++;
      const rollBack = (): void =>
        raw.exec(depth === 1 ? "ROLLBACK" : `ROLLBACK TO ${name}; RELEASE ${name}`);
      let isCommitted = false;
      try {
        assertInPlace();
        const result = work();
        if (result instanceof Promise) throw new Error("A transaction must not await.");
        assertInPlace();
        if (commitIf && !commitIf(result)) {
          rollBack();
          return result;
        }
        raw.exec(depth === 1 ? "COMMIT" : `RELEASE ${name}`);
        isCommitted = true;
        return result;
      } catch (error) {
        // A full disk or a removed file may have ended the transaction already.
        if (raw.isTransaction) rollBack();
        throw error;
      } finally {
        depth--;
        if (depth === 0) lock.onTransactionEnd(isCommitted);
      }
    },
    waitUntilWritable: (options) => lock.waitUntilFree(options),
    snapshot(work) {
      if (depth > 0) return work();
      raw.exec("BEGIN");
      depth++;
      try {
        return work();
      } finally {
        depth--;
        if (raw.isTransaction) commitRead(raw);
      }
    },
    size: () =>
      (
        prepare(
          "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size",
        ).get() as { size: number }
      ).size,
    vacuum() {
      // VACUUM fails on a connection with a temporary view that has the name of a table.
      const separate = path === undefined ? raw : openRawDatabase(path, {});
      try {
        separate.exec(`PRAGMA busy_timeout = ${busyMs}; VACUUM`);
      } finally {
        if (separate !== raw) separate.close();
      }
      raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    truncateLog() {
      try {
        execWithoutWaiting("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (error) {
        // The log itself is durable, and the next writer checkpoints it.
        if (!isWriteError(error)) throw error;
      }
    },
    dataVersion,
    totalChanges,
    isInPlace,
    close() {
      // Uncollected statements keep the file and its locks open.
      if (raw.isTransaction) raw.exec("ROLLBACK");
      if (path !== undefined && totalChanges() > 0 && isLong(`${path}-wal`)) truncateFinally(db);
      statements.clear();
      raw.close();
    },
  };
  return db;
}

/** Every process that opens the store reads the log. */
function truncateFinally(db: Database): void {
  try {
    db.truncateLog();
  } catch {
    // The store is damaged, which the next process reports.
  }
}

/** A shorter log takes less time to read than to truncate. */
const longLogBytes = 100_000;

const isLong = (log: string): boolean =>
  (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > longLogBytes;

/** After a read of a damaged page, COMMIT reports the same error but still ends the transaction. */
function commitRead(raw: RawDatabase): void {
  try {
    raw.exec("COMMIT");
  } catch (error) {
    if (!isCorruptionError(error) || raw.isTransaction) throw error;
  }
}

/** One of the two drivers silently truncates text at U+0000. */
function assertNoNul(values: ColumnValue[]): ColumnValue[] {
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) {
    throw invalid("Text must not contain the character U+0000.");
  }
  return values;
}

/** Another connection is writing: SQLITE_BUSY, or a `store-busy` failure. */
export const isBusyError = (error: unknown): boolean =>
  error instanceof Failure ? error.code === "store-busy" : sqliteErrorCode(error) === 5;

/** The file is damaged or is not a database. */
export const isCorruptionError = (error: unknown): boolean =>
  [11, 26].includes(sqliteErrorCode(error));

/** The disk is full or failing; the file is unchanged. */
export const isWriteError = (error: unknown): boolean => [10, 13].includes(sqliteErrorCode(error));

/** The disk is full, as reported by SQLite or the system. */
export const isDiskFullError = (error: unknown): boolean =>
  sqliteErrorCode(error) === 13 ||
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/** A value exceeds the limit of the connection. */
export const isTooLargeError = (error: unknown): boolean => sqliteErrorCode(error) === 18;

/** The file is read-only. */
export const isReadOnlyError = (error: unknown): boolean => sqliteErrorCode(error) === 8;

/** The file cannot be created or opened. */
export const isCannotOpenError = (error: unknown): boolean => sqliteErrorCode(error) === 14;

export const storeDamaged = (cause: unknown): Failure =>
  new Failure("conflict", "store-damaged", "The store is damaged.", {
    hints: ["Stop the other Lectern processes, then run `lectern doctor --repair`."],
    cause,
  });

function sqliteErrorCode(error: unknown): number {
  const { errcode, message } = error as { errcode?: number; message?: string };
  return typeof errcode === "number" ? errcode & 0xff : (codesByMessage[message ?? ""] ?? 0);
}

/** One of the two drivers omits the code if `all` fails; SQLite's messages are fixed. */
const codesByMessage: Record<string, number> = {
  "database is locked": 5,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "string or blob too big": 18,
  "file is not a database": 26,
};
