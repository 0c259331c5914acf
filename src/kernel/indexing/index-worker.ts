import { basename } from "node:path";
import { matchesTopFolderOnly } from "../../text/patterns/glob.ts";
import type { Root } from "../documents/documents.ts";
import { createLatest } from "../processes/latest.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type FileChangeBatch, type FolderWatcher, watchFolders } from "../watching/watcher.ts";
import { ignoreFile } from "./ignore-rules.ts";
import { type IndexRefresher, openIndexRefresher } from "./index-refresher.ts";

/** The background work of a long-running process. */
export interface IndexWorker {
  /** Indexes everything that was written before this call. */
  readonly refresher: IndexRefresher;
  close(): Promise<void>;
}

type IndexWorkerRuntime = Pick<
  Runtime,
  | "boundary"
  | "indexer"
  | "log"
  | "notices"
  | "openIndexTurns"
  | "queue"
  | "reconcileShelves"
  | "refresh"
  | "revision"
  | "roots"
  | "runningJobs"
  | "store"
>;

/** How often a process checks for other processes' commits and for a free lease. */
const pollMs = 500;

/** With more changed paths than this, a full scan is cheaper. */
const maxPaths = 1_000;

/** Delays before retrying after an error, such as a full disk. */
const reconcileRetryMs = 60_000;
const retryMs = 5_000;
/** Delay before rescanning after an unreadable folder, such as one on a disconnected mount. */
const unreadableRetryMs = 30_000;

/**
 * Several processes share one home. All of them deliver each other's notices; the one that holds
 * the lease also watches the folders and updates the index.
 */
export function startIndexWorker(
  runtime: IndexWorkerRuntime,
  /** Called when this process becomes the one that watches the folders. */
  onLeaseTaken: () => void = () => {},
): IndexWorker {
  const { store, notices, indexer, queue, log } = runtime;
  const turns = runtime.openIndexTurns();
  const refresher = openIndexRefresher(runtime);
  const stopping = new AbortController();
  let watcher: FolderWatcher | undefined;
  let watchedRoots = "";
  let lastReported = "";
  let wasActive = false;
  const reconciled: { revision: number; isRunning: boolean } = { revision: -1, isRunning: false };
  let reconciliation = Promise.resolve();
  let rescanTimer: NodeJS.Timeout | undefined;
  let pending: { paths: Set<string>; overflow: boolean } | undefined;

  // A poll that waits for a database is not repeated meanwhile; the next one follows at once.
  const poll = createLatest(runPoll);
  const timer = setInterval(poll, pollMs);
  timer.unref();
  const unsubscribe = notices.subscribe(({ topic }) => {
    if (topic === "collections.changed") void poll();
  });
  setImmediate(poll).unref();
  turns.onNews(() => void poll());

  async function runPoll(): Promise<void> {
    if (stopping.signal.aborted) return;
    try {
      await takeTurn();
      const refreshed = runtime.refresh();
      if (refreshed) await refreshed;
      if (turns.mayHaveNews()) await store.run(notices.deliver());
      if (!isActive()) return;
      reconcile().catch(reportProblem);
      reconcileShelves();
    } catch (error) {
      reportProblem(error);
    }
  }

  const isActive = (): boolean => turns.isActive;

  async function takeTurn(): Promise<void> {
    const isTurn = await turns.take(onLeaseTaken);
    if (wasActive && !isTurn) {
      watchedRoots = "";
      queue.run("watch", () => watcher?.close()).catch(reportProblem);
    }
    wasActive = isTurn;
  }

  /** Logs each problem once, since most problems recur at every poll. */
  function reportProblem(error: unknown): void {
    if (stopping.signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === lastReported) return;
    lastReported = reason;
    log("warn", "background indexing failed", { cause: error });
  }

  /** Watches the configured roots; restarts when they change. */
  async function reconcile(): Promise<void> {
    if (!isActive() || stopping.signal.aborted) return;
    const roots = runtime.roots();
    const definition = JSON.stringify(roots);
    if (definition === watchedRoots) return;
    watchedRoots = definition;
    try {
      await queue.run("watch", async () => {
        await watcher?.close();
        const folders = roots.map((root) => root.path);
        const onChanges = ({ paths, overflow }: FileChangeBatch) => queueChanges(paths, overflow);
        watcher = await watchFolders(folders, onChanges, {
          isFlat: (folder) =>
            roots.every(({ path, pattern }) => path !== folder || matchesTopFolderOnly(pattern)),
        });
        await store.waitUntilWritable({
          signal: stopping.signal,
          timeoutMs: Number.POSITIVE_INFINITY,
        });
        await store.run(indexer.removeUnconfigured(runtime.roots));
        await scanFolders(roots);
      });
    } catch (error) {
      // The next poll tries again.
      watchedRoots = "";
      throw error;
    }
  }

  async function scanFolders(roots: readonly Root[]): Promise<void> {
    const job = runtime.runningJobs.begin("Reading the folders");
    try {
      const options = { signal: stopping.signal, onProgress: job.progress };
      const { isUnfinished } = await indexer.scan(roots, options);
      // There is no event when a mount is reconnected or files become readable again.
      if (isUnfinished) rescanTimer ??= setTimeout(rescan, unreadableRetryMs).unref();
    } finally {
      job.end();
    }
  }

  function rescan(): void {
    rescanTimer = undefined;
    if (isActive() && !stopping.signal.aborted) queueChanges([], true);
  }

  /** Runs outside the queue, so that it does not delay changes on disk. */
  function reconcileShelves(): void {
    if (reconciled.isRunning || stopping.signal.aborted) return;
    reconciled.isRunning = true;
    reconciliation = reconcileIfChanged()
      .catch((error) => {
        reportProblem(error);
        // Retries even without a change, for example if a model server did not answer.
        setTimeout(() => {
          reconciled.revision = -1;
        }, reconcileRetryMs).unref();
      })
      .finally(() => {
        reconciled.isRunning = false;
      });
  }

  async function reconcileIfChanged(): Promise<void> {
    const revision = await store.run(runtime.revision());
    if (reconciled.revision === revision) return;
    reconciled.revision = revision;
    await runtime.reconcileShelves(stopping.signal);
  }

  /** Changes that arrive while the queue is busy are merged into one pending job. */
  function queueChanges(paths: readonly string[], overflow: boolean): void {
    const isWaiting = pending !== undefined;
    pending ??= { paths: new Set(), overflow: false };
    for (const path of paths) pending.paths.add(path);
    pending.overflow ||= overflow || pending.paths.size > maxPaths;
    if (isWaiting) return;
    queue.run("catch up", applyChanges).catch((error) => {
      if (stopping.signal.aborted) return;
      log("error", "could not index changes", { cause: error });
      setTimeout(queueChanges, retryMs, [], true).unref();
    });
  }

  async function applyChanges(): Promise<void> {
    const paths = [...(pending?.paths ?? [])];
    const rulesChanged = paths.some((path) => basename(path) === ignoreFile);
    const all = pending?.overflow || rulesChanged;
    pending = undefined;
    if (stopping.signal.aborted) return;
    const roots = runtime.roots();
    if (all) await scanFolders(roots);
    else await indexer.indexPaths(roots, paths, { signal: stopping.signal });
  }

  return {
    refresher,
    async close() {
      clearInterval(timer);
      clearTimeout(rescanTimer);
      stopping.abort();
      unsubscribe();
      refresher.close();
      await Promise.all([queue.idle(), reconciliation]);
      await watcher?.close();
      await turns.close();
    },
  };
}
