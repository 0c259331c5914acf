import { truncateSync } from "node:fs";
import { fileIdentity } from "../files/file-identity.ts";
import {
  type Database,
  isBusyError,
  isCannotOpenError,
  isCorruptionError,
  openDatabase,
} from "../storage/database.ts";
import { ensurePrivateFile } from "./home-permissions.ts";
import { homeUnusable } from "./io-errors.ts";

/** An exclusive role in a home, such as watching and indexing. One process holds it at a time. */
export interface Lease {
  /** False after the file was removed, because the next process would lock a new file. */
  readonly isHeld: boolean;
  /** Tries once without waiting; returns whether this process now holds the lease. */
  tryAcquire(): boolean;
  release(): void;
  close(): void;
}

/**
 * The lease is an operating system lock on a small file, so it is released when its process ends:
 * there are no clocks to compare, no reused process ids and no stale locks. SQLite takes the lock in
 * the same way on every platform; nothing is written to the file.
 */
export function openLease(path: string): Lease {
  let opened: { db: Database; file: string } | undefined;
  let locked = false;

  const lease: Lease = {
    get isHeld() {
      return locked && opened?.file === fileIdentity(path);
    },
    tryAcquire() {
      if (lease.isHeld) return true;
      // A removed or replaced file is not the one that other processes lock.
      if (opened && opened.file !== fileIdentity(path)) lease.close();
      opened ??= openLeaseFile(path);
      locked = opened !== undefined && tryLock(opened.db, path);
      return lease.isHeld;
    },
    release() {
      if (locked) opened?.db.exec("ROLLBACK");
      locked = false;
    },
    close() {
      lease.release();
      opened?.db.close();
      opened = undefined;
    },
  };
  return lease;
}

/**
 * Whether any process holds the lease. The check takes no exclusive lock, so it blocks neither the
 * holder nor other checks.
 */
export function isLeaseHeld(path: string): boolean {
  if (fileIdentity(path) === "none") return false;
  const opened = openLeaseFile(path);
  if (!opened) return true;
  try {
    opened.db.get("SELECT 1 FROM sqlite_master");
    return false;
  } catch (error) {
    if (isBusyError(error)) return true;
    throw error;
  } finally {
    opened.db.close();
  }
}

/** Undefined if the file is locked and even its header cannot be read. */
function openLeaseFile(path: string): { db: Database; file: string } | undefined {
  try {
    ensurePrivateFile(path);
  } catch {
    // SQLite reports the error below, where it becomes the failure for an unusable home.
  }
  try {
    const db = openDatabase(path, { busyTimeoutMs: 0, journal: "rollback" });
    return { db, file: fileIdentity(path) };
  } catch (error) {
    if (isBusyError(error)) return undefined;
    if (isCannotOpenError(error)) throw homeUnusable(error as Error, path);
    if (!isCorruptionError(error)) throw error;
    truncateFile(path);
    return openLeaseFile(path);
  }
}

function tryLock(db: Database, path: string): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusyError(error)) return false;
    if (!isCorruptionError(error)) throw error;
    truncateFile(path);
    return tryLock(db, path);
  }
}

/** Truncates in place, because a new file could be locked while the old one still is. */
const truncateFile = (path: string): void => truncateSync(path);
