import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { reportProgress } from "./progress.ts";

test("[house.mcp.progress-throttle] a flood of reports is thinned and its last one arrives", () => {
  const sent: number[] = [];
  const { report, finish } = reportProgress(({ progress }) => sent.push(progress));

  for (let done = 0; done <= 10_000; done++) report(done, 10_000, undefined);
  finish();

  expect(sent.length).toBeLessThan(50);
  expect(sent.at(-1)).toBe(10_000);
  expect(sent).toEqual([...sent].sort((a, b) => a - b));
});

test("[house.mcp.progress-grows] what does not grow is not told", () => {
  const sent: number[] = [];
  const { report, finish } = reportProgress(({ progress }) => sent.push(progress));

  for (const done of [1, 1, 0, Number.NaN, 2]) report(done, 3, undefined);
  finish();

  expect(sent).toEqual([1, 2]);
});

test("a report that was held back goes out although no other follows", async () => {
  const sent: number[] = [];
  const { report } = reportProgress(({ progress }) => sent.push(progress));

  for (let done = 1; done <= 100; done++) report(done, 100, undefined);
  expect(sent.at(-1)).toBeLessThan(100);
  await pause(1_000);

  expect(sent.at(-1)).toBe(100);
});

test("nothing is told once the answer is there", () => {
  const sent: number[] = [];
  const { report, finish } = reportProgress(({ progress }) => sent.push(progress));

  report(1, 2, undefined);
  finish();
  report(2, 2, undefined);

  expect(sent).toEqual([1]);
});

test("a few reports at once all go out", () => {
  const sent: unknown[] = [];
  const { report } = reportProgress((progress) => sent.push(progress));

  report(0, 100, undefined);
  report(50, undefined, "half");
  report(100, 100, "all");

  expect(sent).toEqual([
    { progress: 0, total: 100 },
    { progress: 50, message: "half" },
    { progress: 100, total: 100, message: "all" },
  ]);
});
