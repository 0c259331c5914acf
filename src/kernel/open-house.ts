import { existsSync, mkdirSync } from "node:fs";
import { basename } from "node:path";
import type { TakeFiles } from "./batch.ts";
import { makeBoundary } from "./boundary.ts";
import { openChangeLog } from "./change-log.ts";
import { openConfig, rootsOf } from "./config.ts";
import { openConverted } from "./converted.ts";
import { type Database, isCorrupt, openDatabase } from "./database.ts";
import { openDocuments, type Root } from "./documents.ts";
import { confinedRoots, encloseHome } from "./enclosure.ts";
import { Failure } from "./failure.ts";
import { waitForFirstReading } from "./first-reading.ts";
import { openReader } from "./formats/reader.ts";
import type { Absorber } from "./handover.ts";
import type { House } from "./house.ts";
import { openIntake } from "./intake.ts";
import { isHeld, openLease } from "./lease.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { openModels } from "./models/models.ts";
import { openNotices } from "./notices.ts";
import { makeOwn, tightenHome } from "./own-file.ts";
import { ownedTables } from "./owned-tables.ts";
import type { PerformByName } from "./perform.ts";
import { openPrivateFiles } from "./private-files.ts";
import { openProposals, type Proposals } from "./proposals.ts";
import { makeQueue } from "./queue.ts";
import { repairDerived } from "./repair.ts";
import { currentRevision, waitForRevision } from "./revision.ts";
import type { Running } from "./running.ts";
import { sealUnsealed } from "./sealed-rows.ts";
import { type Files, filesOf, type Settings } from "./settings.ts";
import type { AnyShelf } from "./shelf.ts";
import { copyStoreAside, putStoreAside, salvageAuthored } from "./store-health.ts";
import { migrate, noTables } from "./tables.ts";
import { settleInterrupted } from "./told-edits.ts";
import { homeUnusable } from "./trouble.ts";
import { knownDimensions } from "./vectors/known-dimensions.ts";
import { openViewers } from "./viewers.ts";
import { isLogDamaged } from "./write-ahead-log.ts";
import { pause } from "./write-lock.ts";

export interface HouseParts {
  settings: Settings;
  log: Log;
  /** All of them, whichever this process shows: tables and changes are everybody's. */
  shelves: readonly AnyShelf[];
  stateOf: (shelf: AnyShelf) => unknown;
  performByName: PerformByName;
  lendings: House["lendings"];
  metrics: Metrics;
  running: Running;
  /** Takes in files that would keep this thread busy for long. */
  takeElsewhere?: TakeFiles | undefined;
}

/** Opens what stands under every shelf: the one place where state begins. */
export function openHouse(parts: HouseParts): House {
  const { settings, log, shelves, stateOf, performByName, lendings, metrics, running } = parts;
  const { root, forceRoot, configFolder } = settings;
  const files = filesOf(settings);
  const { db, homeFailure } = storeOf(parts, files);
  const privateFiles = openPrivateFiles(db);
  const boundary = makeBoundary({ base: root, forceRoot, privateFiles });
  const everything = openConfig(files.config, (work) => db.transaction(work));
  const config = forceRoot === undefined ? everything : encloseHome(db, everything, boundary);
  const roots = (): Root[] => confinedRoots(rootsOf(everything), boundary, forceRoot);
  const notices = openNotices(
    db,
    (root) => forceRoot === undefined || root in config.read().collections,
  );
  const reader = openReader();
  const converted = openConverted(db);
  const proposals = openProposals(db, log);
  const changes = openChangeLog(db, "", proposals, log);
  if (!settings.readOnly) settleInterrupted({ boundary, changes });
  const intake = openIntake({
    db,
    sources: { boundary: makeBoundary({ base: root, privateFiles }), reader, converted },
    notices,
    log,
    rootNamed: (name) => roots().find((root) => root.name === name),
    absorbers: absorbersOf(shelves, stateOf),
    elsewhere: homeFailure ? undefined : parts.takeElsewhere,
  });
  return {
    settings,
    log,
    boundary,
    db,
    privateFiles,
    notices,
    viewers: openViewers(db),
    config,
    roots,
    documents: openDocuments(db),
    revision: () => currentRevision(db),
    waitForRevision: (revision, signal) => waitForRevision(db, revision, { signal }),
    waitForFirstReading(wanted, patience) {
      // They may be defined anew while somebody waits.
      const roots = () => rootsOf(everything).filter(({ name }) => wanted.includes(name));
      const unread = () => intake.unread(roots()).map(({ name }) => name);
      return waitForFirstReading({ unread, revision: () => currentRevision(db) }, patience);
    },
    converted,
    reader,
    models: openModels({
      settings: () => everything.read().models,
      configFolder,
      environment: process.env,
      keptDimensions: (model) => knownDimensions(db, "kept", model),
    }),
    intake,
    repairDerived: (options) =>
      repairDerived({ db, shelves, stateOf, intake, converted, log }, options),
    async tend(signal) {
      for (const shelf of shelves) await shelf.tend?.(stateOf(shelf), signal);
    },
    proposals: homeFailure ? withoutHome(proposals, homeFailure) : proposals,
    changes,
    queue: makeQueue(),
    running,
    metrics,
    performByName,
    lendings,
  };
}

