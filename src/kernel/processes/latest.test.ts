import { expect, test } from "vitest";
import { createLatest } from "./latest.ts";

test("[scale.latest] calls during a run share the next one", async () => {
  let runs = 0;
  const finish: (() => void)[] = [];
  const read = createLatest(async () => {
    const run = ++runs;
    await new Promise<void>((resolve) => finish.push(resolve));
    return run;
  });
  const first = read();
  const [second, third] = [read(), read()];
  finish.shift()?.();
  expect(await first).toBe(1);
  await expect.poll(() => finish.length).toBe(1);
  finish.shift()?.();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
});
