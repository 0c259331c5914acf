import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { roomsProgram } from "../../../tests/fixtures/hosted-program.ts";
import { rooms } from "../../../tests/fixtures/hosted-shelf.ts";
import { childrenOf, hasEnded, until } from "../../../tests/programs/process.ts";
import { type CallOptions, makeCall } from "../call.ts";
import { makeLog } from "../log.ts";
import { type Outcome, perform } from "../perform.ts";
import { openHost } from "./host.ts";
import { hostedShelf, withHeavyHost } from "./hosted-shelf.ts";
import { startHostProcess } from "./process.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

function opened({ maxSilenceMs = 20_000 } = {}) {
  const program = roomsProgram();
  const host = openHost({
    start: () => startHostProcess({}, program),
    maxSilenceMs,
    isAbout: (kept, target, input) =>
      "operation" in target && rooms.isolation?.isAbout(kept, target.operation, input) === true,
    log: makeLog({ level: "error", write: () => undefined }),
  });
  cleanups.push(() => host.close());
  const shelf = hostedShelf(rooms, host);
  return {
    host,
    shelf,
    async call(
      name: string,
      input: object = {},
      options: Partial<CallOptions> = {},
    ): Promise<Outcome> {
      const operation = shelf.operations.find((known) => known.name === name);
      if (!operation) throw new Error(`There is no ${name}.`);
      const call = makeCall({ actor: { surface: "test" }, ...options });
      return perform(operation, input, undefined, call).finally(call.release);
    },
  };
}

const failureOf = (outcome: Outcome) => (outcome.ok ? undefined : outcome.failure);

test("[house.host.heavy] heavy calls run in a host, and the others here", async () => {
  const { host } = opened();
  const operations = rooms.operations.map((operation) => ({
    ...operation,
    ...(operation.name === "enter" && {
      isHeavy: ({ room }: { room: string }) => room === "far",
    }),
  }));
  const shelf = withHeavyHost({ ...rooms, operations }, host);
  const state = { room: undefined, lost: undefined };
  const enter = async (room: string) => {
    const operation = shelf.operations.find(({ name }) => name === "enter");
    if (!operation) throw new Error("There is no such operation.");
    const call = makeCall({ actor: { surface: "test" } });
    return perform(operation, { room }, state, call).finally(call.release);
  };

  expect(await enter("near")).toMatchObject({ ok: true, value: { room: "near" } });
  expect(state.room).toBe("near");
  expect(await enter("far")).toMatchObject({ ok: true, value: { room: "far" } });
  expect(state.room).toBe("near");
});

test("[house.host.calls] an operation in a host gets its call, and tells as it would without one", async () => {
  const { call } = opened();
  const told: unknown[] = [];
  const heard: Partial<CallOptions> = {
    onProgress: (...progress) => told.push(progress),
    onNotice: (notice) => told.push(notice),
    onLog: (...words) => told.push(words),
    canAsk: (kind) => kind === "form",
  };

  expect(failureOf(await call("look"))).toMatchObject({
    kind: "conflict",
    code: "outside",
    message: "Nowhere.",
    hints: ["Enter."],
    details: { doors: 2 },
  });
  expect(failureOf(await call("enter", { room: 1 }))).toMatchObject({ code: "invalid-argument" });
  expect(await call("talk", {}, heard)).toMatchObject({
    ok: false,
    questions: { name: { kind: "form", message: "Who?" } },
    memory: { asked: expect.any(String) },
  });
  expect(told).toEqual([[1, 2, "half"], { topic: "house.changed" }, ["warn", "a word"]]);
  const answers = {
    name: { kind: "form", action: "accept", content: { name: "Ada" } },
  } as const;
  expect(await call("talk", {}, { ...heard, answers, memory: { asked: "x" } })).toMatchObject({
    ok: true,
    value: { room: 'Ada {"asked":"x"} undefined' },
  });
  const giveUp = new AbortController();
  const waiting = call("wait", {}, { signal: giveUp.signal });
  await call("enter", { room: "hall" });
  giveUp.abort();
  expect(failureOf(await waiting)).toMatchObject({ code: "cancelled" });
  expect(failureOf(await call("wait", {}, { timeLimit: 100 }))).toMatchObject({ code: "timeout" });
});

