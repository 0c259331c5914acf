import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeQueue } from "./queue.ts";

test("jobs run one at a time, in the order they were asked for", async () => {
  const queue = makeQueue();
  const story: string[] = [];
  const job = (name: string, ms: number) =>
    queue.run(name, async () => {
      story.push(`${name} begins`);
      await sleep(ms);
      story.push(`${name} ends`);
      return name;
    });

  const results = await Promise.all([job("first", 20), job("second", 1), job("third", 5)]);

  expect(results).toEqual(["first", "second", "third"]);
  expect(story).toEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
});

test("a job that fails tells its asker and lets the next one run", async () => {
  const queue = makeQueue();
  const failing = queue.run("breaks", () => {
    throw new Error("no disk");
  });
  const next = queue.run("works", () => "done");

  await expect(failing).rejects.toThrow("no disk");
  await expect(next).resolves.toBe("done");
  expect(queue.current).toBeUndefined();
});

test("the queue tells what runs and how many wait", async () => {
  const queue = makeQueue();
  let finish = () => {};
  const running = queue.run("embed", () => new Promise<void>((resolve) => (finish = resolve)));
  const behind = queue.run("scan", () => undefined);
  expect(queue.waiting).toBe(2);
  await sleep(1);

  expect(queue).toMatchObject({ current: "embed", waiting: 1 });

  finish();
  await Promise.all([running, behind]);
  expect(queue).toMatchObject({ current: undefined, waiting: 0 });
});

test("idle waits for jobs that were added while it waited", async () => {
  const queue = makeQueue();
  const ended: string[] = [];
  void queue.run("outer", async () => {
    await sleep(5);
    void queue.run("inner", async () => {
      await sleep(5);
      ended.push("inner");
    });
    ended.push("outer");
  });

  await queue.idle();

  expect(ended).toEqual(["outer", "inner"]);
});

test("idle resolves although the last job failed, and at once where there was none", async () => {
  const queue = makeQueue();
  await queue.idle();
  const failing = queue.run("breaks", () => Promise.reject(new Error("no")));
  failing.catch(() => undefined);
  await queue.idle();
  expect(queue.waiting).toBe(0);
});
