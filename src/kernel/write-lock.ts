import { statSync, utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./failure.ts";
import { lockHolder } from "./lock-holder.ts";

/**
 * How writers of several processes wait for each other. A process that is stopped inside a
 * transaction keeps SQLite's write lock for as long as it stands still, so nobody waits for the lock
 * without a limit, and a server never waits for it on its only thread while it can help it.
 */
export interface WriteLock {
  /**
   * Begins a transaction. Waits on this thread while others end theirs, because then a turn will
   * come, and fails with `store-busy` once nobody has ended one for a while, or `atOnce`.
   */
  begin(atOnce?: boolean): void;
  /** Tells those who wait that a transaction has ended, also when it has changed nothing. */
  ended(isCommitted: boolean): void;
  /**
   * Waits until a transaction could begin, and leaves the thread to others meanwhile. Undefined
   * where it could begin now: whoever came first then goes on before whoever came next.
   */
  available(patience?: WritePatience): Promise<void> | undefined;
}

export interface WritePatience {
  signal?: AbortSignal | undefined;
  /** How long to wait while nobody ends a transaction; as long as it takes where it is Infinity. */
  patienceMs?: number | undefined;
  /** Called once where the wait is long enough to be noticed. */
  onWait?: ((reason: string) => void) | undefined;
}

/** What the lock needs of its connection, on which no statement waits for another process. */
export interface LockConnection {
  exec(sql: string): void;
  isBusy(error: unknown): boolean;
  /** Grows when another connection commits a change. */
  dataVersion(): number;
  /** Grows when this connection changes a row. */
  totalChanges(): number;
  /** The database file. */
  readonly path: string;
}

/** So long the thread stands still for a holder that does not end its transaction. */
const stallMs = 1_000;

/** So long a call waits for such a holder, with the thread free. */
const defaultPatienceMs = 5_000;

/** A machine that stood still for seconds has not waited: each part of the patience is a look. */
const minLooks = 20;

/** A wait of this length is worth a word to the person who waits. */
const noticedMs = 1_000;

export function openWriteLock(connection: LockConnection): WriteLock {
  /** Where things stood when the last one who waited gave up: the next one need not wait again. */
  let stuckAt: string | undefined;
  let changes = connection.totalChanges();

  function tryBegin(): boolean {
    try {
      connection.exec("BEGIN IMMEDIATE");
      stuckAt = undefined;
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
    stuckAt = progressOf(connection);
    return storeBusy(stalledMs, holder());
  }

  const holder = () => lockHolder(`${connection.path}-shm`, walWriteByte);

  return {
    begin(atOnce = false) {
      if (tryBegin()) return;
      if (atOnce || stuckAt === progressOf(connection)) throw storeBusy(0, holder());
      const stall = openStall(connection);
      while (!tryBegin()) {
        if (stall.isOver(stallMs)) throw giveUp(stall.ms());
        pause(1 + Math.random() * 9);
      }
    },
    ended(isCommitted) {
      const before = changes;
      changes = connection.totalChanges();
      if (!isCommitted || changes === before) markProgress(connection);
    },
    available: (patience = {}) => (isFree() ? undefined : wait(patience)),
  };

  async function wait({ signal, patienceMs = defaultPatienceMs, onWait }: WritePatience) {
    const stall = openStall(connection);
    const start = performance.now();
    let isTold = false;
    for (let looks = 1; !isFree(); looks++) {
      if (stall.isOver(patienceMs)) throw giveUp(stall.ms());
      if (!isTold && performance.now() - start > noticedMs) {
        isTold = true;
        onWait?.(holderInWords(holder()));
      }
      await sleep(2 + Math.random() * Math.min(5 * looks, 50), undefined, { signal });
    }
  }
}

/** The byte of the shared-memory file that SQLite locks for the writer of a write-ahead log. */
const walWriteByte = 120;

/** How long nobody has ended a transaction. */
function openStall(connection: LockConnection): { isOver(limitMs: number): boolean; ms(): number } {
  let progress = progressOf(connection);
  let since = performance.now();
  let looks = 0;
  const ms = (): number => performance.now() - since;
  return {
    ms,
    isOver(limitMs) {
      const current = progressOf(connection);
      if (current !== progress) {
        progress = current;
        since = performance.now();
        looks = 0;
      }
      return ++looks > minLooks && ms() > limitMs;
    },
  };
}

/**
 * Differs after each transaction that another process has ended. SQLite counts those that changed
 * the database; the file's time also tells of those that only guarded something else, such as the
 * configuration file, and of those that were rolled back. The time of the shared-memory file would
 * not do: it changes with every reader.
 */
const progressOf = ({ dataVersion, path }: LockConnection): string =>
  `${dataVersion()} ${statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs}`;

/** Only for a transaction that SQLite does not count: it makes the next commit a little slower. */
function markProgress({ path }: LockConnection): void {
  // Unlike the wall clock, this one never shows the same time again.
  const seconds = (performance.timeOrigin + performance.now()) / 1000;
  try {
    utimesSync(path, seconds, seconds);
  } catch {
    // The file is gone or another user's: then only changes tell those who wait.
  }
}

const holderInWords = (pid: number | undefined): string =>
  pid === undefined
    ? "Another Lectern process is writing"
    : `Another Lectern process (${pid}) is writing`;

function storeBusy(stalledMs: number, pid: number | undefined): Failure {
  const seconds = Math.round(stalledMs / 1000);
  const since = seconds > 0 ? ` and has not finished for ${seconds} s` : " and does not finish";
  return new Failure("unavailable", "store-busy", `${holderInWords(pid)}${since}.`, {
    hints: [
      "Nothing was changed. Try again; if that process is stopped or hangs, continue or end it.",
    ],
  });
}

/** Sleeps without giving the thread away: the driver is synchronous, and so is waiting for it. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
