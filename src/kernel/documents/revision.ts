import { pollUntil } from "../processes/poll-until.ts";
import type { Database } from "../storage/database.ts";

/**
 * The number of changes of the index. It is stored as SQLite's user version: it changes in the
 * transaction that changes the index, is the same in every process, and survives a rebuild of the
 * index.
 */
export function readRevision(db: Database): number {
  return db.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

/** To be called once, in the transaction of the change. */
export function incrementRevision(db: Database): void {
  db.exec(`PRAGMA user_version = ${readRevision(db) + 1}`);
}

/** Another process may make the change, and SQLite has no notification for its commits. */
const pollMs = 20;

/** Limits the wait for a revision that may never be reached. */
const maxWaitMs = 5_000;

/**
 * Waits until the index has reached a revision. False if the signal or the time limit ended the
 * wait.
 */
export function waitForRevision(
  db: Database,
  revision: number,
  { signal, limitMs = maxWaitMs }: { signal?: AbortSignal | undefined; limitMs?: number } = {},
): Promise<boolean> {
  const end = performance.now() + limitMs;
  return pollUntil(() => readRevision(db) >= revision, {
    isExpired: () => performance.now() >= end,
    delayMs: () => pollMs,
    signal,
  });
}
