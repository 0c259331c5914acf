import { createRequire } from "node:module";
import { Failure, invalid } from "./failure.ts";
import { holdFiles, homeGone } from "./held-files.ts";
import { openWriteLock, pause, type WriteLock, type WritePatience } from "./write-lock.ts";

/** One open SQLite file. Synchronous throughout, so a transaction never awaits. */
export interface Database {
  all<Row>(sql: string, ...values: Value[]): Row[];
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  run(sql: string, ...values: Value[]): { changes: number; lastId: number };
  exec(sql: string): void;
  /** Gives SQL of this connection a function without arguments, whose answer may change. */
  define(name: string, answer: () => string): void;
  /** Takes the write lock first, so that nobody fails half-way; inside another one it is a savepoint. */
  transaction<Result>(work: () => Result, options?: TransactionOptions): Result;
  /**
   * Waits, with the thread free, until a transaction could begin; fails with `store-busy`. Whoever
   * writes in a process that serves others waits here first, so that `transaction` need not.
   */
  writable(patience?: WritePatience): Promise<void> | undefined;
  /** Reads of one moment: what others commit meanwhile is not seen in them. */
  snapshot<Result>(work: () => Result): Result;
  /** What the file takes on disk, in bytes, once its log is written into it. */
  size(): number;
  /** Gives back the space that removed rows left. */
  compact(): void;
  /** Writes the log into the file and empties it, unless somebody is just reading in it. */
  emptyLog(): void;
  /** Grows when another connection commits. */
  dataVersion(): number;
  /**
   * Whether the file is still the one at its path. Where it is not, reads go on and every
   * transaction fails with `home-gone`: what it wrote would be lost with this process.
   */
  isInPlace(): boolean;
  close(): void;
}

interface TransactionOptions {
  /** Fails at once where another process writes, for those who can come again. */
  atOnce?: boolean;
}

export type Value = string | number | bigint | null | Uint8Array;

export interface OpenOptions {
  readOnly?: boolean;
  /** How long every statement waits for another process; without it, writers take turns. */
  busyMs?: number;
  /** `rollback` leaves no side files behind that would have to travel with the file. */
  journal?: "wal" | "rollback";
  /** Called with the driver before the first statement; see `foreign/foreign-database.ts`. */
  guard?: (raw: RawDatabase) => void;
}

/** What we use of the driver; Node's own and the package's are alike in it. */
export interface RawDatabase {
  prepare(sql: string): RawStatement;
  exec(sql: string): void;
  function(name: string, answer: () => string): void;
  setAuthorizer(decide: ((action: number, ...names: (string | null)[]) => number) | null): void;
  /** Older ones of Node's own lack it. */
  readonly limits?: Record<string, number>;
  close(): void;
  readonly isTransaction: boolean;
}

export interface RawStatement {
  all(...values: Value[]): unknown[];
  get(...values: Value[]): unknown;
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(): Iterable<unknown>;
  columns(): { name: string }[];
  setReturnArrays(on: boolean): void;
  setReadBigInts(on: boolean): void;
}

/** How long a reader waits, for whom a write-ahead log is seldom closed and never for long. */
const readerBusyMs = 5_000;

/** SQLite before this version can lose committed writes in WAL mode. */
const oldestSafe = "3.51.3";

export function openDatabase(path: string, options: OpenOptions = {}): Database {
  const { busyMs = readerBusyMs } = options;
  const journal = options.journal ?? (path === ":memory:" ? "rollback" : "wal");
  const isShared = journal === "wal" && !options.readOnly;
  const isForeign = options.guard !== undefined;
  const raw = openRawDatabase(path, {
    readOnly: options.readOnly ?? false,
    defensive: isForeign,
  });
  try {
    options.guard?.(raw);
    raw.exec(`PRAGMA busy_timeout = ${busyMs}`);
    const row = raw.prepare("SELECT sqlite_version() AS version").get() as { version: string };
    refuseOldSqlite(row.version);
    // In a file of strangers a foreign key could delete what nobody asked to delete.
    raw.exec(`PRAGMA foreign_keys = ${isForeign ? "OFF" : "ON"}`);
    if (isShared) enterWal(raw);
    // What was acknowledged must outlive a power cut; a batch of files is one commit, so it costs little.
    raw.exec("PRAGMA synchronous = FULL");
  } catch (error) {
    raw.close();
    throw error;
  }
  const takesTurns = isShared && options.busyMs === undefined;
  return wrap(raw, busyMs, takesTurns ? path : undefined);
}

