import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openRunningJobs } from "./running-jobs.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function subject() {
  let changes = 0;
  const running = openRunningJobs(() => changes++, 1_000);
  return { running, changes: () => changes };
}

test("[core.running.short] a short task is never reported", () => {
  const { running, changes } = subject();
  const job = running.begin("search");
  vi.advanceTimersByTime(900);
  job.end();
  vi.advanceTimersByTime(5_000);

  expect(running.list()).toEqual([]);
  expect(changes()).toBe(0);
});

test("[core.running.long] a long task is reported with its progress and its end", () => {
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
