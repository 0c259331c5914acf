import { expect, test } from "vitest";
import { waitForFirstReading } from "./first-reading.ts";

/** Reading that gets through one of the roots every so often, and then stands still. */
function reading(roots: string[], { everyMs, until = 0 }: { everyMs: number; until?: number }) {
  const start = performance.now();
  const revision = (): number =>
    Math.min(Math.floor((performance.now() - start) / everyMs), roots.length - until);
  return { unread: () => roots.slice(revision()), revision };
}

test("[house.reading.first] whoever asks waits while the first reading goes on, and hears what is left", async () => {
  expect(await waitForFirstReading(reading([], { everyMs: 1 }))).toEqual([]);
  expect(await waitForFirstReading(reading(["a", "b", "c"], { everyMs: 50 }))).toEqual([]);
  expect(await waitForFirstReading(reading(["a", "b"], { everyMs: 30, until: 1 }))).toEqual(["b"]);
});

test("[house.reading.first] the wait ends with the caller's patience", async () => {
  const slow = reading(["a"], { everyMs: 60_000 });

  expect(await waitForFirstReading(slow, { limitMs: 0 })).toEqual(["a"]);
  expect(await waitForFirstReading(slow, { limitMs: 60 })).toEqual(["a"]);
  expect(await waitForFirstReading(slow, { signal: AbortSignal.timeout(60) })).toEqual(["a"]);
});
