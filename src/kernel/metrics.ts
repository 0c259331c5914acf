/** How often each method of this process was called, how often it failed, and how long it took. */
export interface Metrics {
  note(method: string, ms: number, isWell: boolean): void;
  read(): MethodMetrics[];
}

interface MethodMetrics {
  method: string;
  calls: number;
  failures: number;
  /** Of the last calls, in milliseconds: half of them took no longer. */
  p50: number;
  /** The same for nineteen of twenty. */
  p95: number;
}

/** So many durations of a method are kept: the newest say how it goes now. */
const keptDurations = 512;

/**
 * Methods are names of operations and of the protocol, never a caller's words, so there are only
 * as many as the program has.
 */
export function openMetrics(): Metrics {
  const methods = new Map<string, { calls: number; failures: number; durations: number[] }>();
  return {
    note(method, ms, isWell) {
      const seen = methods.get(method) ?? { calls: 0, failures: 0, durations: [] };
      methods.set(method, seen);
      seen.durations[seen.calls % keptDurations] = ms;
      seen.calls++;
      if (!isWell) seen.failures++;
    },
    read: () =>
      [...methods]
        .map(([method, { calls, failures, durations }]) => {
          const sorted = [...durations].sort((a, b) => a - b);
          return { method, calls, failures, p50: share(sorted, 0.5), p95: share(sorted, 0.95) };
        })
        .sort((a, b) => (a.method < b.method ? -1 : 1)),
  };
}

/** The duration that this share of the calls did not exceed, to a hundredth. */
function share(sorted: readonly number[], part: number): number {
  const duration = sorted[Math.max(Math.ceil(sorted.length * part) - 1, 0)] ?? 0;
  return Math.round(duration * 100) / 100;
}
