import { expect, test } from "vitest";
import { createTimeEstimate } from "./remaining-time.ts";

function estimateAfter(elapsedMs: number, done: number, total = 1_000): string | undefined {
  let time = 5_000;
  const estimate = createTimeEstimate(total, () => time);
  time += elapsedMs;
  return estimate(done);
}

test("[search.embed.remaining] the remaining time is estimated from the share of the work that is done", () => {
  expect(estimateAfter(10_000, 500)).toBe("about 10 seconds left");
  expect(estimateAfter(3_000, 750)).toBe("about 1 second left");
  expect(estimateAfter(10_000, 100)).toBe("about 2 minutes left");
  expect(estimateAfter(60_000, 100)).toBe("about 9 minutes left");
  expect(estimateAfter(60_000, 5)).toBe("about 3.3 hours left");
});

test("[search.embed.remaining] there is no estimate at the start and at the end", () => {
  expect(estimateAfter(2_999, 500)).toBeUndefined();
  expect(estimateAfter(10_000, 0)).toBeUndefined();
  expect(estimateAfter(10_000, 1_000)).toBeUndefined();
  expect(estimateAfter(10_000, 0, 0)).toBeUndefined();
});
