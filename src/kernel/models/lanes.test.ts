import { expect, test } from "vitest";
import { makeLanes } from "./lanes.ts";

/** A job that runs until it is let go. */
function held() {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { work: () => gate, release };
}

const patient = { isUrgent: false };
const urgent = { isUrgent: true };

test("[search.model.query-first] what somebody waits for goes before what can wait, and one job runs at a time", async () => {
  const lanes = makeLanes();
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

test("a job that fails tells whoever asked, and the next one runs", async () => {
  const lanes = makeLanes();
  const failing = lanes.run(() => Promise.reject(new Error("spoilt")), patient);
  const next = lanes.run(async () => 1, patient);

  await expect(failing).rejects.toThrow("spoilt");
  expect(await next).toBe(1);
});

test("[search.model.abort] an aborted job that waits never begins", async () => {
  const lanes = makeLanes();
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

test("[search.model.abort] an aborted job that runs is given up at once, and still runs alone", async () => {
  const lanes = makeLanes();
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

test("[search.model.abort] a signal that is aborted already starts nothing", async () => {
  const signal = AbortSignal.abort(new Error("too late"));
  let hasBegun = false;
  const work = async () => {
    hasBegun = true;
  };

  await expect(makeLanes().run(work, { isUrgent: true, signal })).rejects.toThrow("too late");
  expect(hasBegun).toBe(false);
});