/** The driver itself, for the process that runs statements of strangers behind a guard of its own. */
export const openRawDatabase = (path: string, options: object): RawDatabase =>
  new (driver().DatabaseSync)(path, options);

/** Node has a stable SQLite of its own from 24 on; before that, a package with the same interface. */
function driver(): { DatabaseSync: new (path: string, options: object) => RawDatabase } {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return createRequire(import.meta.url)("node:sqlite");
  return createRequire(import.meta.url)("@photostructure/sqlite");
}

export function refuseOldSqlite(version: string): void {
  const rank = (words: string) =>
    words.split(".").reduce((sum, part) => sum * 1000 + Number(part), 0);
  if (rank(version) >= rank(oldestSafe)) return;
  throw new Failure(
    "unavailable",
    "old-sqlite",
    `SQLite ${version} is too old: ${oldestSafe} or newer is needed.`,
    { hints: ["Update Node, which carries it."] },
  );
}

/**
 * The change to WAL needs the file alone for a moment and, unlike everything else, does not wait
 * its turn. Many processes on a fresh home ask for it at once, so each tries again.
 */
function enterWal(raw: RawDatabase): void {
  for (let attempt = 0; ; attempt++) {
    try {
      const row = raw.prepare("PRAGMA journal_mode = WAL").get() as { journal_mode: string };
      if (row.journal_mode === "wal") return;
      throw new Failure("unavailable", "no-wal", "SQLite cannot use its write-ahead log here.", {
        hints: ["Set LECTERN_HOME to a folder on a local disk."],
      });
    } catch (error) {
      if (!isBusy(error) || attempt > 400) throw error;
    }
    pause(5 + Math.random() * 20);
  }
}

