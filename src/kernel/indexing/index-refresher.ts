import { basename, join } from "node:path";
import type { Root } from "../documents/documents.ts";
import { listMounts } from "../paths/mounts.ts";
import type { Runtime } from "../runtime/runtime.ts";
import {
  type EventCounter,
  type FolderChangeTracker,
  openFolderChangeTracker,
} from "../watching/folder-changes.ts";
import { ignoreFile } from "./ignore-rules.ts";
import type { IndexOptions } from "./index-batches.ts";

/**
 * Brings the index up to date on demand. The watcher collects changes for 100 ms before it indexes
 * them; a command must find a file that was written just before it.
 */
export interface IndexRefresher {
  /** Indexes everything that was written before this call. */
  refresh(options?: IndexOptions): Promise<void>;
  close(): void;
}

type IndexRefresherRuntime = Pick<Runtime, "boundary" | "indexer" | "queue" | "roots" | "store">;

interface TrackedRoot {
  readonly root: Root;
  readonly tracker: FolderChangeTracker;
}

export function openIndexRefresher(runtime: IndexRefresherRuntime): IndexRefresher {
  const { boundary, indexer, queue, store } = runtime;
  const eventCounter: EventCounter = { events: 0 };
  const trackedRoots = new Map<string, TrackedRoot>();
  let lastRefresh: Promise<unknown> = Promise.resolve();

  /** Starts tracking the configured roots, and stops tracking those that are not configured. */
  function trackRoots(): TrackedRoot[] {
    const roots = new Map(runtime.roots().map((root) => [JSON.stringify(root), root]));
    for (const key of trackedRoots.keys()) if (!roots.has(key)) untrack(key);
    for (const [key, root] of roots) {
      if (trackedRoots.has(key)) continue;
      const tracker = openFolderChangeTracker(root.path, {
        isRelevant: () => true,
        reportsEntries: true,
        // There is no event when a file system is mounted over a folder.
        version: () => `${boundary.privacyVersion()}\n${JSON.stringify(listMounts())}`,
        eventCounter,
      });
      trackedRoots.set(key, { root, tracker });
    }
    return [...trackedRoots.values()];
  }

  function untrack(key: string): void {
    trackedRoots.get(key)?.tracker.close();
    trackedRoots.delete(key);
  }

  async function refreshRoot({ root, tracker }: TrackedRoot, options: IndexOptions): Promise<void> {
    const changes = await tracker.takeChanges();
    const isIndexed = (await store.run(indexer.unscanned([root]))).length === 0;
    if (isIndexed && !tracker.isReliable && !(await isDue(root))) return;
    if (isIndexed && changes === "nothing" && !indexer.hasLinks(root.name)) return;
    try {
      await store.waitUntilWritable({ signal: options.signal });
      const isComplete =
        isIndexed && changes instanceof Set && !includesIgnoreFile(changes)
          ? await indexChanges(root, changes, options)
          : await scanRoot({ root, tracker }, options);
      if (!isComplete) untrack(JSON.stringify(root));
    } catch (error) {
      // The changes were taken but not indexed.
      untrack(JSON.stringify(root));
      throw error;
    }
  }

  async function isDue(root: Root): Promise<boolean> {
    return (await store.run(indexer.dueForScan([root]))).length > 0;
  }

  async function scanRoot({ root, tracker }: TrackedRoot, options: IndexOptions): Promise<boolean> {
    const onFolder = (_root: Root, folder: string) => tracker.watchBeforeReading(folder);
    const { isUnfinished, partial } = await queue.run("refresh", () =>
      indexer.scan([root], { ...options, onFolder }),
    );
    return !isUnfinished && !partial;
  }

  async function indexChanges(
    root: Root,
    changes: ReadonlySet<string>,
    { signal }: IndexOptions,
  ): Promise<boolean> {
    const paths = [...changes].map((path) => join(root.path, path));
    const { partial } = await queue.run("refresh", () =>
      indexer.indexPaths([root], paths, { signal }),
    );
    return !partial;
  }

  return {
    refresh(options = {}) {
      // One after the other: a second refresh must not return while the first is still indexing the
      // changes that it took.
      const refresh = lastRefresh.then(async () => {
        for (const tracked of trackRoots()) await refreshRoot(tracked, options);
      });
      lastRefresh = refresh.catch(() => {});
      return refresh;
    },
    close() {
      for (const key of [...trackedRoots.keys()]) untrack(key);
    },
  };
}

/** Ignore rules apply to files that have not changed. */
const includesIgnoreFile = (paths: ReadonlySet<string>): boolean =>
  [...paths].some((path) => basename(path) === ignoreFile);
