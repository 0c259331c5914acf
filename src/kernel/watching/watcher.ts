import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type FileEventSource, openFileEventSource } from "./file-events.ts";

/** The changes since the last batch, delivered after a debounce. */
export interface FileChangeBatch {
  /** Files or folders; below a folder, anything may have changed. */
  paths: string[];
  /** Whether `paths` may be incomplete, so that everything must be scanned. */
  overflow: boolean;
}

export interface FolderWatcher {
  close(): Promise<void>;
}

export interface WatchOptions {
  /** A batch is delivered after this much time without events. */
  debounceMs?: number;
  /** Maximum delay of a batch after its first event. */
  maxDelayMs?: number;
  /** How often to check that each folder still exists. */
  folderPollMs?: number;
  /** How often to report everything as changed if the system cannot watch. */
  unwatchedPollMs?: number;
  /** Delay before trying to watch such a folder again. */
  retryMs?: number;
  events?: FileEventSource;
  /** Whether subfolders of a folder can be ignored. */
  isFlat?: (folder: string) => boolean;
}

/** With more paths than this, a full scan is cheaper, and the system may have lost events. */
const maxPaths = 1_000;

/**
 * Watches folders recursively. A folder that is removed is watched again when it returns, and one
 * that cannot be watched is reported as changed at intervals. `onSettled` must not throw.
 */
export async function watchFolders(
  folders: readonly string[],
  onSettled: (batch: FileChangeBatch) => void,
  options: WatchOptions = {},
): Promise<FolderWatcher> {
  const { debounceMs = 100, maxDelayMs = 1_000, folderPollMs = 500 } = options;
  const { unwatchedPollMs = 2_000, retryMs = 30_000, events = openFileEventSource() } = options;
  const { isFlat = () => false } = options;
  const watched = folders.map((folder): WatchedFolder => ({ folder }));
  const stale = new Set<WatchedFolder>();
  let batch: { paths: Set<string>; overflow: boolean; since: number } | undefined;
  let debounceTimer: NodeJS.Timeout | undefined;
  let closed = false;
  // Restarts of listeners run one after the other, and before the batch that caused them.
  let lastFlush = Promise.resolve();

  await Promise.all(watched.map(restartListening));
  const timers = [
    setInterval(checkFolders, folderPollMs),
    setInterval(pollUnwatched, unwatchedPollMs),
  ];
  for (const timer of timers) timer.unref();

  return {
    async close() {
      closed = true;
      for (const timer of [...timers, debounceTimer]) clearTimeout(timer);
      await lastFlush;
      await Promise.all(
        watched.map((watchedFolder) => watchedFolder.stop?.().catch(() => undefined)),
      );
      await events.close();
    },
  };

  async function restartListening(watchedFolder: WatchedFolder): Promise<void> {
    await watchedFolder.stop?.().catch(() => undefined);
    watchedFolder.stop = undefined;
    watchedFolder.unwatchedSince = undefined;
    watchedFolder.identity = folderIdentity(watchedFolder.folder);
    if (watchedFolder.identity === undefined) return;
    // The native watcher fails if a file is removed while it reads the tree.
    for (let attempt = 0; attempt < 3 && !closed; attempt++) {
      if (attempt > 0) await sleep(50);
      const { folder } = watchedFolder;
      const listening = events.listen(folder, (received) => onEvents(watchedFolder, received), {
        isFlat: isFlat(folder),
      });
      watchedFolder.stop = await listening.catch(() => undefined);
      if (watchedFolder.stop) return;
    }
    watchedFolder.unwatchedSince = performance.now();
  }

  /** A folder may be moved away and back, with the same identity, between two folder checks. */
  function onEvents(
    watchedFolder: WatchedFolder,
    received: readonly WatchEvent[] | undefined,
  ): void {
    const batchSize = addToBatch(received?.map(({ path }) => path) ?? [], received === undefined);
    const isLost =
      received?.some(
        (event) => event.path === watchedFolder.folder || isUnwatchedCreation(event),
      ) ?? true;
    if (isLost || batchSize > maxPaths) stale.add(watchedFolder);
  }

  /** Adds paths to the current batch and returns its size. */
  function addToBatch(paths: readonly string[], lost: boolean): number {
    if (closed) return 0;
    batch ??= { paths: new Set(), overflow: false, since: performance.now() };
    for (const path of paths) batch.paths.add(path);
    if (lost || batch.paths.size > maxPaths) batch.overflow = true;
    clearTimeout(debounceTimer);
    debounceTimer = setTimeout(
      flushBatch,
      Math.min(debounceMs, batch.since + maxDelayMs - performance.now()),
    );
    debounceTimer.unref();
    return batch.paths.size;
  }

  function flushBatch(): void {
    if (!batch) return;
    const { paths, overflow } = batch;
    const toRestart = [...stale];
    batch = undefined;
    stale.clear();
    lastFlush = lastFlush.then(async () => {
      for (const watchedFolder of toRestart) await restartListening(watchedFolder);
      const all = overflow || toRestart.length > 0;
      if (!closed) onSettled({ paths: all ? [] : [...paths], overflow: all });
    });
  }

  /** Detects folders that were removed, created or replaced. */
  function checkFolders(): void {
    for (const watchedFolder of watched) {
      const isReplaced = folderIdentity(watchedFolder.folder) !== watchedFolder.identity;
      const shouldRetry =
        watchedFolder.unwatchedSince !== undefined &&
        performance.now() - watchedFolder.unwatchedSince > retryMs;
      if (!isReplaced && !shouldRetry) continue;
      stale.add(watchedFolder);
      addToBatch([], true);
    }
  }

  function pollUnwatched(): void {
    if (watched.some((watchedFolder) => watchedFolder.unwatchedSince !== undefined))
      addToBatch([], true);
  }
}

type WatchEvent = { path: string; type: string };

interface WatchedFolder {
  readonly folder: string;
  /** The identity of the folder when listening started, if it existed. */
  identity?: string | undefined;
  stop?: (() => Promise<void>) | undefined;
  /** The time since which listening has failed. */
  unwatchedSince?: number | undefined;
}

function folderIdentity(folder: string): string | undefined {
  try {
    const stat = statSync(folder, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Linux watches each folder separately. Entries that a new folder already contains when its creation
 * is reported, because it was moved or filled quickly, are only found by listening again.
 */
function isUnwatchedCreation({ path, type }: WatchEvent): boolean {
  return process.platform === "linux" && type === "create" && folderIdentity(path) !== undefined;
}
