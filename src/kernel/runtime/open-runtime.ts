import { existsSync, mkdirSync } from "node:fs";
import { basename } from "node:path";
import { openChangeLog } from "../approval/change-log.ts";
import { openProposals, type Proposals } from "../approval/proposals.ts";
import type { Metrics } from "../calls/metrics.ts";
import type { PerformByName } from "../calls/perform.ts";
import type { RunningJobs } from "../calls/running-jobs.ts";
import { openConversionCache } from "../documents/conversion-cache.ts";
import { openDocuments, type Root } from "../documents/documents.ts";
import { readRevision, waitForRevision } from "../documents/revision.ts";
import { Failure } from "../failure.ts";
import { recoverInterrupted } from "../files/journaled-edits.ts";
import { openDocumentReader } from "../formats/document-reader.ts";
import { configuredRoots, openConfigFile } from "../home/config.ts";
import { ensurePrivateFile, restrictHomePermissions } from "../home/home-permissions.ts";
import { homeUnusable } from "../home/io-errors.ts";
import { isLeaseHeld, openLease } from "../home/lease.ts";
import { confineDocuments, confineRoots, scopeConfig } from "../home/scoped-config.ts";
import { type HomeFiles, homeFiles, type Settings } from "../home/settings.ts";
import type { DocumentChangeListener } from "../indexing/change-dispatch.ts";
import type { IndexFiles } from "../indexing/index-batches.ts";
import { openIndexer } from "../indexing/indexer.ts";
import { waitForInitialScan } from "../indexing/initial-scan.ts";
import { addMissingCopies } from "../integrity/checksummed-rows.ts";
import { repairDerived } from "../integrity/repair.ts";
import { copyStoreAside, moveStoreAside, salvageAuthored } from "../integrity/store-health.ts";
import { isWalDamaged } from "../integrity/write-ahead-log.ts";
import { openModels } from "../models/models.ts";
import { openNotices } from "../notices/notices.ts";
import { openPageViewers } from "../notices/viewers.ts";
import { createBoundary } from "../paths/boundary.ts";
import { createHomeCheck } from "../paths/home-files.ts";
import { openPrivateFiles } from "../paths/private-files.ts";
import { createSerialQueue } from "../processes/serial-queue.ts";
import type { AnyShelf } from "../shelf.ts";
import { allTables } from "../storage/all-tables.ts";
import { type Database, isCorruptionError, openDatabase } from "../storage/database.ts";
import { migrate, noTables } from "../storage/migrations.ts";
import { openSqliteStore } from "../storage/sqlite-store.ts";
import { sleepSync } from "../storage/write-lock.ts";
import { storedDimensions } from "../vectors/known-dimensions.ts";
import type { Log } from "./log.ts";
import type { Runtime } from "./runtime.ts";

export interface RuntimeOptions {
  settings: Settings;
  log: Log;
  /** All shelves, not only the shown ones, because all processes share tables and changes. */
  shelves: readonly AnyShelf[];
  stateOf: (shelf: AnyShelf) => unknown;
  performByName: PerformByName;
  sqlTables: Runtime["sqlTables"];
  metrics: Metrics;
  runningJobs: RunningJobs;
  /** Indexes files whose indexing would block this thread for long. */
  indexOffThread?: IndexFiles | undefined;
}

