import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openRunning } from "./running.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function subject() {
  let changes = 0;
  const running = openRunning(() => changes++, 1_000);
  return { running, changes: () => changes };
}

test("[house.running.short] what ends at once is never told of", () => {
  const { running, changes } = subject();
  const job = running.begin("search");
  vi.advanceTimersByTime(900);
  job.end();
  vi.advanceTimersByTime(5_000);

  expect(running.list()).toEqual([]);
  expect(changes()).toBe(0);
});

test("[house.running.long] what lasts is told of with how far it has come, and when it ends", () => {
  const { running, changes } = subject();
  const job = running.begin("embed", { surface: "cli" });
  job.progress(3, 10, "Making vectors");
  vi.advanceTimersByTime(1_000);

  expect(running.list()).toMatchObject([
    { what: "embed", by: { surface: "cli" }, done: 3, total: 10, message: "Making vectors" },
  ]);
  expect(changes()).toBe(1);
  vi.advanceTimersByTime(3_000);
  expect(changes()).toBe(1);
  job.progress(4, 10);
  job.progress(5, 10);
  vi.advanceTimersByTime(1_000);
  expect(changes()).toBe(2);
  expect(running.list()).toMatchObject([{ done: 5 }]);

  job.end();
  expect(running.list()).toEqual([]);
  expect(changes()).toBe(3);
});
