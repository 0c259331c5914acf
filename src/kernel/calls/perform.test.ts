import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Answer, type CallOptions, createCall, type Question } from "../call.ts";
import { Failure, notFound } from "../failure.ts";
import { type AnyOperation, operationsFor } from "../operation.ts";
import { openDatabase } from "../storage/database.ts";
import { attemptCall, perform } from "./perform.ts";

const operation = operationsFor<unknown>();

const aCall = (more: Partial<CallOptions> = {}) =>
  createCall({ actor: { surface: "test" }, ...more });

const seek = operation({
  name: "seek",
  title: "Seek",
  summary: "Look for words.",
  input: z.object({
    query: z.string().min(1),
    limit: z.int().min(1).max(50).default(10),
    mode: z.enum(["exact", "loose"]).optional(),
    within: z.strictObject({ folder: z.string() }).optional(),
    tags: z.array(z.string()).optional(),
  }),
  output: z.object({ found: z.array(z.string()) }),
  effect: "reads",
  expose: {},
  example: { query: "x" },
  run: ({ query, limit }) => ({ found: [`${query} ${limit}`] }),
});

/** The same operation with another implementation. */
const running = (run: (typeof seek)["run"]): AnyOperation => ({ ...seek, run });

test("valid input runs with defaults filled in", async () => {
  expect(await perform(seek, { query: "cat" }, {}, aCall())).toEqual({
    ok: true,
    value: { found: ["cat 10"] },
    input: { query: "cat", limit: 10 },
  });
});

test("[core.perform.spelling] a key is accepted in camelCase and snake_case, but not in both at once", async () => {
  const input = z.object({ minScore: z.number().default(0), start_pos: z.int().default(0) });
  const both: AnyOperation = {
    ...seek,
    input,
    run: (given: object) => ({ found: [JSON.stringify(given)] }),
  };
  const found = async (given: object) => perform(both, given, {}, aCall());

  for (const given of [
    { min_score: 1, startPos: 2 },
    { minScore: 1, start_pos: 2 },
  ]) {
    expect(await found(given)).toMatchObject({
      value: { found: ['{"minScore":1,"start_pos":2}'] },
    });
  }
  expect(await found({ minScore: 1, min_score: 2 })).toMatchObject({
    failure: { kind: "invalid" },
  });
});

test.each<[string, unknown, string]>([
  ["a missing field", {}, "Missing parameter 'query': string required"],
  ["nothing at all", undefined, "Missing parameter 'query': string required"],
  ["null", null, "Missing parameter 'query': string required"],
  ["a wrong type", { query: 7 }, "Invalid parameter 'query': expected string, received number"],
  [
    "null for a field",
    { query: null },
    "Invalid parameter 'query': expected string, received null",
  ],
  ["an empty text", { query: "" }, "Invalid parameter 'query': must not be empty"],
  ["a number beyond", { query: "x", limit: 51 }, "Invalid parameter 'limit': must be at most 50"],
  ["a broken number", { query: "x", limit: 1.5 }, "Invalid parameter 'limit': expected int"],
  ["an unknown choice", { query: "x", mode: "fast" }, `'mode': expected one of "exact"|"loose"`],
  ["a field inside", { query: "x", within: {} }, "Missing parameter 'within.folder': string"],
  [
    "an item of a list",
    { query: "x", tags: ["a", 1] },
    "Invalid parameter 'tags.1': expected string",
  ],
  [
    "an unknown key",
    { query: "x", limt: 5 },
    "Unknown parameter 'limt': did you mean 'limit'? known are query, limit",
  ],
  ["an unknown key inside", { query: "x", within: { folder: "a", x: 1 } }, "'x' in 'within'"],
  ["a list instead of an object", [], "Invalid parameter 'arguments': expected object"],
  ["a text instead of an object", "query", "Invalid parameter 'arguments': expected object"],
])("[core.perform.schema] %s is invalid, and the message names it", async (_, input, message) => {
  const outcome = await perform(seek, input, {}, aCall());
  expect(outcome).toMatchObject({
    ok: false,
    failure: {
      kind: "invalid",
      code: "invalid-argument",
      message: expect.stringContaining(message),
    },
  });
});

