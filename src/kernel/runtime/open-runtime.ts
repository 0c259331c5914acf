import { openChangeLog } from "../approval/change-log.ts";
import { openProposals, type Proposals } from "../approval/proposals.ts";
import type { Metrics } from "../calls/metrics.ts";
import type { PerformByName } from "../calls/perform.ts";
import type { RunningJobs } from "../calls/running-jobs.ts";
import { openConversionCache } from "../documents/conversion-cache.ts";
import { openDocuments, type Root } from "../documents/documents.ts";
import { readRevision, waitForRevision } from "../documents/revision.ts";
import type { Failure } from "../failure.ts";
import { homeGone } from "../files/file-identity.ts";
import { recoverInterrupted } from "../files/journaled-edits.ts";
import { openDocumentReader } from "../formats/document-reader.ts";
import { type ConfigFile, configuredRoots, openConfigFile } from "../home/config.ts";
import { confineDocuments, confineRoots, scopeConfig } from "../home/scoped-config.ts";
import { homeFiles, type Settings } from "../home/settings.ts";
import { openStoredConfig } from "../home/stored-config.ts";
import type { DocumentChangeListener } from "../indexing/change-dispatch.ts";
import type { IndexFiles } from "../indexing/index-batches.ts";
import { openPostgresIndexTurns, openSqliteIndexTurns } from "../indexing/index-turns.ts";
import { openIndexer } from "../indexing/indexer.ts";
import { waitForInitialScan } from "../indexing/initial-scan.ts";
import { type RepairOptions, repairDerived } from "../integrity/repair.ts";
import { type ModelsOptions, openModels } from "../models/models.ts";
import { openNotices } from "../notices/notices.ts";
import { openPageViewers } from "../notices/viewers.ts";
import { createBoundary } from "../paths/boundary.ts";
import { createHomeCheck } from "../paths/home-files.ts";
import { openListedPrivateFiles } from "../paths/listed-private-files.ts";
import { openPrivateFiles, type PrivateFiles } from "../paths/private-files.ts";
import type { PostgresHome } from "../postgres/home-address.ts";
import { noDatabase } from "../postgres/not-in-postgres.ts";
import { openPostgresHome } from "../postgres/open-home.ts";
import { createSerialQueue } from "../processes/serial-queue.ts";
import type { AnyShelf } from "../shelf.ts";
import { allTables } from "../storage/all-tables.ts";
import { openSqliteStore } from "../storage/sqlite-store.ts";
import { readStoredDimensions } from "../vectors/known-dimensions.ts";
import type { Log } from "./log.ts";
import { makeHomeFolders, openStoreOrMemory } from "./open-store.ts";
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
  const { settings } = options;
  const files = homeFiles(settings);
  const { db, homeFailure } = openStoreOrMemory(options, files);
  const store = openSqliteStore(db);
  const scope = openScope(settings, openPrivateFiles(db), openConfigFile(files.config));
  if (settings.forceRoot !== undefined) confineDocuments(db, scope.config);
  const notices = store.run(openNotices(scope.notices));
  if (!settings.readOnly) store.run(recoverInterrupted(scope.boundary));
  return openServices(options, scope, {
    db,
    store,
    notices,
    homeFailure,
    storedDimensions: (model) => store.run(readStoredDimensions("kept"))(model),
    repairDerived: (parts, repairOptions) => repairDerived({ db, ...parts }, repairOptions),
    openIndexTurns: () => openSqliteIndexTurns(db, files, options.log),
    refresh: () => undefined,
    homeProblem: () => (db.isInPlace() ? undefined : homeGone()),
    async close() {
      db.close();
    },
  });
}

