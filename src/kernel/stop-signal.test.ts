import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStop } from "./stop-signal.ts";

test("it stops when its time is over, and when another signal says so", async () => {
  const other = new AbortController();
  const [timed, told] = [openStop([], 10), openStop([other.signal], undefined)];
  other.abort(new Error("enough"));
  await sleep(50);

  expect(timed.signal.reason).toMatchObject({ name: "TimeoutError" });
  expect(told.signal.reason).toMatchObject({ message: "enough" });
});

test("once released it listens to nobody, and its time is never over", async () => {
  const other = new AbortController();
  const stop = openStop([other.signal], 10);
  expect(getEventListeners(other.signal, "abort")).toHaveLength(1);
  stop.release();
  await sleep(50);

  expect(getEventListeners(other.signal, "abort")).toEqual([]);
  expect(stop.signal.aborted).toBe(false);
});