test("[core.perform.short] a message about thousands of invalid values names only the first ones", async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => at);
  for (const input of [
    { query: "x", ...Object.fromEntries(many.map((at) => [`k${at}`, 1])) },
    { query: "x", ["k".repeat(100_000)]: 1 },
    { query: "x", tags: many },
  ]) {
    const outcome = await perform(seek, input, {}, aCall());
    const message = outcome.ok ? "" : (outcome.failure?.message ?? "");
    expect(message).toMatch(/k0|kkk|tags\.0/);
    expect(message.length).toBeLessThan(1_000);
  }
});

test("[core.perform.null] null for an optional key is treated as absent, in nested objects too", async () => {
  const input = seek.input.extend({
    within: z.object({ folder: z.string(), depth: z.int().default(1) }).optional(),
    color: z.string().nullable().optional(),
  });
  const kept: AnyOperation = {
    ...seek,
    input,
    run: (given: object) => ({ found: [JSON.stringify(given)] }),
  };
  const found = async (given: object) => perform(kept, given, {}, aCall());

  const bare = { query: "x", limit: null, mode: null, tags: null, color: null };
  expect(await found({ ...bare, within: { folder: "a", depth: null } })).toMatchObject({
    input: { query: "x", limit: 10, within: { folder: "a", depth: 1 }, color: null },
  });
  expect(bare).toHaveProperty("limit", null);
  const refused = await found({
    query: null,
    limit: null,
    tags: [null],
    within: null,
    other: null,
  });
  const message = refused.ok ? "" : refused.failure?.message;
  expect(message).toBe(
    "Invalid parameter 'query': expected string, received null; " +
      "Invalid parameter 'tags.0': expected string, received null; " +
      "Unknown parameter 'other': known are query, limit, mode, within, tags, color",
  );
});

test("all problems of an input are reported together", async () => {
  const outcome = await perform(seek, { limit: "many", extra: 1 }, {}, aCall());
  const message = outcome.ok ? "" : (outcome.failure?.message ?? "");
  for (const name of ["'query'", "'limit'", "'extra'"]) expect(message).toContain(name);
});

test("names of Object.prototype properties are unknown keys like others", async () => {
  for (const text of ['{"query":"x","constructor":1}', '{"query":"x","toString":{}}']) {
    expect(await perform(seek, JSON.parse(text), {}, aCall())).toMatchObject({ ok: false });
  }
  const polluted = await perform(
    seek,
    JSON.parse('{"query":"x","__proto__":{"a":1}}'),
    {},
    aCall(),
  );
  expect(({} as { a?: number }).a).toBeUndefined();
  expect(polluted.ok && polluted.input).not.toHaveProperty("a");
});

test("[core.perform.internal] an exception becomes an internal error that reveals nothing of its cause", async () => {
  const secret = new Error("SELECT * FROM users at /home/me");
  for (const thrown of [secret, "a text", undefined, { code: 1 }]) {
    const outcome = await perform(
      running(() => {
        throw thrown;
      }),
      { query: "x" },
      {},
      aCall(),
    );
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: "internal", code: "internal-error", message: "Internal error", hints: [] },
    });
  }
  const outcome = await perform(
    running(() => Promise.reject(secret)),
    { query: "x" },
    {},
    aCall(),
  );
  expect(outcome.ok || outcome.failure?.cause).toBe(secret);
  expect(outcome.ok || outcome.failure?.explanation).toBe("Internal error");
});

test("an expected failure is passed on unchanged", async () => {
  const failure = notFound("Note not found: 7", ["Try 6."]);
  const outcome = await perform(
    running(() => Promise.reject(failure)),
    { query: "x" },
    {},
    aCall(),
  );
  expect(outcome).toEqual({ ok: false, failure });
});

test("[core.perform.output] output that violates its schema is an internal error", async () => {
  const broken = { ...seek, run: () => ({ found: "not a list" }) } as unknown as AnyOperation;
  const outcome = await perform(broken, { query: "x" }, {}, aCall());

  expect(outcome).toMatchObject({
    ok: false,
    failure: { kind: "internal", message: "Internal error" },
  });
  expect(String(outcome.ok || outcome.failure?.cause)).toContain("seek violated its output schema");
});