/** The same for a home on PostgreSQL, which is connected first. */
export async function openPostgresRuntime(
  options: RuntimeOptions,
  address: PostgresHome,
): Promise<Runtime> {
  const { settings, shelves, log } = options;
  makeHomeFolders(settings);
  const home = await openPostgresHome(address, allTables(shelves));
  try {
    const { snapshot } = home;
    const config = openStoredConfig(snapshot);
    const scope = openScope(settings, openListedPrivateFiles(snapshot), config);
    const store = home.openStore(
      settings.forceRoot === undefined
        ? undefined
        : () => Object.keys(scope.config.read().collections),
    );
    const notices = await store.run(openNotices(scope.notices));
    if (!settings.readOnly) await store.run(recoverInterrupted(scope.boundary));
    return openServices(options, scope, {
      db: noDatabase(),
      store,
      notices,
      storedDimensions: await store.run(readStoredDimensions("kept")),
      repairDerived: async () => [],
      openIndexTurns: () => openPostgresIndexTurns(home, log),
      refresh: snapshot.refresh,
      homeProblem: () => undefined,
      close: home.close,
    });
  } catch (error) {
    await home.close();
    throw error;
  }
}

type Scope = ReturnType<typeof openScope>;

/** What this process serves of a home. */
function openScope(
  { root, forceRoot, configFolder, dataFolder }: Settings,
  privateFiles: PrivateFiles,
  fullConfig: ConfigFile,
) {
  const home = createHomeCheck([dataFolder, configFolder], root);
  const boundary = createBoundary({ base: root, forceRoot, privateFiles, home });
  const config = forceRoot === undefined ? fullConfig : scopeConfig(fullConfig, boundary);
  return {
    privateFiles,
    boundary,
    /** Of everything that is indexed, even outside the force root. */
    indexBoundary: createBoundary({ base: root, privateFiles, home }),
    fullConfig,
    config,
    roots: (): Root[] => confineRoots(configuredRoots(fullConfig), boundary, forceRoot),
    notices: {
      showsRoot: (name: string) => forceRoot === undefined || name in config.read().collections,
      showsProject: (path: string | undefined) =>
        forceRoot === undefined || (path !== undefined && boundary.allowsFolder(path)),
    },
  };
}

/** What depends on the kind of the home. */
interface HomeServices
  extends Pick<
    Runtime,
    "db" | "store" | "notices" | "openIndexTurns" | "refresh" | "homeProblem" | "close"
  > {
  homeFailure?: Failure | undefined;
  storedDimensions: ModelsOptions["storedDimensions"];
  repairDerived(
    parts: Omit<RepairOptions, "db">,
    options?: { isWhole?: boolean },
  ): Promise<readonly string[]>;
}

function openServices(
  options: RuntimeOptions,
  { privateFiles, boundary, indexBoundary, fullConfig, config, roots }: Scope,
  { homeFailure, storedDimensions, repairDerived, ...home }: HomeServices,
): Runtime {
  const { settings, log, shelves, stateOf, performByName, sqlTables, metrics, runningJobs } =
    options;
  const { store, notices } = home;
  const reader = openDocumentReader();
  const conversionCache = openConversionCache();
  const proposals = openProposals(log);
  const changes = openChangeLog("", proposals, log);
  const indexer = openIndexer({
    store,
    sources: { boundary: indexBoundary, reader, conversionCache },
    notices,
    log,
    findRoot: (name) => roots().find((root) => root.name === name),
    listeners: changeListenersOf(shelves, stateOf),
    indexOffThread: homeFailure ? undefined : options.indexOffThread,
  });
  return {
    ...home,
    settings,
    log,
    boundary,
    privateFiles,
    viewers: openPageViewers(),
    config,
    roots,
    documents: openDocuments(),
    revision: readRevision,
    waitForRevision: (revision, signal) => waitForRevision(store, revision, { signal }),
    waitForInitialScan(names, waitOptions) {
      // Read at every poll, because the configuration may change during the wait.
      const roots = () => configuredRoots(fullConfig).filter(({ name }) => names.includes(name));
      const unscanned = async () =>
        (await store.run(indexer.unscanned(roots()))).map(({ name }) => name);
      const revision = () => store.run(readRevision());
      return waitForInitialScan({ unscanned, revision }, waitOptions);
    },
    conversionCache,
    reader,
    models: openModels({
      settings: () => fullConfig.read().models,
      configFolder: settings.configFolder,
      environment: process.env,
      storedDimensions,
    }),
    indexer,
    repairDerived: (repairOptions) =>
      repairDerived({ shelves, stateOf, indexer, conversionCache, log }, repairOptions),
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
