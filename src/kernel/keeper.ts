import type { House } from "./house.ts";
import { openLease } from "./lease.ts";
import { filesOf } from "./settings.ts";
import { type Watcher, watchFolders } from "./watcher.ts";

/** The background of a long-lived process; nothing a caller waits for. */
export interface Keeper {
  close(): Promise<void>;
}

/** How often a process looks whether others wrote, and whether the lease is free. */
const beatMs = 500;

/**
 * Any number of processes share one home. All of them pass on the notices of all; the one that
 * holds the lease also watches the folders and keeps the index true to them.
 */
export function startKeeper(house: House): Keeper {
  const { db, notices, intake, queue, log, settings } = house;
  const lease = openLease(filesOf(settings).lease);
  const stopping = new AbortController();
  let watcher: Watcher | undefined;
  let watched = "";
  let reported = "";
  let version = db.dataVersion();

  const timer = setInterval(beat, beatMs);
  timer.unref();
  const unsubscribe = notices.subscribe(({ topic }) => {
    if (topic === "collections.changed") beat();
  });
  setImmediate(beat).unref();

  function beat(): void {
    try {
      const current = db.dataVersion();
      if (current !== version) {
        version = current;
        notices.deliver();
      }
      if (!lease.held && lease.take()) log("debug", "took the lease");
      if (lease.held) tend().catch(report);
    } catch (error) {
      report(error);
    }
  }

  /** Said once for each reason: what is wrong with a home is mostly so for more than one beat. */
  function report(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === reported) return;
    reported = reason;
    log("warn", "the keeper cannot work", { cause: error });
  }

  /** Watches exactly the roots that are configured now; a change of them starts anew. */
  async function tend(): Promise<void> {
    if (!lease.held || stopping.signal.aborted) return;
    const roots = house.roots();
    const wanted = JSON.stringify(roots);
    if (wanted === watched) return;
    watched = wanted;
    try {
      await queue.run("watch", async () => {
        await watcher?.close();
        const folders = roots.map((root) => root.path);
        watcher = await watchFolders(
          folders,
          ({ paths, overflow }) => void catchUp(paths, overflow),
        );
        intake.forgetAllBut(house.roots);
        await intake.scan(roots, { signal: stopping.signal });
      });
    } catch (error) {
      // The next beat tries again.
      watched = "";
      throw error;
    }
  }

  async function catchUp(paths: readonly string[], overflow: boolean): Promise<void> {
    await queue
      .run("catch up", async () => {
        if (stopping.signal.aborted) return;
        const roots = house.roots();
        const rulesChanged = paths.some((path) => path.endsWith(".gitignore"));
        if (overflow || rulesChanged) await intake.scan(roots, { signal: stopping.signal });
        else await intake.lookAt(roots, paths);
      })
      .catch((error) => log("error", "could not take in changes", { cause: error }));
  }

  return {
    async close() {
      clearInterval(timer);
      stopping.abort();
      unsubscribe();
      await queue.idle();
      await watcher?.close();
      lease.close();
    },
  };
}
