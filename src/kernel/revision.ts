import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";

/**
 * How often the index has changed. The number is the store's own user version: part of the
 * transaction that changes the index, alike in every process, and kept when the index is made anew.
 */
export function currentRevision(db: Database): number {
  return db.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

/** To be called in the transaction of the change, once. */
export function advanceRevision(db: Database): void {
  db.exec(`PRAGMA user_version = ${currentRevision(db) + 1}`);
}

/** Whoever will make the change may be another process, whose commits nobody tells us of. */
const lookMs = 20;

/** Nothing is known of a revision that is not there after so long. */
const longestMs = 5_000;

/**
 * Waits until the index has come so far. False where the signal or the time limit ended the wait:
 * a number that no change ever reaches must not hold a caller for ever.
 */
export async function waitForRevision(
  db: Database,
  revision: number,
  { signal, limitMs = longestMs }: { signal?: AbortSignal | undefined; limitMs?: number } = {},
): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (currentRevision(db) < revision) {
    if (signal?.aborted || performance.now() >= end) return false;
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
  return true;
}
