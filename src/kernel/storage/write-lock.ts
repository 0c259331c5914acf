import { statSync, utimesSync } from "node:fs";
import { Failure } from "../failure.ts";
import { pollUntil } from "../processes/poll-until.ts";
import { findLockHolder } from "./lock-holder.ts";

/**
 * Coordinates the writers of several processes. A process that is stopped inside a transaction
 * keeps SQLite's write lock, so every wait for the lock has a limit, and a server avoids waiting
 * for it on its only thread.
 */
export interface WriteLock {
  /**
   * Begins a transaction. Blocks this thread while other processes make progress, because then the
   * lock will become free. Fails with `store-busy` if no transaction has ended for a while, or
   * immediately with `withoutWaiting`.
   */
  begin(withoutWaiting?: boolean): void;
  /** Signals waiting processes that a transaction has ended, even if it changed nothing. */
  onTransactionEnd(isCommitted: boolean): void;
  /**
   * Waits asynchronously until a transaction could begin. Undefined if it could begin now: calls
   * then run in their order of arrival.
   */
  waitUntilFree(options?: WriteWaitOptions): Promise<void> | undefined;
}

export interface WriteWaitOptions {
  signal?: AbortSignal | undefined;
  /** How long to wait while no transaction ends; without limit if Infinity. */
  timeoutMs?: number | undefined;
  /** Called once if the wait is long enough to be noticed. */
  onWait?: ((reason: string) => void) | undefined;
}

/** The connection of the lock; its statements do not wait for other processes. */
export interface LockConnection {
  exec(sql: string): void;
  isBusy(error: unknown): boolean;
  /** Changes when another connection commits a change. */
  dataVersion(): number;
  /** Increases when this connection changes a row. */
  totalChanges(): number;
  /** The database file. */
  readonly path: string;
}

/** How long to block the thread if the lock holder does not end its transaction. */
const stallMs = 1_000;

/** How long to wait asynchronously for such a holder. */
const defaultTimeoutMs = 5_000;

/** Minimum number of polls before a timeout, because time also passes while a machine is suspended. */
const minPolls = 20;

/** Waits of this length are reported to the user. */
const notifyAfterMs = 1_000;

export function openWriteLock(connection: LockConnection): WriteLock {
  /** The progress at the last timeout. Without progress since then, `begin` fails immediately. */
  let stalledProgress: string | undefined;
  let changes = connection.totalChanges();

  function tryBegin(): boolean {
    try {
      connection.exec("BEGIN IMMEDIATE");
      stalledProgress = undefined;
      return true;
    } catch (error) {
      if (connection.isBusy(error)) return false;
      throw error;
    }
  }

  function isFree(): boolean {
    if (!tryBegin()) return false;
    connection.exec("ROLLBACK");
    return true;
  }

  function giveUp(stalledMs: number): Failure {
    stalledProgress = readProgress(connection);
    return storeBusy(stalledMs, holder());
  }

  const holder = () => findLockHolder(`${connection.path}-shm`, walWriteByte);

  return {
    begin(withoutWaiting = false) {
      if (tryBegin()) return;
      if (withoutWaiting || stalledProgress === readProgress(connection))
        throw storeBusy(0, holder());
      const stall = createStallTimer(connection);
      while (!tryBegin()) {
        if (stall.isOver(stallMs)) throw giveUp(stall.ms());
        sleepSync(1 + Math.random() * 9);
      }
    },
    onTransactionEnd(isCommitted) {
      const before = changes;
      changes = connection.totalChanges();
      if (!isCommitted || changes === before) markProgress(connection);
    },
    waitUntilFree: (options = {}) => (isFree() ? undefined : wait(options)),
  };

  async function wait({ signal, timeoutMs = defaultTimeoutMs, onWait }: WriteWaitOptions) {
    const stall = createStallTimer(connection);
    const start = performance.now();
    let isNotified = false;
    const isExpired = (): boolean => {
      if (stall.isOver(timeoutMs)) throw giveUp(stall.ms());
      if (!isNotified && performance.now() - start > notifyAfterMs) {
        isNotified = true;
        onWait?.(describeHolder(holder()));
      }
      return false;
    };
    const delayMs = (polls: number): number => 2 + Math.random() * Math.min(5 * polls, 50);
    await pollUntil(isFree, { isExpired, delayMs, signal });
    signal?.throwIfAborted();
  }
}

/** The byte of the shared-memory file that SQLite locks for the writer of a write-ahead log. */
const walWriteByte = 120;

/** Measures the time since the last transaction of another process ended. */
function createStallTimer(connection: LockConnection): {
  isOver(limitMs: number): boolean;
  ms(): number;
} {
  let progress = readProgress(connection);
  let since = performance.now();
  let polls = 0;
  const ms = (): number => performance.now() - since;
  return {
    ms,
    isOver(limitMs) {
      const current = readProgress(connection);
      if (current !== progress) {
        progress = current;
        since = performance.now();
        polls = 0;
      }
      return ++polls > minPolls && ms() > limitMs;
    },
  };
}

/**
 * Differs after each transaction that another process has ended. SQLite's data version counts those
 * that changed the database; the mtime of the file also shows those that changed nothing in it,
 * such as a lock for the configuration file, and those that were rolled back. The mtime of the
 * shared-memory file is no substitute: every reader changes it.
 */
const readProgress = ({ dataVersion, path }: LockConnection): string =>
  `${dataVersion()} ${statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs}`;

/**
 * Only used for a transaction that SQLite does not count, because it slows down the next commit.
 */
function markProgress({ path }: LockConnection): void {
  // This clock is monotonic, unlike the wall clock.
  const seconds = (performance.timeOrigin + performance.now()) / 1000;
  try {
    utimesSync(path, seconds, seconds);
  } catch {
    // The file is missing or owned by another user: then only changes are visible to waiting
    // processes.
  }
}

const describeHolder = (pid: number | undefined): string =>
  pid === undefined
    ? "Another Lectern process is writing"
    : `Another Lectern process (${pid}) is writing`;

function storeBusy(stalledMs: number, pid: number | undefined): Failure {
  const seconds = Math.round(stalledMs / 1000);
  const since = seconds > 0 ? ` and has not finished for ${seconds} s` : " and does not finish";
  return new Failure("unavailable", "store-busy", `${describeHolder(pid)}${since}.`, {
    hints: [
      "Nothing was changed. Try again; if that process is stopped or hangs, resume or end it.",
    ],
  });
}

/** Blocks the thread, because the driver is synchronous. */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
