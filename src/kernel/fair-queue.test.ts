import { expect, test } from "vitest";
import { makeFairQueue } from "./fair-queue.ts";

/** A job that goes on until it is told to end. */
function held() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function opened(lanes: number) {
  const queue = makeFairQueue({ lanes, what: "jobs", maxWaitingPerClient: 3, maxWaiting: 5 });
  const begun: string[] = [];
  const run = (client: string, name: string, work = async (): Promise<void> => {}) =>
    queue.run(client, async () => {
      begun.push(name);
      await work();
    });
  return { queue, begun, run };
}

test("[house.fair-queue.turns] clients take turns, whoever asked for more before", async () => {
  const { queue, begun, run } = opened(1);
  const first = held();
  void run("greedy", "g1", first.work);
  for (const name of ["g2", "g3"]) void run("greedy", name);
  for (const name of ["m1", "m2"]) void run("modest", name);
  first.end();
  await queue.idle();

  expect(begun).toEqual(["g1", "m1", "g2", "m2", "g3"]);
});

test("[house.fair-queue.lanes] a client keeps one lane at most, and the others are free for the rest", async () => {
  const { queue, begun, run } = opened(2);
  const long = held();
  void run("greedy", "g1", long.work);
  void run("greedy", "g2");
  await run("modest", "m1");
  await turn();
  expect(begun).toEqual(["g1", "m1"]);
  long.end();
  await queue.idle();

  expect(begun).toEqual(["g1", "m1", "g2"]);
});

test("[house.fair-queue.cancelled] who gives up leaves the queue at once, and a failure is told to its caller alone", async () => {
  const { queue, begun, run } = opened(1);
  const long = held();
  void run("a", "a1", long.work);
  const stop = new AbortController();
  const given = queue.run("b", async () => begun.push("b1"), stop.signal);
  const failing = run("c", "c1", () => Promise.reject(new Error("no")));
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  expect(queue.waiting).toBe(1);
  long.end();
  await expect(failing).rejects.toThrow("no");
  await queue.idle();

  expect(begun).toEqual(["a1", "c1"]);
});

test("[house.fair-queue.limit] beyond its limit a client is refused, and others are not", async () => {
  const { queue, run } = opened(1);
  const long = held();
  void run("greedy", "g0", long.work);
  for (const name of ["g1", "g2", "g3"]) void run("greedy", name);
  await expect(run("greedy", "g4")).rejects.toMatchObject({
    kind: "unavailable",
    code: "too-many-waiting",
  });
  const served = run("modest", "m1");
  long.end();
  await served;
  await queue.idle();
});
