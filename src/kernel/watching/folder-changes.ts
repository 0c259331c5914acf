import { type FSWatcher, lstatSync, statfsSync, statSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextIteration } from "node:timers/promises";
import { childPath } from "../../text/strings/relative-path.ts";

/** The files that changed since the last call. */
type ChangedFiles = "nothing" | "anything" | ReadonlySet<string>;

/**
 * Tracks changes in folders precisely: `takeChanges` includes everything written before its call.
 */
export interface FolderChangeTracker {
  /** Whether the file system reports all changes; without it, every call returns `anything`. */
  readonly isReliable: boolean;
  /** The paths of changed files; `anything` if the list may be incomplete. */
  takeChanges(): Promise<ChangedFiles>;
  /** The folders to watch from now on, relative to the root. */
  setFolders(folders: readonly string[]): void;
  /**
   * Also watches this folder. If it is read only afterwards, no change is missed, so this does not
   * make the list incomplete.
   */
  watchBeforeReading(folder: string): void;
  close(): void;
}

/** Counts the events of several watchers, because all watchers of a process share one queue. */
export interface EventCounter {
  events: number;
}

/** If more events arrived between two calls, the queue may have overflowed and lost some. */
const maxQueuedEvents = 4_000;

export interface FolderChangeOptions {
  /** Whether a change of a file of this name matters. */
  isRelevant: (name: string) => boolean;
  /**
   * Whether created, removed and renamed files are reported by their path. Without it they make the
   * list incomplete, as a created or removed folder always does.
   */
  reportsEntries?: boolean;
  /** If it returns another value than in the last call, anything may have changed. */
  version?: () => string;
  /** To be shared by all trackers of a process. */
  eventCounter?: EventCounter;
}

/**
 * On Linux, a change is in the inotify queue before the write returns, and one iteration of the
 * event loop drains that queue; after two iterations all events have arrived. Other systems report
 * later, and network file systems may report nothing; there every call returns `anything`.
 */
export function openFolderChangeTracker(
  root: string,
  {
    isRelevant,
    reportsEntries = false,
    version = () => "",
    eventCounter = { events: 0 },
  }: FolderChangeOptions,
): FolderChangeTracker {
  const watchers = new Map<string, FSWatcher>();
  let isReliable = isOnLocalFileSystem(root);
  let identity = folderIdentity(root);
  let lastVersion = version();
  let eventsBefore = eventCounter.events;
  let mayBeIncomplete = true;
  let changed = new Set<string>();

  function watchFolder(folder: string): void {
    const path = join(root, folder);
    try {
      const watcher = watch(path, { persistent: false }, (event, name) => {
        eventCounter.events++;
        // An event without a name, or with the folder's own, is about the folder itself: it may have
        // been removed, moved or replaced.
        if (name === null || (event === "rename" && name === basename(path))) {
          mayBeIncomplete = true;
          unwatch(folder);
          return;
        }
        const entry = childPath(folder, name);
        if (event === "rename" && (!reportsEntries || isFolder(entry))) mayBeIncomplete = true;
        else if (isRelevant(name)) changed.add(entry);
      });
      watcher.on("error", () => {
        isReliable = false;
      });
      watchers.set(folder, watcher);
    } catch (error) {
      // A missing folder is reported by its parent; any other error means that the system allows no
      // more watchers.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") isReliable = false;
    }
  }

  /** Whether an entry is a folder, or was one when it was last watched. */
  function isFolder(entry: string): boolean {
    if (watchers.has(entry)) return true;
    try {
      return lstatSync(join(root, entry), { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      return true;
    }
  }

  /** Stops watching a folder and those below it. */
  function unwatch(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (folder !== "" && path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  return {
    get isReliable() {
      return isReliable;
    },
    async takeChanges() {
      if (!isReliable) return "anything";
      const current = version();
      if (current !== lastVersion) mayBeIncomplete = true;
      lastVersion = current;
      await nextIteration();
      await nextIteration();
      const currentIdentity = folderIdentity(root);
      if (currentIdentity !== identity) {
        // There is no event when a parent folder is replaced.
        unwatch("");
        mayBeIncomplete = true;
      }
      const result =
        mayBeIncomplete || eventCounter.events - eventsBefore > maxQueuedEvents
          ? "anything"
          : changed;
      identity = currentIdentity;
      eventsBefore = eventCounter.events;
      mayBeIncomplete = false;
      changed = new Set();
      return result === "anything" || result.size > 0 ? result : "nothing";
    },
    setFolders(folders) {
      if (!isReliable) return;
      const requested = new Set(folders);
      for (const [folder, watcher] of watchers) {
        if (requested.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of requested) {
        if (watchers.has(folder)) continue;
        watchFolder(folder);
        // It may have changed before the watcher was started.
        mayBeIncomplete = true;
      }
    },
    watchBeforeReading(folder) {
      if (isReliable && !watchers.has(folder)) watchFolder(folder);
    },
    close() {
      unwatch("");
      isReliable = false;
    },
  };
}

function folderIdentity(folder: string): string {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    // Missing, or on a disconnected mount.
    return "gone";
  }
}

/** Magic numbers of ext, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, ramfs and overlayfs. */
const localFileSystemTypes = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x858458f6,
  0x794c7630,
]);

/** Whether the times and events of the file system are immediate and complete. Only on Linux. */
export function isOnLocalFileSystem(folder: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return localFileSystemTypes.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}