/**
 * Where the file system cannot be written, as in a closed container, shelves that keep nothing of
 * their own are served with a store in memory. All others need their home.
 */
function storeOf(
  { settings, shelves, log }: HouseParts,
  files: Files,
): { db: Database; homeFailure?: Failure } {
  try {
    const db = inHome(() => {
      for (const folder of [settings.dataFolder, settings.configFolder]) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        tightenHome(folder, settings.root);
      }
      return openStore(files, shelves, log);
    });
    return { db };
  } catch (error) {
    const shown = shelves.filter(({ name }) => settings.shelves?.includes(name));
    const isKeptNowhere = shown.length > 0 && shown.every(({ tables }) => tables === noTables);
    if (!(error instanceof Failure) || error.code !== "home-unusable" || !isKeptNowhere)
      throw error;
    log("warn", "the home cannot be used: nothing is kept, and nothing can be proposed");
    return { db: openStore({ ...files, store: ":memory:" }, shelves, log), homeFailure: error };
  }
}

/** Nobody would ever see what was proposed to a store that ends with the process. */
const withoutHome = (proposals: Proposals, failure: Failure): Proposals => ({
  ...proposals,
  propose() {
    throw failure;
  },
});

function inHome<Result>(open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Failure || code === undefined) throw error;
    throw homeUnusable(error as Error);
  }
}

function absorbersOf(shelves: readonly AnyShelf[], stateOf: HouseParts["stateOf"]): Absorber[] {
  return shelves
    .filter((shelf) => shelf.absorb)
    .map((shelf) => ({
      name: shelf.name,
      absorb: (changes) => shelf.absorb?.(stateOf(shelf), changes) ?? [],
      relocate: shelf.relocate && ((moved) => shelf.relocate?.(stateOf(shelf), moved) ?? []),
    }));
}

function openStore(files: Files, shelves: readonly AnyShelf[], log: Log): Database {
  const owned = ownedTables(shelves);
  const open = (): Database => {
    if (files.store !== ":memory:") makeOwn(files.store);
    const db = openDatabase(files.store);
    try {
      migrate(db, owned);
      sealUnsealed(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  keepDamagedLog(files, log);
  try {
    return open();
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return replaceDamaged(files, open, log);
  }
}

/** What SQLite would leave out of a damaged log in silence is kept, and somebody is told. */
function keepDamagedLog({ store, lease }: Files, log: Log): void {
  if (!existsSync(`${store}-wal`) || isHeld(lease) || !isLogDamaged(store)) return;
  log("error", "the store's log was damaged: what was written last is missing, a copy is kept", {
    aside: basename(copyStoreAside(store)),
  });
}

/**
 * Puts a damaged store aside, starts a new one and carries over what can still be read. Only one
 * process may do so, and none while another works on the file: the lease tells.
 */
function replaceDamaged(files: Files, open: () => Database, log: Log): Database {
  const lease = openLease(files.lease);
  try {
    for (let attempt = 0; !lease.take(); attempt++) {
      if (attempt > 100) throw damagedInUse();
      pause(20);
    }
    return open();
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    const aside = putStoreAside(files.store);
    const db = open();
    const rows = salvageAuthored(aside, db);
    log("error", "the store was damaged: it was put aside and is filled anew", {
      aside: basename(aside),
      rescued: rows,
    });
    return db;
  } finally {
    lease.close();
  }
}

const damagedInUse = (): Failure =>
  new Failure("conflict", "store-damaged", "The store is damaged and another process uses it.", {
    hints: ["Stop the other Lectern processes, then run `lectern doctor --repair`."],
  });
