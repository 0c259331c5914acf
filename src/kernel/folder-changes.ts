import { type FSWatcher, statfsSync, statSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/** What changed in some folders since somebody last asked. */
type Changes = "nothing" | "anything" | ReadonlySet<string>;

/** Hears of changes in folders, exactly: what was written before the question is in the answer. */
export interface FolderChanges {
  /** Paths of files whose content changed; `anything` where the list could be longer. */
  since(): Promise<Changes>;
  /** The folders to hear of from now on, relative to the root. */
  cover(folders: readonly string[]): void;
  close(): void;
}

/** How much several watchers have heard. All of a process share one queue. */
export interface Traffic {
  events: number;
}

/** Where more was heard between two questions, the queue may have been full, and some was lost. */
const mostEvents = 4_000;

export interface ChangesOptions {
  /** Whether a change of a file of this name matters. */
  concerns: (name: string) => boolean;
  /** Where this has another value than at the last question, anything may have changed. */
  version?: () => string;
  /** Whoever opens several of these gives them one. */
  traffic?: Traffic;
}

/**
 * Linux notes a change in the queue of its watchers before the write returns, and one turn of the
 * event loop empties that queue; so after two turns everything has been heard. Other systems tell
 * later, and those of other machines may tell nothing; there we know nothing without looking.
 */
export function openFolderChanges(
  root: string,
  { concerns, version = () => "", traffic = { events: 0 } }: ChangesOptions,
): FolderChanges {
  const watchers = new Map<string, FSWatcher>();
  let isReliable = process.platform === "linux" && isOfThisMachine(root);
  let identity = identityOf(root);
  let lastVersion = version();
  let heardBefore = traffic.events;
  let isAnything = true;
  let changed = new Set<string>();

  function listen(folder: string): void {
    const place = join(root, folder);
    try {
      const watcher = watch(place, { persistent: false }, (event, name) => {
        traffic.events++;
        if (event === "change" && name !== null) {
          if (!concerns(name)) return;
          changed.add(folder === "" ? name : `${folder}/${name}`);
        } else {
          isAnything = true;
          // Perhaps the folder itself went or moved, and another may come by its name.
          if (name === null || name === basename(place)) forget(folder);
        }
      });
      watcher.on("error", () => {
        isReliable = false;
      });
      watchers.set(folder, watcher);
    } catch (error) {
      // Of a folder that has gone the one above it tells; else the system grants no more watchers.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") isReliable = false;
    }
  }

  /** Listens no more to a folder and to those below it. */
  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (folder !== "" && path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  return {
    async since() {
      if (!isReliable) return "anything";
      const current = version();
      if (current !== lastVersion) isAnything = true;
      lastVersion = current;
      await nextTurn();
      await nextTurn();
      const now = identityOf(root);
      if (now !== identity) {
        // Nobody tells when a folder above is moved away and another takes its place.
        forget("");
        isAnything = true;
      }
      const answer = isAnything || traffic.events - heardBefore > mostEvents ? "anything" : changed;
      identity = now;
      heardBefore = traffic.events;
      isAnything = false;
      changed = new Set();
      return answer === "anything" || answer.size > 0 ? answer : "nothing";
    },
    cover(folders) {
      if (!isReliable) return;
      const wanted = new Set(folders);
      for (const [folder, watcher] of watchers) {
        if (wanted.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of wanted) {
        if (watchers.has(folder)) continue;
        listen(folder);
        // It may have changed between the look that found it and now.
        isAnything = true;
      }
    },
    close() {
      forget("");
      isReliable = false;
    },
  };
}

function identityOf(folder: string): string {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    // Gone, or on a mount that is not connected.
    return "gone";
  }
}

/** ext, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, ramfs and overlays of them, by their numbers. */
const ownSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x858458f6,
  0x794c7630,
]);

function isOfThisMachine(folder: string): boolean {
  try {
    return ownSystems.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}