test("state is opened only after the input is validated", async () => {
  let opened = 0;
  const open = () => {
    opened++;
    return {};
  };
  await perform(seek, {}, open, aCall());
  expect(opened).toBe(0);
  await perform(seek, { query: "x" }, open, aCall());
  expect(opened).toBe(1);
});

test("a state that cannot be opened fails the call, not the process", async () => {
  const outcome = await perform(
    seek,
    { query: "x" },
    () => {
      throw new Failure("conflict", "config-damaged", "The configuration file is damaged.");
    },
    aCall(),
  );
  expect(outcome).toMatchObject({ ok: false, failure: { code: "config-damaged" } });
});

test("[core.perform.full] a full disk is reported as such, with a remedy", async () => {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE notes (text TEXT); PRAGMA max_page_count = 3;");
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  for (const fails of [
    () => db.run("INSERT INTO notes VALUES (?)", "x".repeat(50_000)),
    () => db.transaction(() => db.run("INSERT INTO notes VALUES (?)", "x".repeat(50_000))),
    () => db.all("INSERT INTO notes VALUES (?) RETURNING text", "x".repeat(50_000)),
    () => {
      throw full;
    },
  ]) {
    const writing = running(() => {
      fails();
      return { found: [] };
    });
    expect(await perform(writing, { query: "x" }, {}, aCall())).toMatchObject({
      ok: false,
      failure: { kind: "unavailable", code: "disk-full", hints: [expect.stringMatching(/space/)] },
    });
  }
});

test("[core.perform.deadline] work that honors its abort signal ends at the time limit", async () => {
  const patient = running(async (_input, _state, call) => {
    await sleep(60_000, undefined, { signal: call.signal });
    return { found: [] };
  });
  const outcome = await perform(patient, { query: "x" }, {}, aCall({ timeLimit: 50 }));

  expect(outcome).toMatchObject({
    ok: false,
    failure: { kind: "unavailable", code: "timeout", message: "Stopped after 0.05 s." },
  });
  expect(outcome.ok || outcome.failure?.explanation).toContain("LECTERN_TOOL_TIMEOUT_MS");
});

test("work that throws its signal's reason has timed out too", async () => {
  const looping = running(async (_input, _state, call) => {
    for (;;) {
      call.signal.throwIfAborted();
      await sleep(5);
    }
  });
  const outcome = await perform(looping, { query: "x" }, {}, aCall({ timeLimit: 30 }));
  expect(outcome).toMatchObject({ failure: { code: "timeout" } });
});

test("[core.perform.unresponsive] a call whose work ignores the abort signal is answered without it", async () => {
  const unresponsive = running(() => new Promise(() => undefined));
  const outcome = await perform(unresponsive, { query: "x" }, {}, aCall({ timeLimit: 20 }));

  expect(outcome).toMatchObject({ failure: { code: "timeout" } });
});

test("work that returns a partial result at the limit succeeds", async () => {
  const partial = running(async (_input, _state, call) => {
    const found: string[] = [];
    while (!call.signal.aborted) {
      found.push("one more");
      await sleep(10);
    }
    return { found };
  });
  const outcome = await perform(partial, { query: "x" }, {}, aCall({ timeLimit: 60 }));
  expect(outcome).toMatchObject({
    ok: true,
    value: { found: expect.arrayContaining(["one more"]) },
  });
});

test("[core.perform.stall] a machine suspended past the time limit does not cause a partial answer", async () => {
  const partial = running(async (_input, _state, call) => {
    standStill(1_500);
    for (let turn = 0; turn < 3; turn++) await immediate();
    return { found: call.signal.aborted ? ["a part"] : [] };
  });
  const outcome = await perform(partial, { query: "x" }, {}, aCall({ timeLimit: 50 }));

  expect(outcome).toMatchObject({ ok: true, value: { found: ["a part"] } });
});

