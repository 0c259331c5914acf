import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSerialQueue } from "./serial-queue.ts";

test("jobs run one at a time, in order", async () => {
  const queue = createSerialQueue();
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

test("a failed job is reported to its caller, and the next one runs", async () => {
  const queue = createSerialQueue();
  const failing = queue.run("breaks", () => {
    throw new Error("no disk");
  });
  const next = queue.run("works", () => "done");

  await expect(failing).rejects.toThrow("no disk");
  await expect(next).resolves.toBe("done");
  expect(queue.current).toBeUndefined();
});

test("the queue reports the running job and the number of waiting ones", async () => {
  const queue = createSerialQueue();
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

test("idle waits for jobs added while it waits", async () => {
  const queue = createSerialQueue();
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

test("idle resolves even if the last job failed, and immediately without jobs", async () => {
  const queue = createSerialQueue();
  await queue.idle();
  const failing = queue.run("breaks", () => Promise.reject(new Error("no")));
  failing.catch(() => undefined);
  await queue.idle();
  expect(queue.waiting).toBe(0);
});