/** `path` is given where many processes write to the file and take turns. */
function wrap(raw: RawDatabase, busyMs: number, path: string | undefined): Database {
  const statements = new Map<string, RawStatement>();
  const prepare = (sql: string): RawStatement => {
    const known = statements.get(sql);
    if (known) return known;
    const made = raw.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  const dataVersion = (): number =>
    (prepare("PRAGMA data_version").get() as { data_version: number }).data_version;
  const totalChanges = (): number =>
    (prepare("SELECT total_changes() AS total").get() as { total: number }).total;
  const execAtOnce = (sql: string): void => {
    raw.exec("PRAGMA busy_timeout = 0");
    try {
      raw.exec(sql);
    } finally {
      raw.exec(`PRAGMA busy_timeout = ${busyMs}`);
    }
  };
  const lock: WriteLock =
    path === undefined
      ? { begin: () => raw.exec("BEGIN IMMEDIATE"), ended: () => {}, available: () => undefined }
      : openWriteLock({ exec: execAtOnce, isBusy, dataVersion, totalChanges, path });
  // The write-ahead log is made by the first read, and stays until the last connection is closed.
  raw.prepare("SELECT 1 FROM sqlite_master").get();
  const held = holdFiles(path === undefined ? [] : [path, `${path}-wal`]);
  const isInPlace = (): boolean => held.areInPlace();
  const refuseWhenGone = (): void => {
    if (depth === 1 && !isInPlace()) throw homeGone();
  };
  let depth = 0;
  const db: Database = {
    all: <Row>(sql: string, ...values: Value[]) => prepare(sql).all(...whole(values)) as Row[],
    get: <Row>(sql: string, ...values: Value[]) =>
      prepare(sql).get(...whole(values)) as Row | undefined,
    run(sql, ...values) {
      const given = whole(values);
      if (depth === 0 && path !== undefined) return db.transaction(() => db.run(sql, ...given));
      const { changes, lastInsertRowid } = prepare(sql).run(...given);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    exec: (sql) => raw.exec(sql),
    define: (name, answer) => raw.function(name, answer),
    transaction(work, { atOnce } = {}) {
      const name = `s${depth}`;
      if (depth === 0) lock.begin(atOnce);
      else raw.exec(`SAVEPOINT ${name}`);
      depth++;
      let isCommitted = false;
      try {
        refuseWhenGone();
        const result = work();
        if (result instanceof Promise) throw new Error("A transaction must not await.");
        refuseWhenGone();
        raw.exec(depth === 1 ? "COMMIT" : `RELEASE ${name}`);
        isCommitted = true;
        return result;
      } catch (error) {
        // A full disk or a lost file may have ended the transaction already.
        if (raw.isTransaction) {
          raw.exec(depth === 1 ? "ROLLBACK" : `ROLLBACK TO ${name}; RELEASE ${name}`);
        }
        throw error;
      } finally {
        depth--;
        if (depth === 0) lock.ended(isCommitted);
      }
    },
    writable: (patience) => lock.available(patience),
    snapshot(work) {
      if (depth > 0) return work();
      raw.exec("BEGIN");
      depth++;
      try {
        return work();
      } finally {
        depth--;
        if (raw.isTransaction) raw.exec("COMMIT");
      }
    },
    size: () =>
      (
        prepare(
          "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size",
        ).get() as { size: number }
      ).size,
    compact() {
      raw.exec("VACUUM");
      raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    emptyLog() {
      try {
        execAtOnce("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (error) {
        // What is in the log is safe there, and whoever writes next tries again.
        if (!isUnwritable(error)) throw error;
      }
    },
    dataVersion,
    isInPlace,
    close() {
      // Statements that are not yet collected keep the file open, and with it its locks.
      if (raw.isTransaction) raw.exec("ROLLBACK");
      statements.clear();
      raw.close();
    },
  };
  return db;
}

/** One of the two drivers cuts text at U+0000 in silence; nothing that is stored may be cut. */
function whole(values: Value[]): Value[] {
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) {
    throw invalid("Text must not hold the character U+0000.");
  }
  return values;
}

/** Somebody else writes: SQLite's own number, or our word for a writer that does not finish. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Failure ? error.code === "store-busy" : primaryCode(error) === 5;

/** The file is damaged, or is no database at all. */
export const isCorrupt = (error: unknown): boolean => [11, 26].includes(primaryCode(error));

/** There is no room left, or the disk fails: the file is as it was before. */
export const isUnwritable = (error: unknown): boolean => [10, 13].includes(primaryCode(error));

/** There is no room left, as SQLite or the system says it. */
export const isFull = (error: unknown): boolean =>
  primaryCode(error) === 13 ||
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/** A value is larger than a connection may hold. */
export const isTooLarge = (error: unknown): boolean => primaryCode(error) === 18;

/** Somebody may look at the file, and not write. */
export const isReadOnly = (error: unknown): boolean => primaryCode(error) === 8;

/** The file cannot be made, or is none. */
export const isUnopenable = (error: unknown): boolean => primaryCode(error) === 14;

export const storeDamaged = (cause: unknown): Failure =>
  new Failure("conflict", "store-damaged", "The store is damaged.", {
    hints: ["Stop the other Lectern processes, then run `lectern doctor --repair`."],
    cause,
  });

function primaryCode(error: unknown): number {
  const { errcode, message } = error as { errcode?: number; message?: string };
  return typeof errcode === "number" ? errcode & 0xff : (codesByText[message ?? ""] ?? 0);
}

/** One of the two drivers leaves the number out where `all` fails; SQLite's words for it are fixed. */
const codesByText: Record<string, number> = {
  "database is locked": 5,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "string or blob too big": 18,
  "file is not a database": 26,
};
