import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStopSignal } from "./stop-signal.ts";

test("it aborts at its timeout, and when another signal aborts", async () => {
  const other = new AbortController();
  const [timed, cancelled] = [openStopSignal([], 10), openStopSignal([other.signal], undefined)];
  other.abort(new Error("enough"));
  await sleep(50);

  expect(timed.signal.reason).toMatchObject({ name: "TimeoutError" });
  expect(cancelled.signal.reason).toMatchObject({ message: "enough" });
});

test("after release it ignores signals, and never times out", async () => {
  const other = new AbortController();
  const stop = openStopSignal([other.signal], 10);
  expect(getEventListeners(other.signal, "abort")).toHaveLength(1);
  stop.release();
  await sleep(50);

  expect(getEventListeners(other.signal, "abort")).toEqual([]);
  expect(stop.signal.aborted).toBe(false);
});
