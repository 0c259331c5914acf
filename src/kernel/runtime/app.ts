import type { Call, CallOptions } from "../call.ts";
import { createCallTracker } from "../calls/call-tracker.ts";
import { type ClientRegistry, createClientRegistry } from "../calls/clients.ts";
import { openMetrics } from "../calls/metrics.ts";
import { attemptCall, type Outcome, perform } from "../calls/perform.ts";
import { openRunningJobs, type RunningJobs } from "../calls/running-jobs.ts";
import { Failure, invalid, notFound } from "../failure.ts";
import { configMissing } from "../home/config.ts";
import { isLeaseHeld } from "../home/lease.ts";
import { homeFiles, type Settings } from "../home/settings.ts";
import type { HostConnection } from "../host/host.ts";
import { isolateShelves } from "../host/isolation.ts";
import { openRemoteIndexer } from "../host/remote-indexer.ts";
import type { IndexWorker } from "../indexing/index-worker.ts";
import { indexDamagedCode } from "../integrity/damage.ts";
import { tryMarkDamageSuspected } from "../integrity/verification.ts";
import { openNoticeOutbox } from "../notices/notice-outbox.ts";
import type { Notice } from "../notices/notices.ts";
import { type Catalogue, type CatalogueEntry, createCatalogue } from "../operations/catalogue.ts";
import type { ResourceContent } from "../operations/output-block.ts";
import type { Prompt, RenderedPrompt } from "../operations/prompt.ts";
import { createPromptCatalogue } from "../operations/prompt-catalogue.ts";
import { type Completion, matchFamily, type ResourceEntry } from "../operations/resource.ts";
import type { AnyShelf } from "../shelf.ts";
import type { SqlTables } from "../sql/dataset.ts";
import { isBusyError } from "../storage/database.ts";
import { openHomeConnection } from "./home-connection.ts";
import type { Log } from "./log.ts";

import type { Runtime } from "./runtime.ts";

/**
 * The name and version that the program reports; they depend on the started binary.
 */
export interface Identity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/**
 * Everything a surface needs: the definitions, and a method to call each of them. Nothing is opened
 * until the first call needs it, so that a handshake never waits for disk I/O.
 */
export interface App {
  readonly identity: Identity;
  readonly settings: Settings;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly runtime: Runtime;
  /**
   * Connects a home on PostgreSQL, and reads what other servers have changed. Other methods do so
   * themselves; `runtime` and `stateOf` need it first.
   */
  prepare(): Promise<void> | undefined;
  /** The state of a shelf, opened at its first use; hosts run operations on it. */
  stateOf(shelf: AnyShelf): unknown;
  /** The long-running jobs of this process. */
  readonly runningJobs: RunningJobs;
  readonly clientRegistry: ClientRegistry;
  call(
    entry: CatalogueEntry,
    input: unknown,
    options: CallOptions,
  ): Promise<Outcome & { input?: unknown }>;
  listResources(): Promise<ResourceEntry[]>;
  readResource(uri: string, options: CallOptions): Promise<Outcome<ResourceContent[]>>;
  /** The URI that notices use for a resource; the given URI if no family defines one. */
  canonicalUri(uri: string): Promise<string>;
  listPrompts(): Promise<Prompt[]>;
  renderPrompt(
    name: string,
    values: Record<string, string>,
    options: CallOptions,
  ): Promise<Outcome<RenderedPrompt>>;
  complete(request: CompletionRequest, options: CallOptions): Promise<Outcome<Completion[]>>;
  subscribe(listener: (notice: Notice) => void): () => void;
  /** Why this process cannot serve calls or store what they write; undefined if it can. */
  problem(): Promise<string | undefined>;
  /** Whether an embedding model is available. */
  hasModel(): boolean;
  /** Indexes what was written to disk before this call. */
  refreshIndex(options: CallOptions): Promise<void>;
  /**
   * Starts watching, indexing (while this process holds the lease) and listening to other
   * processes.
   */
  startBackground(): void;
  close(): Promise<void>;
}

export type CompletionRequest = {
  argument: string;
  typed: string;
  given: Readonly<Record<string, string>>;
} & ({ prompt: string } | { template: string });

export interface AppOptions {
  shelves: readonly AnyShelf[];
  settings: Settings;
  identity: Identity;
  log: Log;
  /** Starts a host for an isolated shelf; without it, all shelves run in this process. */
  startHost?: (shelf: AnyShelf) => HostConnection;
  /**
   * Started when this process becomes the one that watches the folders of its home, and closed
   * before another process can.
   */
  whileWatching?: (app: App) => Promise<Closeable>;
}

interface Closeable {
  close(): Promise<void>;
}

/** How long a command waits for another process that is writing. */
const shellWaitMs = 30_000;

