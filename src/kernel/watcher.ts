import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type FileEvents, openFileEvents } from "./file-events.ts";

/** What changed since the last time, told once it has settled. */
export interface Batch {
  /** Files or folders; of a folder, anything below it may have changed. */
  paths: string[];
  /** True where something may be missing in `paths`: look at everything. */
  overflow: boolean;
}

export interface Watcher {
  close(): Promise<void>;
}

export interface WatchOptions {
  /** A batch is told after so much quiet. */
  quietMs?: number;
  /** But at the latest so long after its first event. */
  longestMs?: number;
  /** How often each folder itself is looked for. */
  lookMs?: number;
  /** How often everything is to be looked at where the system cannot watch. */
  blindMs?: number;
  /** After how long such a folder is tried again. */
  retryMs?: number;
  events?: FileEvents;
  /** Whether only what lies in a folder itself matters; else all below it does. */
  isFlat?: (folder: string) => boolean;
}

/** Beyond so many paths, looking at everything costs less; and the system may have dropped some. */
const mostPaths = 1_000;

/**
 * Watches folders and all below them. A folder that goes away is watched again when it returns,
 * and one that cannot be watched is reported as changed again and again. `onSettled` must not throw.
 */
export async function watchFolders(
  folders: readonly string[],
  onSettled: (batch: Batch) => void,
  options: WatchOptions = {},
): Promise<Watcher> {
  const { quietMs = 100, longestMs = 1_000, lookMs = 500 } = options;
  const { blindMs = 2_000, retryMs = 30_000, events = openFileEvents() } = options;
  const { isFlat = () => false } = options;
  const posts = folders.map((folder): Post => ({ folder }));
  const stale = new Set<Post>();
  let batch: { paths: Set<string>; overflow: boolean; since: number } | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let closed = false;
  // Listening anew is done one folder after the other, and before the batch that asked for it.
  let turn = Promise.resolve();

  await Promise.all(posts.map(listenAnew));
  const timers = [setInterval(lookForFolders, lookMs), setInterval(tellBlind, blindMs)];
  for (const timer of timers) timer.unref();

  return {
    async close() {
      closed = true;
      for (const timer of [...timers, quiet]) clearTimeout(timer);
      await turn;
      await Promise.all(posts.map((post) => post.stop?.().catch(() => undefined)));
      await events.close();
    },
  };

  async function listenAnew(post: Post): Promise<void> {
    await post.stop?.().catch(() => undefined);
    post.stop = undefined;
    post.blindSince = undefined;
    post.identity = identityOf(post.folder);
    if (post.identity === undefined) return;
    // A file that vanishes while the tree is read makes the native watcher give up.
    for (let attempt = 0; attempt < 3 && !closed; attempt++) {
      if (attempt > 0) await sleep(50);
      const { folder } = post;
      const listening = events.listen(folder, (found) => hear(post, found), {
        isFlat: isFlat(folder),
      });
      post.stop = await listening.catch(() => undefined);
      if (post.stop) return;
    }
    post.blindSince = performance.now();
  }

  /** A folder that itself was moved away may be back, as the same one, before anybody looks. */
  function hear(post: Post, found: readonly FileEvent[] | undefined): void {
    const gathered = note(found?.map(({ path }) => path) ?? [], found === undefined);
    const isLost =
      found?.some((event) => event.path === post.folder || startsUnheard(event)) ?? true;
    if (isLost || gathered > mostPaths) stale.add(post);
  }

  /** Adds to the batch that is being gathered, and tells how large it is. */
  function note(paths: readonly string[], lost: boolean): number {
    if (closed) return 0;
    batch ??= { paths: new Set(), overflow: false, since: performance.now() };
    for (const path of paths) batch.paths.add(path);
    if (lost || batch.paths.size > mostPaths) batch.overflow = true;
    clearTimeout(quiet);
    quiet = setTimeout(settle, Math.min(quietMs, batch.since + longestMs - performance.now()));
    quiet.unref();
    return batch.paths.size;
  }

  function settle(): void {
    if (!batch) return;
    const { paths, overflow } = batch;
    const anew = [...stale];
    batch = undefined;
    stale.clear();
    turn = turn.then(async () => {
      for (const post of anew) await listenAnew(post);
      const all = overflow || anew.length > 0;
      if (!closed) onSettled({ paths: all ? [] : [...paths], overflow: all });
    });
  }

  /** A folder that was removed, made or exchanged is another one under the same name. */
  function lookForFolders(): void {
    for (const post of posts) {
      const another = identityOf(post.folder) !== post.identity;
      const again = post.blindSince !== undefined && performance.now() - post.blindSince > retryMs;
      if (!another && !again) continue;
      stale.add(post);
      note([], true);
    }
  }

  function tellBlind(): void {
    if (posts.some((post) => post.blindSince !== undefined)) note([], true);
  }
}

type FileEvent = { path: string; type: string };

interface Post {
  readonly folder: string;
  /** Which folder stood there when we began to listen, if any. */
  identity?: string | undefined;
  stop?: (() => Promise<void>) | undefined;
  /** Since when listening fails. */
  blindSince?: number | undefined;
}

function identityOf(folder: string): string | undefined {
  try {
    const stat = statSync(folder, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Linux tells of one folder at a time. What is already in a folder when its creation is told,
 * because it was moved here or filled at once, is heard of only by listening anew.
 */
function startsUnheard({ path, type }: FileEvent): boolean {
  return process.platform === "linux" && type === "create" && identityOf(path) !== undefined;
}
