import { existsSync, mkdirSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../failure.ts";
import { ensurePrivateFile, restrictHomePermissions } from "../home/home-permissions.ts";
import { homeUnusable } from "../home/io-errors.ts";
import { isLeaseHeld, openLease } from "../home/lease.ts";
import type { HomeFiles, Settings } from "../home/settings.ts";
import { addMissingCopies } from "../integrity/checksummed-rows.ts";
import { copyStoreAside, moveStoreAside, salvageAuthored } from "../integrity/store-health.ts";
import { isWalDamaged } from "../integrity/write-ahead-log.ts";
import type { AnyShelf } from "../shelf.ts";
import { allTables } from "../storage/all-tables.ts";
import { type Database, isCorruptionError, openDatabase } from "../storage/database.ts";
import { migrate, noTables } from "../storage/migrations.ts";
import { sleepSync } from "../storage/write-lock.ts";
import type { Log } from "./log.ts";

interface StoreOptions {
  settings: Settings;
  shelves: readonly AnyShelf[];
  log: Log;
}

/**
 * On a read-only file system, as in some containers, shelves without tables are served with a store
 * in memory. All other shelves need a writable home.
 */
export function openStoreOrMemory(
  { settings, shelves, log }: StoreOptions,
  files: HomeFiles,
): { db: Database; homeFailure?: Failure } {
  try {
    makeHomeFolders(settings);
    return { db: withHomeErrors(() => openStore(files, shelves, log)) };
  } catch (error) {
    const shownShelves = shelves.filter(({ name }) => settings.shelves?.includes(name));
    const needsNoHome =
      shownShelves.length > 0 && shownShelves.every(({ tables }) => tables === noTables);
    if (!(error instanceof Failure) || error.code !== "home-unusable" || !needsNoHome) throw error;
    log("warn", "the home cannot be used: nothing is stored, and nothing can be proposed");
    return { db: openStore({ ...files, store: ":memory:" }, shelves, log), homeFailure: error };
  }
}

export const makeHomeFolders = ({ dataFolder, configFolder, root }: Settings): void =>
  withHomeErrors(() => {
    for (const folder of [dataFolder, configFolder]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      restrictHomePermissions(folder, root);
    }
  });

function withHomeErrors<Result>(open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Failure || code === undefined) throw error;
    throw homeUnusable(error as Error);
  }
}

function openStore(files: HomeFiles, shelves: readonly AnyShelf[], log: Log): Database {
  const owned = allTables(shelves);
  const open = (): Database => {
    if (files.store !== ":memory:") ensurePrivateFile(files.store);
    const db = openDatabase(files.store);
    try {
      migrate(db, owned);
      addMissingCopies(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  preserveDamagedLog(files, log);
  try {
    return open();
  } catch (error) {
    if (!isCorruptionError(error)) throw error;
    return replaceDamagedStore(files, open, log);
  }
}

/** SQLite silently ignores a write-ahead log from the first damaged frame on, so it is copied. */
function preserveDamagedLog({ store, lease }: HomeFiles, log: Log): void {
  if (!existsSync(`${store}-wal`) || isLeaseHeld(lease) || !isWalDamaged(store)) return;
  log(
    "error",
    "the write-ahead log of the store was damaged: the last changes are missing, a copy was saved",
    {
      aside: basename(copyStoreAside(store)),
    },
  );
}

/**
 * Moves a damaged store aside, creates a new one and copies the readable rows to it. The lease
 * ensures that no other process does the same or is using the file.
 */
function replaceDamagedStore(files: HomeFiles, open: () => Database, log: Log): Database {
  const lease = openLease(files.lease);
  try {
    for (let attempt = 0; !lease.tryAcquire(); attempt++) {
      if (attempt > 100) throw damagedStoreInUse();
      sleepSync(20);
    }
    return open();
  } catch (error) {
    if (!isCorruptionError(error)) throw error;
    const aside = moveStoreAside(files.store);
    const db = open();
    const rows = salvageAuthored(aside, db);
    log("error", "the store was damaged: it was moved aside and will be rebuilt", {
      aside: basename(aside),
      recovered: rows,
    });
    return db;
  } finally {
    lease.close();
  }
}

const damagedStoreInUse = (): Failure =>
  new Failure(
    "conflict",
    "store-damaged",
    "The store is damaged, and another process is using it.",
    {
      hints: ["Stop the other Lectern processes, then run `lectern doctor --repair`."],
    },
  );