test("[core.perform.clock] the time limit holds even if garbage collection runs often", async () => {
  setFlagsFromString("--expose-gc");
  const sweep: () => void = runInNewContext("gc");
  const busy = running(async (_input, _state, call) => {
    while (!call.signal.aborted) {
      sweep();
      await immediate();
    }
    return { found: ["a part"] };
  });
  const giveUp = new AbortController();
  const call = aCall({ signal: giveUp.signal, timeLimit: 100 });

  expect(await perform(busy, { query: "x" }, {}, call)).toMatchObject({ ok: true });
});

/** Blocks the process, including its timers. */
const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

test("a caller's abort is a cancellation, not a timeout", async () => {
  const patient = running(async (_input, _state, call) => {
    await sleep(60_000, undefined, { signal: call.signal });
    return { found: [] };
  });
  const giveUp = new AbortController();
  const pending = perform(
    patient,
    { query: "x" },
    {},
    aCall({ signal: giveUp.signal, timeLimit: 30_000 }),
  );
  giveUp.abort();
  expect(await pending).toMatchObject({ ok: false, failure: { code: "cancelled" } });
});

test("another error after cancelling is still an internal error", async () => {
  const giveUp = new AbortController();
  giveUp.abort();
  const outcome = await perform(
    running(() => Promise.reject(new Error("disk"))),
    { query: "x" },
    {},
    aCall({ signal: giveUp.signal }),
  );
  expect(outcome).toMatchObject({ failure: { kind: "internal" } });
});

const question: Question = { kind: "form", message: "Which colour?", schema: {} };
const colour: Answer = { kind: "form", action: "accept", content: { colour: "red" } };

const asking = running((_input, _state, call) => {
  const { reply } = call.ask({ reply: question }, { step: 1 });
  const chosen = reply.kind === "form" ? String(reply.content.colour) : "";
  return { found: [chosen, JSON.stringify(call.memory)] };
});

test("[core.perform.ask] a question is sent with its state, and the answers let the call finish", async () => {
  const first = await perform(asking, { query: "x" }, {}, aCall());
  expect(first).toEqual({ ok: false, questions: { reply: question }, memory: { step: 1 } });

  const second = await perform(
    asking,
    { query: "x" },
    {},
    aCall({ answers: { reply: colour }, memory: { step: 1 } }),
  );
  expect(second).toMatchObject({ ok: true, value: { found: ["red", '{"step":1}'] } });
});

test("an answer to another question asks again, and one of another kind is invalid", async () => {
  const other = await perform(asking, { query: "x" }, {}, aCall({ answers: { else: colour } }));
  expect(other).toMatchObject({ ok: false, questions: { reply: question } });

  const wrong = await perform(
    asking,
    { query: "x" },
    {},
    aCall({ answers: { reply: { kind: "model", text: "red" } } }),
  );
  expect(wrong).toMatchObject({
    failure: { kind: "invalid", message: "The answer 'reply' must be of the kind 'form'." },
  });
});

test("progress, log lines and notices reach optional listeners", async () => {
  const collected: unknown[] = [];
  const talking = running((_input, _state, call) => {
    call.progress(1, 2, "half");
    call.log("warn", "careful");
    call.announce({ topic: "documents.changed" });
    return { found: [] };
  });
  const call = aCall({
    onProgress: (...words) => collected.push(words),
    onLog: (...words) => collected.push(words),
    onNotice: (notice) => collected.push(notice),
  });

  await perform(talking, { query: "x" }, {}, call);
  expect(collected).toEqual([[1, 2, "half"], ["warn", "careful"], { topic: "documents.changed" }]);
  expect(await perform(talking, { query: "x" }, {}, aCall())).toMatchObject({ ok: true });
});

test("every call has a unique id", () => {
  expect(aCall().id).not.toBe(aCall().id);
});

test("calls other than operations are handled the same way", async () => {
  expect(await attemptCall(aCall(), async () => ({ value: 1, beside: 2 }))).toEqual({
    ok: true,
    value: 1,
    beside: 2,
  });
  const outcome = await attemptCall(aCall(), () => Promise.reject(new TypeError("oops")));
  expect(outcome).toMatchObject({ ok: false, failure: { kind: "internal" } });
});
