import { expect, test } from "vitest";
import { createFairQueue, type JobTurn, type QueueClient } from "./fair-queue.ts";

/** A job that runs until it is stopped. */
function held() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** `greedy 2` is a connection of the sender `greedy`. */
const clientOf = (peer: string): QueueClient => ({ sender: peer.split(" ")[0] ?? "", peer });

/** A job that ends only when it is stopped. */
const endless = ({ signal, startSlice }: JobTurn) =>
  new Promise<void>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    startSlice();
  });

function opened(slots: number) {
  const limits = { sliceMs: 1, maxWaitingPerClient: 3, maxWaiting: 5 };
  const queue = createFairQueue({ slots, what: "jobs", ...limits });
  const begun: string[] = [];
  const run = (
    client: string,
    name: string,
    work: (turn: JobTurn) => Promise<void> = async () => {},
    signal?: AbortSignal,
  ) =>
    queue.run(
      clientOf(client),
      async (turn) => {
        begun.push(name);
        await work(turn);
      },
      signal,
    );
  return { queue, begun, run };
}

test("[core.fair-queue.turns] clients take turns, regardless of how many calls each has queued", async () => {
  const { queue, begun, run } = opened(1);
  const first = held();
  void run("greedy", "g1", first.work);
  for (const name of ["g2", "g3"]) void run("greedy", name);
  for (const name of ["m1", "m2"]) void run("modest", name);
  first.end();
  await queue.idle();

  expect(begun).toEqual(["g1", "m1", "g2", "m2", "g3"]);
});

test("[core.fair-queue.senders] senders take turns regardless of their number of connections, then the connections of each sender", async () => {
  const { queue, begun, run } = opened(1);
  const first = held();
  void run("greedy 1", "g1", first.work);
  for (const name of ["g1 again", "g1 once more"]) void run("greedy 1", name);
  for (const place of [2, 3]) void run(`greedy ${place}`, `g${place}`);
  for (const place of [1, 2]) void run(`modest ${place}`, `m${place}`);
  first.end();
  await queue.idle();

  expect(begun).toEqual(["g1", "m1", "g2", "m2", "g3", "g1 again", "g1 once more"]);
});

test.each([2, 4])(
  "[core.fair-queue.long] with %i lanes a short job finishes while long jobs of the same sender wait and run",
  async (lanes) => {
    const { queue, begun, run } = opened(lanes);
    const stop = new AbortController();
    const names = [1, 2, 3, 4, 5, 6].map((place) => `long ${place}`);
    const ends = names.map((name) => run(`greedy ${name}`, name, endless, stop.signal));
    const settled = Promise.allSettled(ends);
    await run("greedy short", "short");
    expect(begun).toEqual([...names, "short"]);
    expect(queue.waiting).toBe(names.length - (lanes - 1));
    stop.abort(new Error("enough"));
    await queue.idle();

    expect(await settled).toEqual(names.map(() => expect.objectContaining({ status: "rejected" })));
  },
);

test("[core.fair-queue.long] a preempted job restarts when another has ended, and then gets its full time", async () => {
  const { begun, run } = opened(2);
  const stop = new AbortController();
  const first = run("a", "a1", endless, stop.signal);
  const answered = held();
  const second = run("b", "b1", (turn) =>
    begun.filter((name) => name === "b1").length === 1 ? endless(turn) : answered.work(),
  );
  const behind = run("b", "b2");
  await run("c", "c1");
  await expect.poll(() => begun).toEqual(["a1", "b1", "c1"]);
  stop.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  answered.end();
  await second;
  await behind;

  expect(begun).toEqual(["a1", "b1", "c1", "b1", "b2"]);
});

test("[core.fair-queue.lanes] a client occupies at most one lane, the others stay free for other clients", async () => {
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

test("[core.fair-queue.cancelled] a cancelled call leaves the queue immediately, and a failure is reported only to its caller", async () => {
  const { queue, begun, run } = opened(1);
  const long = held();
  void run("a", "a1", long.work);
  const stop = new AbortController();
  const given = run("b", "b1", undefined, stop.signal);
  const failing = run("c", "c1", () => Promise.reject(new Error("no")));
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  expect(queue.waiting).toBe(1);
  long.end();
  await expect(failing).rejects.toThrow("no");
  await queue.idle();

  expect(begun).toEqual(["a1", "c1"]);
});

test("[core.fair-queue.limit] a client over its limit is refused, others are not", async () => {
  const { queue, run } = opened(1);
  const long = held();
  void run("greedy", "g0", long.work);
  for (const name of ["g1", "g2", "g3"]) void run("greedy", name);
  await expect(run("greedy", "g4")).rejects.toMatchObject({
    kind: "unavailable",
    code: "too-many-waiting",
  });
  for (const place of [1, 2]) void run(`greedy ${place}`, "more");
  await expect(run("greedy 1", "too many in all")).rejects.toMatchObject({
    code: "too-many-waiting",
  });
  const served = run("modest", "m1");
  long.end();
  await served;
  await queue.idle();
});
