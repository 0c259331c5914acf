import { pollUntil } from "../processes/poll-until.ts";
import { get, run, type Steps } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";

/**
 * The number of changes of the index. It is stored as SQLite's user version, in PostgreSQL in a row:
 * it changes in the transaction that changes the index, is the same in every process, and survives a
 * rebuild of the index.
 */
export function* readRevision(): Steps<number> {
  const row = yield* get<{ revision: number }>(selectRevision);
  return row?.revision ?? 0;
}

const selectRevision = {
  sqlite: "SELECT user_version AS revision FROM pragma_user_version",
  postgres: "SELECT number AS revision FROM revision",
};

/** A value that changes with every write to the store, of any process, and the revision. */
export interface StoreVersion {
  stamp: string;
  revision: number;
}

export function* readVersion(): Steps<StoreVersion> {
  return (yield* get<StoreVersion>(selectVersion)) ?? { stamp: "", revision: 0 };
}

/** In PostgreSQL, the transactions whose changes are visible. */
const selectVersion = {
  sqlite: `SELECT data_version || ' ' || total_changes() AS stamp, user_version AS revision
      FROM pragma_data_version, pragma_user_version`,
  postgres: "SELECT pg_current_snapshot()::text AS stamp, number AS revision FROM revision",
};

/** To be called once, in the transaction of the change. */
export function* incrementRevision(): Steps<void> {
  const row = yield* get<{ next: number | null }>(increment);
  if (row?.next) yield* run(`PRAGMA user_version = ${row.next}`);
}

/** SQLite needs a second statement, because a pragma cannot be set to an expression. */
const increment = {
  sqlite: "SELECT user_version + 1 AS next FROM pragma_user_version",
  postgres: "UPDATE revision SET number = number + 1 RETURNING NULL AS next",
};

/** Another process may make the change, and SQLite has no notification for its commits. */
const pollMs = 20;

/** Limits the wait for a revision that may never be reached. */
const maxWaitMs = 5_000;

/**
 * Waits until the index has reached a revision. False if the signal or the time limit ended the
 * wait.
 */
export function waitForRevision(
  store: Store,
  revision: number,
  { signal, limitMs = maxWaitMs }: { signal?: AbortSignal | undefined; limitMs?: number } = {},
): Promise<boolean> {
  const end = performance.now() + limitMs;
  return pollUntil(async () => (await store.run(readRevision())) >= revision, {
    isExpired: () => performance.now() >= end,
    delayMs: () => pollMs,
    signal,
  });
}
