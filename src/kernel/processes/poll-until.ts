import { setTimeout as sleep } from "node:timers/promises";

interface PollOptions {
  /** Checked after each unsuccessful poll; true ends the wait. */
  isExpired: () => boolean | Promise<boolean>;
  /** The pause before the next poll, given the number of polls so far. */
  delayMs: (polls: number) => number;
  signal?: AbortSignal | undefined;
}

/**
 * Polls a condition until it holds, for changes by other processes, which send no event. False if
 * `isExpired` or the signal ended the wait.
 */
export async function pollUntil(
  isDone: () => boolean | Promise<boolean>,
  { isExpired, delayMs, signal }: PollOptions,
): Promise<boolean> {
  for (let polls = 1; !(await isDone()); polls++) {
    if (signal?.aborted || (await isExpired())) return false;
    await sleep(delayMs(polls), undefined, { signal }).catch(() => undefined);
  }
  return true;
}
