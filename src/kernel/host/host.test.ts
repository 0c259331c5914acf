import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { hostedProgram } from "../../../tests/fixtures/processes/hosted-program.ts";
import { rooms } from "../../../tests/fixtures/processes/hosted-shelf.ts";
import { childrenOf, hasEnded, until } from "../../../tests/programs/process.ts";
import { type CallOptions, createCall } from "../call.ts";
import { type Outcome, perform } from "../calls/perform.ts";
import { createLog } from "../runtime/log.ts";
import { openHost } from "./host.ts";
import { startHostProcess } from "./host-process.ts";
import { hostedShelf, offloadHeavyCalls } from "./hosted-shelf.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

function opened({ maxSilenceMs = 20_000 } = {}) {
  const program = hostedProgram();
  const host = openHost({
    start: () => startHostProcess({}, program),
    maxSilenceMs,
    usesSavedState: (kept, target, input) =>
      "operation" in target && rooms.isolation?.appliesTo(kept, target.operation, input) === true,
    log: createLog({ level: "error", write: () => undefined }),
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
      const call = createCall({ actor: { surface: "test" }, ...options });
      return perform(operation, input, undefined, call).finally(call.release);
    },
  };
}

const failureOf = (outcome: Outcome) => (outcome.ok ? undefined : outcome.failure);

test("[core.host.heavy] heavy calls run in a host process, other calls in the server", async () => {
  const { host } = opened();
  const operations = rooms.operations.map((operation) => ({
    ...operation,
    ...(operation.name === "enter" && {
      isHeavy: ({ room }: { room: string }) => room === "far",
    }),
  }));
  const shelf = offloadHeavyCalls({ ...rooms, operations }, host);
  const state = { room: undefined, lost: undefined };
  const enter = async (room: string) => {
    const operation = shelf.operations.find(({ name }) => name === "enter");
    if (!operation) throw new Error("There is no such operation.");
    const call = createCall({ actor: { surface: "test" } });
    return perform(operation, { room }, state, call).finally(call.release);
  };

  expect(await enter("near")).toMatchObject({ ok: true, value: { room: "near" } });
  expect(state.room).toBe("near");
  expect(await enter("far")).toMatchObject({ ok: true, value: { room: "far" } });
  expect(state.room).toBe("near");
});

test("[core.host.calls] an operation in a host process receives its call context and reports as without a host", async () => {
  const { call } = opened();
  const reported: unknown[] = [];
  const received: Partial<CallOptions> = {
    onProgress: (...progress) => reported.push(progress),
    onNotice: (notice) => reported.push(notice),
    onLog: (...words) => reported.push(words),
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
  expect(await call("talk", {}, received)).toMatchObject({
    ok: false,
    questions: { name: { kind: "form", message: "Who?" } },
    memory: { asked: expect.any(String) },
  });
  expect(reported).toEqual([[1, 2, "half"], { topic: "system.changed" }, ["warn", "a word"]]);
  const answers = {
    name: { kind: "form", action: "accept", content: { name: "Ada" } },
  } as const;
  expect(await call("talk", {}, { ...received, answers, memory: { asked: "x" } })).toMatchObject({
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

test("[core.host.tables] tables of a hosted shelf contain its rows", async () => {
  const { call, shelf } = opened();
  await call("enter", { room: "hall" });

  const made = createCall({ actor: { surface: "test" } });
  const tables = await shelf.sqlTables?.open(undefined, { sql: "SELECT * FROM rooms", call: made });

  expect(tables?.tables).toBe("CREATE TABLE rooms (name TEXT)");
  expect(tables?.parts?.get("rooms")?.rows()).toEqual({ rooms: [["hall"]] });
});

test("[core.host.blocked] a call that blocks its host process is ended, and the queued calls are answered", async () => {
  const { call } = opened();
  await call("enter", { room: "hall" });

  const blocked = call("block", { room: "elsewhere" }, { timeLimit: 300 });
  const behind = call("look", {}, { timeLimit: 120_000 });

  expect(failureOf(await blocked)).toMatchObject({ code: "timeout" });
  expect(await behind).toMatchObject({ ok: true, value: { room: "hall" } });
});

test("[core.host.silent] an unresponsive host is ended, regardless of the call's time limit", async () => {
  const { call } = opened({ maxSilenceMs: 1_500 });

  expect(failureOf(await call("block"))).toMatchObject({ code: "timeout" });
  expect(await call("enter", { room: "hall" })).toMatchObject({ ok: true });
});

test("[core.host.fatal] a state that crashed its host is not restored, and the next call is informed", async () => {
  const { call } = opened();
  await call("enter", { room: "hall" });

  await call("block", {}, { timeLimit: 300 });
  const next = await call("look", {}, { timeLimit: 120_000 });

  expect(failureOf(next)).toMatchObject({ message: "Lost hall." });
  await call("enter", { room: "cellar" });
  await call("crash");
  expect(failureOf(await call("look"))).toMatchObject({ message: "Lost cellar." });
});

test("[core.host.restore] a state whose restore crashes the host is dropped", async () => {
  const { call } = opened({ maxSilenceMs: 2_000 });
  await call("enter", { room: "trap" });
  await call("block", { room: "elsewhere" }, { timeLimit: 300 });

  // The next host blocks during its restore and is killed; the one after it does not restore.
  expect(failureOf(await call("look"))).toMatchObject({ message: "Lost trap." });
});

test("[core.host.memory] a host that exceeds its memory limit is ended and replaced", async () => {
  const { call } = opened();

  expect(failureOf(await call("grow", {}, { timeLimit: 120_000 }))).toMatchObject({
    code: "too-large",
  });
  expect(await call("enter", { room: "hall" })).toMatchObject({ ok: true });
});

test("[core.host.orphans] a host ends with its server, even while it is blocked", async () => {
  const source = `
    import { createCall } from "./src/kernel/call.ts";
    import { openHost } from "./src/kernel/host/host.ts";
    import { startHostProcess } from "./src/kernel/host/host-process.ts";
    const host = openHost({
      start: () => startHostProcess({}, ${JSON.stringify(hostedProgram())}),
      maxSilenceMs: 60_000, usesSavedState: () => true, log: () => undefined,
    });
    const call = createCall({ actor: { surface: "test" } });
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
