import { statSync, truncateSync } from "node:fs";
import { type Database, isBusy, isCorrupt, openDatabase } from "./database.ts";

/** What only one process of a home may have at a time: the right to watch and to index. */
export interface Lease {
  /** False too when somebody removed the file, since the next process would then lock another. */
  readonly held: boolean;
  /** Tries once, without waiting; true where this process holds the lease now. */
  take(): boolean;
  release(): void;
  close(): void;
}

/**
 * The lease is the operating system's own lock on a small file, so it ends with its process,
 * however that ends: there is no clock to compare, no process number to mistake and no stale
 * lock to break. SQLite takes the lock for us, alike on every platform; nothing is ever written
 * to the file, so there is nothing to lose in it.
 */
export function openLease(path: string): Lease {
  let lock: { db: Database; file: string } | undefined;

  const lease: Lease = {
    get held() {
      return lock !== undefined && lock.file === identity(path);
    },
    take() {
      if (lease.held) return true;
      lease.release();
      const db = lockFile(path);
      if (!db) return false;
      lock = { db, file: identity(path) };
      return lease.held;
    },
    release() {
      lock?.db.close();
      lock = undefined;
    },
    close: () => lease.release(),
  };
  return lease;
}

function lockFile(path: string): Database | undefined {
  let db: Database | undefined;
  try {
    db = openDatabase(path, { busyMs: 0, journal: "rollback" });
    db.exec("BEGIN EXCLUSIVE");
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    if (!isCorrupt(error)) throw error;
    // Emptied in place: a new file in its stead could be locked beside one that is held.
    truncateSync(path);
    return lockFile(path);
  }
}

function identity(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : "none";
}
