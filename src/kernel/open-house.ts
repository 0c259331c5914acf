import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeBoundary } from "./boundary.ts";
import { changeLogTables, openChangeLog } from "./change-log.ts";
import { openConfig } from "./config.ts";
import { type Database, isCorrupt, openDatabase } from "./database.ts";
import { documentTables, openDocuments } from "./documents.ts";
import type { House } from "./house.ts";
import { type Absorber, openIntake } from "./intake.ts";
import type { Log } from "./log.ts";
import { noticeTables, openNotices } from "./notices.ts";
import type { PerformByName } from "./perform.ts";
import { openProposals, proposalTables } from "./proposals.ts";
import { makeQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";
import type { AnyShelf } from "./shelf.ts";
import { derived, migrate } from "./tables.ts";

export interface HouseParts {
  settings: Settings;
  log: Log;
  /** All of them, whichever this process shows: tables and changes are everybody's. */
  shelves: readonly AnyShelf[];
  stateOf: (shelf: AnyShelf) => unknown;
  performByName: PerformByName;
}

/** Opens what stands under every shelf: the one place where state begins. */
export function openHouse(parts: HouseParts): House {
  const { settings, log, shelves, stateOf, performByName } = parts;
  const { root, forceRoot, dataFolder, configFolder } = settings;
  const boundary = makeBoundary({ base: root, forceRoot });
  for (const folder of [dataFolder, configFolder]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const db = openStore(join(dataFolder, storeName), shelves, log);
  const notices = openNotices(db);
  return {
    settings,
    log,
    boundary,
    db,
    notices,
    config: openConfig(join(configFolder, "config.json"), (work) => db.transaction(work)),
    documents: openDocuments(db),
    intake: openIntake({ db, boundary, notices, log, absorbers: absorbersOf(shelves, stateOf) }),
    proposals: openProposals(db),
    changes: openChangeLog(db),
    queue: makeQueue(),
    performByName,
  };
}

export const storeName = "lectern.sqlite";

function absorbersOf(shelves: readonly AnyShelf[], stateOf: HouseParts["stateOf"]): Absorber[] {
  return shelves
    .filter((shelf) => shelf.absorb)
    .map((shelf) => ({
      name: shelf.name,
      absorb: (changes) => shelf.absorb?.(stateOf(shelf), changes) ?? [],
    }));
}

function openStore(path: string, shelves: readonly AnyShelf[], log: Log): Database {
  const owned = [
    { owner: "documents", tables: documentTables },
    { owner: "notices", tables: noticeTables },
    { owner: "stale", tables: derived(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);") },
    { owner: "proposals", tables: proposalTables() },
    { owner: "changes", tables: changeLogTables() },
    ...shelves.map(({ name, tables }) => ({ owner: name, tables })),
  ];
  const open = (): Database => {
    const db = openDatabase(path);
    try {
      migrate(db, owned);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  try {
    return open();
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    const aside = putAside(path);
    log("error", "the store was damaged; it was put aside and a new one is filled", { aside });
    return open();
  }
}

/** Keeps a damaged store for whoever wants to look at it. Its own log belongs to it. */
export function putAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  renameSync(path, aside);
  for (const suffix of ["-wal", "-shm"]) {
    try {
      renameSync(path + suffix, aside + suffix);
    } catch {
      rmSync(path + suffix, { force: true });
    }
  }
  return aside;
}