test("[house.host.lends] what a hosted shelf lends has its rows", async () => {
  const { call, shelf } = opened();
  await call("enter", { room: "hall" });

  const made = makeCall({ actor: { surface: "test" } });
  const lent = await shelf.lends?.now(undefined, { sql: "SELECT * FROM rooms", call: made });

  expect(lent?.tables).toBe("CREATE TABLE rooms (name TEXT)");
  expect(lent?.parts?.get("rooms")?.rows()).toEqual({ rooms: [["hall"]] });
});

test("[house.host.blocked] a call that blocks its host is ended, and what waited behind it is answered", async () => {
  const { call } = opened();
  await call("enter", { room: "hall" });

  const blocked = call("block", { room: "elsewhere" }, { timeLimit: 300 });
  const behind = call("look", {}, { timeLimit: 20_000 });

  expect(failureOf(await blocked)).toMatchObject({ code: "timeout" });
  expect(await behind).toMatchObject({ ok: true, value: { room: "hall" } });
});

test("[house.host.silent] a host that says nothing is ended, whatever time a call has", async () => {
  const { call } = opened({ maxSilenceMs: 1_500 });

  expect(failureOf(await call("block"))).toMatchObject({ code: "timeout" });
  expect(await call("enter", { room: "hall" })).toMatchObject({ ok: true });
});

test("[house.host.fatal] a state that ended its host is not restored, and the next call is told", async () => {
  const { call } = opened();
  await call("enter", { room: "hall" });

  await call("block", {}, { timeLimit: 300 });
  const next = await call("look", {}, { timeLimit: 20_000 });

  expect(failureOf(next)).toMatchObject({ message: "Lost hall." });
  await call("enter", { room: "cellar" });
  await call("crash");
  expect(failureOf(await call("look"))).toMatchObject({ message: "Lost cellar." });
});

test("[house.host.restore] a state whose restoring ends the host is given up", async () => {
  const { call } = opened({ maxSilenceMs: 2_000 });
  await call("enter", { room: "trap" });
  await call("block", { room: "elsewhere" }, { timeLimit: 300 });

  // The next host blocks while it restores, and is ended for it; the one after it does not try.
  expect(failureOf(await call("look"))).toMatchObject({ message: "Lost trap." });
});

test("[house.host.memory] a host that takes too much memory is ended, and another takes its place", async () => {
  const { call } = opened();

  expect(failureOf(await call("grow", {}, { timeLimit: 30_000 }))).toMatchObject({
    code: "too-large",
  });
  expect(await call("enter", { room: "hall" })).toMatchObject({ ok: true });
});

test("[house.host.orphans] a host ends with its server, even while it is blocked", async () => {
  const source = `
    import { makeCall } from "./src/kernel/call.ts";
    import { openHost } from "./src/kernel/host/host.ts";
    import { startHostProcess } from "./src/kernel/host/process.ts";
    const host = openHost({
      start: () => startHostProcess({}, ${JSON.stringify(roomsProgram())}),
      maxSilenceMs: 60_000, isAbout: () => true, log: () => undefined,
    });
    const call = makeCall({ actor: { surface: "test" } });
    await host.request({ operation: "enter" }, { room: "hall" }, call);
    process.stdout.write("entered");
    await host.request({ operation: "block" }, {}, call);`;
  const server = spawn(process.execPath, [childSource(source)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(server.stdout, "data");
  const [child] = childrenOf(server.pid ?? 0);
  if (child === undefined) throw new Error("There is no host.");

  server.kill("SIGKILL");

  await until(() => hasEnded(child), "the host has ended");
});
