import { elementAt } from "../../text/arrays/element-at.ts";

/** Call count, failure count and durations of each method of this process. */
export interface Metrics {
  record(method: string, ms: number, hasSucceeded: boolean): void;
  read(): MethodMetrics[];
}

interface MethodMetrics {
  method: string;
  calls: number;
  failures: number;
  /** Median duration of the recent calls, in milliseconds. */
  p50: number;
  /** 95th percentile of the same durations. */
  p95: number;
}

/** Number of recent durations to keep for each method. */
const maxDurations = 512;

/**
 * Keys are names of operations and protocol methods, never client input, so their number is
 * bounded.
 */
export function openMetrics(): Metrics {
  const methods = new Map<string, { calls: number; failures: number; durations: number[] }>();
  return {
    record(method, ms, hasSucceeded) {
      const entry = methods.get(method) ?? { calls: 0, failures: 0, durations: [] };
      methods.set(method, entry);
      entry.durations[entry.calls % maxDurations] = ms;
      entry.calls++;
      if (!hasSucceeded) entry.failures++;
    },
    read: () =>
      [...methods]
        .map(([method, { calls, failures, durations }]) => {
          const sorted = [...durations].sort((a, b) => a - b);
          return {
            method,
            calls,
            failures,
            p50: percentile(sorted, 0.5),
            p95: percentile(sorted, 0.95),
          };
        })
        .sort((a, b) => (a.method < b.method ? -1 : 1)),
  };
}

/** Nearest-rank percentile of sorted durations, rounded to hundredths; 0 without calls. */
function percentile(sorted: readonly number[], fraction: number): number {
  if (sorted.length === 0) return 0;
  const duration = elementAt(sorted, Math.max(Math.ceil(sorted.length * fraction) - 1, 0));
  return Math.round(duration * 100) / 100;
}
