import { pollUntil } from "../processes/poll-until.ts";

/** Another process may do the scan, and SQLite has no notification for its commits. */
const pollMs = 20;

/** Shorter than the time limit of most clients. */
const maxWaitMs = 10_000;

/** A scan commits more often than this, unless a file is very large. */
const stallMs = 2_000;

export interface WaitOptions {
  signal?: AbortSignal;
  limitMs?: number;
}

interface ScanProgress {
  /** The names of the roots whose initial scan is incomplete. */
  unscanned(): string[] | Promise<string[]>;
  /** Increases with every batch that is indexed. */
  revision(): number | Promise<number>;
}

/**
 * Waits for the initial scan while it makes progress. Returns the roots that are still incomplete,
 * because a search of a partial index must not look complete.
 */
export async function waitForInitialScan(
  { unscanned, revision }: ScanProgress,
  { signal, limitMs = maxWaitMs }: WaitOptions = {},
): Promise<string[]> {
  const end = performance.now() + limitMs;
  let lastRevision = await revision();
  let stallDeadline = performance.now() + stallMs;
  let remaining: string[] = [];
  const isScanned = async (): Promise<boolean> => {
    remaining = await unscanned();
    return remaining.length === 0;
  };
  const isExpired = async (): Promise<boolean> => {
    const currentRevision = await revision();
    if (currentRevision !== lastRevision) {
      lastRevision = currentRevision;
      stallDeadline = performance.now() + stallMs;
    }
    return performance.now() >= Math.min(end, stallDeadline);
  };
  await pollUntil(isScanned, { isExpired, delayMs: () => pollMs, signal });
  return remaining;
}