/** Opens the services that all shelves use. All state of a process starts here. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { settings, log, shelves, stateOf, performByName, sqlTables, metrics, runningJobs } =
    options;
  const { root, forceRoot, configFolder } = settings;
  const files = homeFiles(settings);
  const { db, homeFailure } = openStoreOrMemory(options, files);
  const store = openSqliteStore(db);
  const privateFiles = openPrivateFiles(db);
  const home = createHomeCheck([settings.dataFolder, configFolder], root);
  const boundary = createBoundary({ base: root, forceRoot, privateFiles, home });
  const fullConfig = openConfigFile(files.config);
  const config = forceRoot === undefined ? fullConfig : scopeConfig(fullConfig, boundary);
  if (forceRoot !== undefined) confineDocuments(db, config);
  const roots = (): Root[] => confineRoots(configuredRoots(fullConfig), boundary, forceRoot);
  const notices = store.run(
    openNotices({
      showsRoot: (name) => forceRoot === undefined || name in config.read().collections,
      showsProject: (path) =>
        forceRoot === undefined || (path !== undefined && boundary.allowsFolder(path)),
    }),
  );
  const reader = openDocumentReader();
  const conversionCache = openConversionCache();
  const proposals = openProposals(log);
  const changes = openChangeLog("", proposals, log);
  if (!settings.readOnly) store.run(recoverInterrupted(boundary));
  const indexer = openIndexer({
    store,
    sources: {
      boundary: createBoundary({ base: root, privateFiles, home }),
      reader,
      conversionCache,
    },
    notices,
    log,
    findRoot: (name) => roots().find((root) => root.name === name),
    listeners: changeListenersOf(shelves, stateOf),
    indexOffThread: homeFailure ? undefined : options.indexOffThread,
  });
  return {
    settings,
    log,
    boundary,
    store,
    db,
    privateFiles,
    notices,
    viewers: openPageViewers(),
    config,
    roots,
    documents: openDocuments(),
    revision: readRevision,
    waitForRevision: (revision, signal) => waitForRevision(store, revision, { signal }),
    waitForInitialScan(names, waitOptions) {
      // Read at every poll, because the configuration may change during the wait.
      const roots = () => configuredRoots(fullConfig).filter(({ name }) => names.includes(name));
      const unscanned = () => store.run(indexer.unscanned(roots())).map(({ name }) => name);
      const revision = () => store.run(readRevision());
      return waitForInitialScan({ unscanned, revision }, waitOptions);
    },
    conversionCache,
    reader,
    models: openModels({
      settings: () => fullConfig.read().models,
      configFolder,
      environment: process.env,
      storedDimensions: (model) => storedDimensions(db, "kept", model),
    }),
    indexer,
    repairDerived: (repairOptions) =>
      repairDerived({ db, shelves, stateOf, indexer, conversionCache, log }, repairOptions),
    async reconcileShelves(signal) {
      for (const shelf of shelves) await shelf.reconcile?.(stateOf(shelf), signal);
    },
    proposals: homeFailure ? rejectingProposals(proposals, homeFailure) : proposals,
    changes,
    queue: createSerialQueue(),
    runningJobs,
    metrics,
    performByName,
    sqlTables,
  };
}

/**
 * On a read-only file system, as in some containers, shelves without tables are served with a store
 * in memory. All other shelves need a writable home.
 */
function openStoreOrMemory(
  { settings, shelves, log }: RuntimeOptions,
  files: HomeFiles,
): { db: Database; homeFailure?: Failure } {
  try {
    const db = withHomeErrors(() => {
      for (const folder of [settings.dataFolder, settings.configFolder]) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        restrictHomePermissions(folder, settings.root);
      }
      return openStore(files, shelves, log);
    });
    return { db };
  } catch (error) {
    const shownShelves = shelves.filter(({ name }) => settings.shelves?.includes(name));
    const needsNoHome =
      shownShelves.length > 0 && shownShelves.every(({ tables }) => tables === noTables);
    if (!(error instanceof Failure) || error.code !== "home-unusable" || !needsNoHome) throw error;
    log("warn", "the home cannot be used: nothing is stored, and nothing can be proposed");
    return { db: openStore({ ...files, store: ":memory:" }, shelves, log), homeFailure: error };
  }
}

/** A proposal in an in-memory store could never be reviewed. */
const rejectingProposals = (proposals: Proposals, failure: Failure): Proposals => ({
  ...proposals,
  propose() {
    throw failure;
  },
  proposeOnce() {
    throw failure;
  },
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

function changeListenersOf(
  shelves: readonly AnyShelf[],
  stateOf: RuntimeOptions["stateOf"],
): DocumentChangeListener[] {
  return shelves.flatMap((shelf) => {
    const { name, onDocumentChanges, onDocumentsMoved } = shelf;
    if (!onDocumentChanges) return [];
    return {
      name,
      onDocumentChanges: (changes) => onDocumentChanges(stateOf(shelf), changes),
      onDocumentsMoved: onDocumentsMoved && ((moved) => onDocumentsMoved(stateOf(shelf), moved)),
    };
  });
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
