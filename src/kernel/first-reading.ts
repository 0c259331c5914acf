import { setTimeout as sleep } from "node:timers/promises";

/** Whoever reads may be another process, whose commits nobody tells us of. */
const lookMs = 20;

/** A caller's own patience ends soon after. */
const longestMs = 10_000;

/** Reading mostly commits more often than this; where it does not, nobody reads, or one large file. */
const stillMs = 2_000;

export interface Patience {
  signal?: AbortSignal;
  limitMs?: number;
}

interface Reading {
  /** The names of what was not read to its end yet. */
  unread(): string[];
  /** Grows with everything that was read. */
  revision(): number;
}

/**
 * Waits until all is read once, while the reading goes on. Gives what is not: an index that is only
 * being made finds nothing in most of it, and that must not look like an answer.
 */
export async function waitForFirstReading(
  { unread, revision }: Reading,
  { signal, limitMs = longestMs }: Patience = {},
): Promise<string[]> {
  const end = performance.now() + limitMs;
  let seen = revision();
  let patience = performance.now() + stillMs;
  for (let left = unread(); ; left = unread()) {
    const now = performance.now();
    if (left.length === 0 || signal?.aborted || now >= Math.min(end, patience)) return left;
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    if (revision() === seen) continue;
    seen = revision();
    patience = performance.now() + stillMs;
  }
}
