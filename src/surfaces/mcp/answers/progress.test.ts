import { expect, test } from "vitest";
import { createProgressReporter } from "./progress.ts";

test("[core.mcp.progress-throttle] frequent progress is throttled, and the last report is sent", () => {
  const sent: number[] = [];
  const { report, finish } = createProgressReporter(({ progress }) => sent.push(progress));

  for (let done = 0; done <= 10_000; done++) report(done, 10_000, undefined);
  finish();

  expect(sent.length).toBeLessThan(50);
  expect(sent.at(-1)).toBe(10_000);
  expect(sent).toEqual([...sent].sort((a, b) => a - b));
});

test("[core.mcp.progress-grows] progress that does not increase is not sent", () => {
  const sent: number[] = [];
  const { report, finish } = createProgressReporter(({ progress }) => sent.push(progress));

  for (const done of [1, 1, 0, Number.NaN, 2]) report(done, 3, undefined);
  finish();

  expect(sent).toEqual([1, 2]);
});

test("a delayed report is sent even if no other follows", async () => {
  const sent: number[] = [];
  const { report } = createProgressReporter(({ progress }) => sent.push(progress));

  for (let done = 1; done <= 100; done++) report(done, 100, undefined);
  expect(sent.at(-1)).toBeLessThan(100);

  await expect.poll(() => sent.at(-1)).toBe(100);
});

test("nothing is sent after the answer", () => {
  const sent: number[] = [];
  const { report, finish } = createProgressReporter(({ progress }) => sent.push(progress));

  report(1, 2, undefined);
  finish();
  report(2, 2, undefined);

  expect(sent).toEqual([1]);
});

test("a few reports together are all sent", () => {
  const sent: unknown[] = [];
  const { report } = createProgressReporter((progress) => sent.push(progress));

  report(0, 100, undefined);
  report(50, undefined, "half");
  report(100, 100, "all");

  expect(sent).toEqual([
    { progress: 0, total: 100 },
    { progress: 50, message: "half" },
    { progress: 100, total: 100, message: "all" },
  ]);
});