export function openApp({
  shelves: allShelves,
  settings,
  identity,
  log,
  startHost,
  whileWatching,
}: AppOptions): App {
  const { shelves, closeHosts } = isolateShelves(allShelves, { startHost, settings, log });
  const indexingShelf = allShelves.find(({ onDocumentChanges }) => onDocumentChanges);
  const remoteIndexer =
    startHost && indexingShelf && openRemoteIndexer({ start: () => startHost(indexingShelf), log });
  const catalogue = createCatalogue(shelves, {
    only: settings.shelves,
    readOnly: settings.readOnly,
    isDropIn: identity.name !== "lectern",
  });
  const listeners = new Set<(notice: Notice) => void>();
  const states = new Map<AnyShelf, unknown>();
  const metrics = openMetrics();
  const announceSystemChange = (): void => notifyLocally([{ topic: "system.changed" }]);
  const runningJobs = openRunningJobs(announceSystemChange);
  const clientRegistry = createClientRegistry(announceSystemChange);
  const home = openHomeConnection(
    () => ({
      settings,
      log,
      shelves,
      stateOf,
      performByName,
      sqlTables: collectSqlTables,
      metrics,
      runningJobs,
      indexOffThread: remoteIndexer?.indexFiles,
    }),
    ({ notices }) => notices.subscribe((notice) => notifyLocally([notice])),
  );
  const { prepare, getRuntime } = home;
  const outbox = openNoticeOutbox(getRuntime, log);
  const { trackCall, measure } = createCallTracker({
    log,
    metrics,
    runningJobs,
    clientRegistry,
    sendNotices: outbox.send,
  });
  const prompts = createPromptCatalogue(catalogue, stateOf);
  const stopWatching: (() => void)[] = [];
  /** All shelves, including those that this process does not show. */
  let fullCatalogue: Catalogue | undefined;
  let indexWorker: Promise<IndexWorker | undefined> | undefined;
  let watching: Promise<Closeable | undefined> | undefined;

  function stateOf(shelf: AnyShelf): unknown {
    if (!states.has(shelf)) states.set(shelf, shelf.open(getRuntime()));
    return states.get(shelf);
  }

  /**
   * A writing call waits here for writers in other processes without blocking this one. A call from
   * a shell waits longer and reports which process it waits for; other callers fail and can retry.
   */
  function stateForCall(entry: CatalogueEntry, call: Call): unknown {
    const preparing = prepare();
    return preparing
      ? preparing.then(() => writableState(entry, call))
      : writableState(entry, call);
  }
  function writableState({ operation, shelf }: CatalogueEntry, call: Call): unknown {
    const state = stateOf(shelf);
    const { homeProblem, store } = getRuntime();
    const isReading = operation.effect === "reads";
    // A host opens the home by its path and would create a new one if the home was removed.
    const problem = !isReading || shelf.isolation ? homeProblem() : undefined;
    if (problem) throw problem;
    if (isReading) return state;
    const waiting = store.waitUntilWritable({
      signal: call.signal,
      timeoutMs: call.actor.surface === "cli" ? shellWaitMs : undefined,
      onWait: (reason) => call.log("warn", `${reason}; waiting for it.`),
    });
    return waiting ? waiting.then(() => state) : state;
  }

  /** Notifies the clients of this process, but not other processes of the home. */
  function notifyLocally(notices: readonly Notice[]): void {
    for (const notice of notices) for (const listener of listeners) listener(notice);
  }

  /** Runs an operation by name, including those of shelves that this process does not show. */
  async function performByName(name: string, input: unknown, call: Call): Promise<Outcome> {
    fullCatalogue ??= createCatalogue(shelves);
    const entry = fullCatalogue.find(name);
    if (!entry) throw notFound(`Operation not found: ${name}`);
    return perform(entry.operation, input, () => stateOf(entry.shelf), call);
  }

  /**
   * Opens the SQL tables that a statement may name. A shelf that fails to open, such as one without
   * its folder, is left out.
   */
  async function collectSqlTables(sql: string, call: Call): Promise<SqlTables[]> {
    const statement = sql.toLowerCase();
    const pending = catalogue.shelves.map(async (shelf) => {
      const isNamed = shelf.sqlTables?.tables.some((table) => statement.includes(table));
      if (!isNamed) return undefined;
      try {
        return await shelf.sqlTables?.open(stateOf(shelf), { sql, call });
      } catch (error) {
        if (error instanceof Failure) return undefined;
        throw error;
      }
    });
    return (await Promise.all(pending)).filter((tables) => tables !== undefined);
  }

  const app: App = {
    identity,
    settings,
    log,
    catalogue,
    runningJobs,
    clientRegistry,
    prepare,
    stateOf,
    get runtime() {
      return getRuntime();
    },
    async call(entry, input, options) {
      const { name } = entry.operation;
      const outcome = await trackCall(name, name, options, (call) =>
        perform(entry.operation, input, () => stateForCall(entry, call), call),
      );
      const isDamaged = !outcome.ok && outcome.failure?.code === indexDamagedCode;
      if (isDamaged && !settings.database) await tryMarkDamageSuspected(getRuntime().db);
      return outcome;
    },
    listResources: () =>
      measure("resources/list", async () => {
        await prepare();
        const lists = catalogue.resources.map(({ family, shelf }) => family.list?.(stateOf(shelf)));
        return (await Promise.all(lists)).flatMap((list) => list ?? []);
      }),
    readResource: (uri, options) =>
      trackCall("resources/read", `read ${uri}`, options, (call) =>
        attemptCall(call, async () => {
          await prepare();
          const resource = findResourceFamily(uri);
          if (!resource) throw new Failure("not-found", "not-found", "Resource not found");
          return { value: await resource.family.read(uri, stateOf(resource.shelf), call) };
        }),
      ),
    async canonicalUri(uri) {
      await prepare();
      const resource = findResourceFamily(uri);
      return (await resource?.family.canonical?.(uri, stateOf(resource.shelf))) ?? uri;
    },
    listPrompts: () =>
      measure("prompts/list", async () => {
        await prepare();
        return prompts.list();
      }),
    renderPrompt: (name, values, options) =>
      trackCall("prompts/get", `prompt ${name}`, options, (call) =>
        attemptCall(call, async () => {
          await prepare();
          return { value: await prompts.render(name, values, call) };
        }),
      ),
    complete: (request, options) =>
      trackCall("completion/complete", "complete", options, (call) =>
        attemptCall(call, async () => {
          await prepare();
          return { value: await listCompletions(request) };
        }),
      ),
    async problem() {
      try {
        await prepare();
        const { config, homeProblem, revision, store } = getRuntime();
        const problem = homeProblem();
        if (problem) throw problem;
        await store.run(revision());
        return config.isGone() ? configMissing().message : undefined;
      } catch (error) {
        log("error", "not ready", { cause: error });
        return error instanceof Failure ? error.message : "Internal error";
      }
    },
    hasModel: () => getRuntime().models.embedder.problem === undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async refreshIndex(options) {
      await prepare();
      const { store, indexer, queue, roots } = getRuntime();
      const worker = await indexWorker;
      if (worker) {
        const onProgress = (done: number) => options.onProgress?.(done, undefined, undefined);
        return worker.refresher.refresh({ signal: options.signal, onProgress });
      }
      try {
        await store.waitUntilWritable({ signal: options.signal });
      } catch (error) {
        if (!isBusyError(error)) throw error;
        log("warn", "the files may have changed since they were indexed", { cause: error });
        return;
      }
      if (settings.database || !isLeaseHeld(homeFiles(settings).lease)) {
        await store.run(indexer.removeUnconfigured(roots));
      }
      const dueRoots = await store.run(indexer.dueForScan(roots()));
      if (dueRoots.length === 0) return;
      const outcome = await trackCall("fill", "fill", options, (call) =>
        attemptCall(call, async () => ({
          value: await queue.run("fill", () =>
            indexer.scan(dueRoots, { signal: call.signal, onProgress: call.progress }),
          ),
        })),
      );
      if (!outcome.ok && outcome.failure) throw outcome.failure;
    },
    startBackground() {
      indexWorker ??= import("../indexing/index-worker.ts")
        .then(async ({ startIndexWorker }) => {
          await home.connect(log);
          const started = startIndexWorker(getRuntime(), startWatching);
          for (const shelf of catalogue.shelves) {
            if (shelf.watch) stopWatching.push(shelf.watch(stateOf(shelf), notifyLocally));
          }
          return started;
        })
        // Calls still work and report the error themselves.
        .catch((error) => {
          log("error", "cannot start the background work", { cause: error });
          return undefined;
        });
    },
    async close() {
      home.stopConnecting();
      const worker = await indexWorker;
      await (await watching)?.close();
      for (const stop of stopWatching) stop();
      await outbox.close();
      await worker?.close();
      await Promise.all([closeHosts(), remoteIndexer?.close()]);
      await home.close();
    },
  };
  return app;

  function startWatching(): void {
    watching ??= whileWatching?.(app).catch((error) => {
      log("debug", "cannot run commands of other processes", { cause: error });
      return undefined;
    });
  }

  function findResourceFamily(uri: string) {
    const families = catalogue.resources.map((known) => ({ ...known, uri: known.family.uri }));
    return matchFamily(families, uri);
  }

  async function listCompletions(request: CompletionRequest): Promise<Completion[]> {
    if ("prompt" in request) return prompts.complete(request.prompt, request);
    const { argument, typed, given } = request;
    const resource = catalogue.resources.find(({ family }) => family.uri === request.template);
    if (!resource) throw invalid(`Resource template not found: ${request.template}`);
    return (
      (await resource.family.complete?.(argument, typed, stateOf(resource.shelf), given)) ?? []
    );
  }
}
