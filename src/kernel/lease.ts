import { truncateSync } from "node:fs";
import { type Database, isBusy, isCorrupt, isUnopenable, openDatabase } from "./database.ts";
import { identityOf } from "./held-files.ts";
import { makeOwn } from "./own-file.ts";
import { homeUnusable } from "./trouble.ts";

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
  let opened: { db: Database; file: string } | undefined;
  let locked = false;

  const lease: Lease = {
    get held() {
      return locked && opened?.file === identityOf(path);
    },
    take() {
      if (lease.held) return true;
      // A file that was removed, or replaced, is no longer the one that others lock.
      if (opened && opened.file !== identityOf(path)) lease.close();
      opened ??= openFile(path);
      locked = opened !== undefined && lock(opened.db, path);
      return lease.held;
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

/** Whether some process holds the lease. To look takes nothing from anybody, nor from others who look. */
export function isHeld(path: string): boolean {
  if (identityOf(path) === "none") return false;
  const opened = openFile(path);
  if (!opened) return true;
  try {
    opened.db.get("SELECT 1 FROM sqlite_master");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    opened.db.close();
  }
}

/** Nothing where somebody holds the file so that not even its kind can be read. */
function openFile(path: string): { db: Database; file: string } | undefined {
  try {
    makeOwn(path);
  } catch {
    // What cannot be made or may not be changed is told by SQLite, in the words for a home.
  }
  try {
    const db = openDatabase(path, { busyMs: 0, journal: "rollback" });
    return { db, file: identityOf(path) };
  } catch (error) {
    if (isBusy(error)) return undefined;
    if (isUnopenable(error)) throw homeUnusable(error as Error, path);
    if (!isCorrupt(error)) throw error;
    empty(path);
    return openFile(path);
  }
}

function lock(db: Database, path: string): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    if (!isCorrupt(error)) throw error;
    empty(path);
    return lock(db, path);
  }
}

/** Emptied in place: a new file in its stead could be locked beside one that is held. */
const empty = (path: string): void => truncateSync(path);
