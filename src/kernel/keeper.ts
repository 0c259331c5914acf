import { basename } from "node:path";
import { isTopOnly } from "../text/glob.ts";
import type { Root } from "./documents.ts";
import { lastHolder, openHeartbeat } from "./heartbeat.ts";
import { homeGone } from "./held-files.ts";
import type { House } from "./house.ts";
import { openLease } from "./lease.ts";
import { filesOf } from "./settings.ts";
import { type Batch, type Watcher, watchFolders } from "./watcher.ts";

/** The background of a long-lived process; nothing a caller waits for. */
export interface Keeper {
  close(): Promise<void>;
}

/** How often a process looks whether others wrote, and whether the lease is free. */
const beatMs = 500;

/** Beyond so many places, looking at everything costs less. */
const mostPlaces = 1_000;

/** After trouble, such as a full disk, everything is looked at again. */
const tendAgainMs = 60_000;
const retryMs = 5_000;
/** A folder that cannot be read, such as one on a mount that is not connected, is tried again. */
const unreadableMs = 30_000;

/**
 * Any number of processes share one home. All of them pass on the notices of all; the one that
 * holds the lease also watches the folders and keeps the index true to them.
 */
export function startKeeper(house: House): Keeper {
  const { db, notices, intake, queue, log, settings } = house;
  const files = filesOf(settings);
  const lease = openLease(files.lease);
  const deputyLease = openLease(files.deputyLease);
  const heartbeat = openHeartbeat(files.heartbeat);
  const stopping = new AbortController();
  let watcher: Watcher | undefined;
  let watched = "";
  let reported = "";
  let version = db.dataVersion();
  let tended: { revision: number; isRunning: boolean } = { revision: -1, isRunning: false };
  let shelvesTended = Promise.resolve();
  let again: NodeJS.Timeout | undefined;
  let heard: { places: Set<string>; overflow: boolean } | undefined;

  const timer = setInterval(beat, beatMs);
  timer.unref();
  const unsubscribe = notices.subscribe(({ topic }) => {
    if (topic === "collections.changed") beat();
  });
  setImmediate(beat).unref();

  function beat(): void {
    try {
      if (!db.isInPlace()) {
        // Another home may be at this path by now. Its lease is not for a process without its store.
        for (const held of [lease, deputyLease]) held.close();
        throw homeGone();
      }
      const current = db.dataVersion();
      if (current !== version) {
        version = current;
        notices.deliver();
      }
      if (!lease.held && lease.take()) log("debug", "took the lease");
      if (lease.held) heartbeat.beat();
      standIn(!lease.held && heartbeat.isStill());
      if (isInCharge()) {
        tend().catch(report);
        tendShelves();
      }
    } catch (error) {
      report(error);
    }
  }

  const isInCharge = (): boolean => lease.held || deputyLease.held;

  /**
   * While the holder of the lease stands still, one other process watches in its place. Two that
   * index at once do no harm, since each transaction looks again at what the other has recorded.
   */
  function standIn(isNeeded: boolean): void {
    if (isNeeded === deputyLease.held) return;
    if (isNeeded) {
      if (!deputyLease.take()) return;
      const pid = lastHolder(files.heartbeat);
      log("warn", "the process that watches the folders stands still; this one watches", { pid });
      return;
    }
    deputyLease.release();
    if (lease.held) return;
    log("info", "the process that watches the folders goes on");
    watched = "";
    queue.run("watch", () => watcher?.close()).catch(report);
  }

  /** Said once for each reason: what is wrong with a home is mostly so for more than one beat. */
  function report(error: unknown): void {
    if (stopping.signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === reported) return;
    reported = reason;
    log("warn", "the keeper cannot work", { cause: error });
  }

  /** Watches exactly the roots that are configured now; a change of them starts anew. */
  async function tend(): Promise<void> {
    if (!isInCharge() || stopping.signal.aborted) return;
    const roots = house.roots();
    const wanted = JSON.stringify(roots);
    if (wanted === watched) return;
    watched = wanted;
    try {
      await queue.run("watch", async () => {
        await watcher?.close();
        const folders = roots.map((root) => root.path);
        const tell = ({ paths, overflow }: Batch) => catchUp(paths, overflow);
        watcher = await watchFolders(folders, tell, {
          isFlat: (folder) =>
            roots.every(({ path, pattern }) => path !== folder || isTopOnly(pattern)),
        });
        await db.writable({ signal: stopping.signal, patienceMs: Number.POSITIVE_INFINITY });
        intake.forgetAllBut(house.roots);
        await readFolders(roots);
      });
    } catch (error) {
      // The next beat tries again.
      watched = "";
      throw error;
    }
  }

  async function readFolders(roots: readonly Root[]): Promise<void> {
    const job = house.running.begin("Reading the folders");
    try {
      const options = { signal: stopping.signal, onProgress: job.progress };
      const { isUnfinished } = await intake.scan(roots, options);
      // Nobody tells when a mount is connected again, or when files can be opened again.
      if (isUnfinished) again ??= setTimeout(lookAgain, unreadableMs).unref();
    } finally {
      job.end();
    }
  }

  function lookAgain(): void {
    again = undefined;
    if (isInCharge() && !stopping.signal.aborted) catchUp([], true);
  }

  /** Outside of the queue: a change on disk must not wait for it. */
  function tendShelves(): void {
    const revision = house.revision();
    if (tended.isRunning || tended.revision === revision || stopping.signal.aborted) return;
    tended = { revision, isRunning: true };
    shelvesTended = house
      .tend(stopping.signal)
      .catch((error) => {
        report(error);
        // Such as a model that does not answer: it may do so later, with no change in between.
        setTimeout(() => {
          tended.revision = -1;
        }, tendAgainMs).unref();
      })
      .finally(() => {
        tended.isRunning = false;
      });
  }

  /** What comes while others are at work waits as one job, however often it comes. */
  function catchUp(places: readonly string[], overflow: boolean): void {
    const isWaiting = heard !== undefined;
    heard ??= { places: new Set(), overflow: false };
    for (const place of places) heard.places.add(place);
    heard.overflow ||= overflow || heard.places.size > mostPlaces;
    if (isWaiting) return;
    queue.run("catch up", takeIn).catch((error) => {
      if (stopping.signal.aborted) return;
      log("error", "could not take in changes", { cause: error });
      setTimeout(catchUp, retryMs, [], true).unref();
    });
  }

  async function takeIn(): Promise<void> {
    const places = [...(heard?.places ?? [])];
    const rulesChanged = places.some((place) => basename(place) === ".gitignore");
    const all = heard?.overflow || rulesChanged;
    heard = undefined;
    if (stopping.signal.aborted) return;
    const roots = house.roots();
    if (all) await readFolders(roots);
    else await intake.lookAt(roots, places, { signal: stopping.signal });
  }

  return {
    async close() {
      clearInterval(timer);
      clearTimeout(again);
      stopping.abort();
      unsubscribe();
      await Promise.all([queue.idle(), shelvesTended]);
      await watcher?.close();
      lease.close();
      deputyLease.close();
    },
  };
}
