import { expect, test } from "vitest";
import { waitForInitialScan } from "./initial-scan.ts";

/** A scan that completes one root at intervals, and then stalls. */
function reading(roots: string[], { everyMs, until = 0 }: { everyMs: number; until?: number }) {
  const start = performance.now();
  const revision = (): number =>
    Math.min(Math.floor((performance.now() - start) / everyMs), roots.length - until);
  return { unscanned: () => roots.slice(revision()), revision };
}

test("[core.indexing.initial-scan] calls wait during the initial scan, and their answer states how much remains", async () => {
  expect(await waitForInitialScan(reading([], { everyMs: 1 }))).toEqual([]);
  expect(await waitForInitialScan(reading(["a", "b", "c"], { everyMs: 50 }))).toEqual([]);
  expect(await waitForInitialScan(reading(["a", "b"], { everyMs: 30, until: 1 }))).toEqual(["b"]);
});

test("[core.indexing.initial-scan] the wait ends at the caller's timeout", async () => {
  const slow = reading(["a"], { everyMs: 60_000 });

  expect(await waitForInitialScan(slow, { limitMs: 0 })).toEqual(["a"]);
  expect(await waitForInitialScan(slow, { limitMs: 60 })).toEqual(["a"]);
  expect(await waitForInitialScan(slow, { signal: AbortSignal.timeout(60) })).toEqual(["a"]);
});
