import { expect, test } from "vitest";
import { createPriorityQueue } from "./priority-queue.ts";

/** A job that runs until it is released. */
function held() {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { work: () => gate, release };
}

const patient = { isUrgent: false };
const urgent = { isUrgent: true };

test("[search.model.query-first] queries run before background work, one job at a time", async () => {
  const lanes = createPriorityQueue();
  const begun: string[] = [];
  let running = 0;
  const named = (name: string) => async () => {
    expect(++running).toBe(1);
    begun.push(name);
    await Promise.resolve();
    running--;
    return name;
  };
  const answers = await Promise.all([
    lanes.run(named("a"), patient),
    lanes.run(named("b"), patient),
    lanes.run(named("c"), patient),
    lanes.run(named("query 1"), urgent),
    lanes.run(named("query 2"), urgent),
  ]);

  expect(begun).toEqual(["a", "query 1", "query 2", "b", "c"]);
  expect(answers).toEqual(["a", "b", "c", "query 1", "query 2"]);
});

test("a failed job is reported to its caller, and the next one runs", async () => {
  const lanes = createPriorityQueue();
  const failing = lanes.run(() => Promise.reject(new Error("spoilt")), patient);
  const next = lanes.run(async () => 1, patient);

  await expect(failing).rejects.toThrow("spoilt");
  expect(await next).toBe(1);
});

test("[search.model.lanes] parallel jobs use all lanes, and a query needs no other lane than the first", async () => {
  const lanes = createPriorityQueue(3);
  const parallel = { isUrgent: false, isParallel: true };
  const used: string[] = [];
  const job = (name: string) => {
    const { work, release } = held();
    return {
      release,
      start: (lane: number) => {
        used.push(`${name} in ${lane}`);
        return work();
      },
    };
  };
  const jobs = ["a", "b", "c", "d"].map(job);
  const query = job("query");
  const done = jobs.map(({ start }) => lanes.run(start, parallel));
  const answered = lanes.run(query.start, urgent);
  expect(used).toEqual(["a in 0", "b in 1", "c in 2"]);

  jobs[1]?.release();
  await done[1];
  expect(used.at(-1)).toBe("d in 1");
  jobs[0]?.release();
  await done[0];
  expect(used.at(-1)).toBe("query in 0");
  for (const { release } of [query, ...jobs]) release();
  await Promise.all([...done, answered]);
});

test("[search.model.lanes] a single job waits for the first lane instead of starting another", async () => {
  const lanes = createPriorityQueue(2);
  const query = held();
  const answered = lanes.run(query.work, urgent);
  const used: number[] = [];
  const note = async (lane: number) => {
    used.push(lane);
  };
  const single = lanes.run(note, { isUrgent: false, isParallel: true });
  const unshared = lanes.run(note, patient);
  expect(used).toEqual([]);

  query.release();
  await Promise.all([answered, single, unshared]);
  expect(used).toEqual([0, 0]);
});

test("[search.rerank.lanes] urgent parallel jobs use all lanes, before background work", async () => {
  const lanes = createPriorityQueue(2);
  const used: string[] = [];
  const note =
    (name: string, work = async () => {}) =>
    (lane: number) => {
      used.push(`${name} in ${lane}`);
      return work();
    };
  const parallel = { isUrgent: false, isParallel: true };
  const [first, second, long] = [held(), held(), held()];
  const running = [first, second].map(({ work }) => lanes.run(work, parallel));
  const queued = [
    lanes.run(note("document"), parallel),
    lanes.run(note("passage 1", long.work), { isUrgent: true, isParallel: true }),
    lanes.run(note("passage 2"), { isUrgent: true, isParallel: true }),
    lanes.run(note("query"), urgent),
  ];

  second.release();
  await running[1];
  expect(used).toEqual(["passage 1 in 1"]);
  first.release();
  await Promise.all([...running, queued[0]]);
  expect(used.slice(1)).toEqual(["query in 0", "passage 2 in 0", "document in 0"]);
  long.release();
  await Promise.all(queued);
});

test("[search.model.abort] a queued job that is aborted never starts", async () => {
  const lanes = createPriorityQueue();
  const first = held();
  const running = lanes.run(first.work, patient);
  const leaving = new AbortController();
  let hasBegun = false;
  const waiting = lanes.run(
    async () => {
      hasBegun = true;
    },
    { isUrgent: true, signal: leaving.signal },
  );

  leaving.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  first.release();
  await running;
  expect(await lanes.run(async () => "next", patient)).toBe("next");
  expect(hasBegun).toBe(false);
});

test("[search.model.abort] a running job that is aborted is released immediately, but finishes alone", async () => {
  const lanes = createPriorityQueue();
  const leaving = new AbortController();
  const first = held();
  const order: string[] = [];
  const running = lanes.run(() => first.work().then(() => order.push("first")), {
    isUrgent: false,
    signal: leaving.signal,
  });
  const next = lanes.run(async () => order.push("next"), patient);

  leaving.abort(new Error("gone"));
  await expect(running).rejects.toThrow("gone");
  expect(order).toEqual([]);
  first.release();
  await next;
  expect(order).toEqual(["first", "next"]);
});

test("[search.model.abort] an already aborted signal starts nothing", async () => {
  const signal = AbortSignal.abort(new Error("too late"));
  let hasBegun = false;
  const work = async () => {
    hasBegun = true;
  };

  await expect(createPriorityQueue().run(work, { isUrgent: true, signal })).rejects.toThrow(
    "too late",
  );
  expect(hasBegun).toBe(false);
});
