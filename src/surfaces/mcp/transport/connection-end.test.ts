import { PassThrough, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { answersTo, call, openWire, request } from "../../../../tests/programs/wire.ts";

/** Longer than the timeout of a test. */
const endlessMs = 600_000;

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("[core.stdio.shutdown] shutdown is answered, running calls finish, and the server ends although input is still open", async () => {
  const wire = openWire();
  wire.input.write(call(1, "slow", { ms: 150 }) + request(2, "shutdown") + request(3, "ping"));
  await wire.transport.closed;

  expect(wire.lines).toMatchObject([
    { id: 2, result: {} },
    { id: 3, error: { code: -32600, message: expect.stringMatching(/shutting down/) } },
    { id: 1, result: { content: [{ text: "done" }] } },
  ]);
  expect(wire.input.destroyed).toBe(true);
});

test("shutdown does not exist in the stateless protocol", async () => {
  const wire = openWire();
  wire.input.write(request(1, "shutdown", { _meta: modern }));

  expect(await wire.answerTo(1)).toMatchObject({ error: { code: -32601 } });
  wire.input.write(request(2, "tools/list", { _meta: modern }));
  expect(await wire.answerTo(2)).toMatchObject({ result: {} });
  wire.input.end();
  await wire.transport.closed;
});

test("[core.stdio.drain] calls still running at the end of input are answered", async () => {
  const answers = await answersTo(call(1, "slow", { ms: 200 }) + call(2, "slow", { ms: 100 }));

  expect(answers.map(({ id }) => id)).toEqual([2, 1]);
});

test("calls that share an id are each answered before the end", async () => {
  const answers = await answersTo(call(1, "slow", { ms: 20 }) + call(1, "slow", { ms: 200 }));

  expect(answers).toMatchObject([{ id: 1 }, { id: 1 }]);
});

test("ids of equal text and different type are two requests", async () => {
  const answers = await answersTo(call(1, "slow", { ms: 200 }) + call("1", "slow", { ms: 20 }));

  expect(answers.map(({ id }) => id)).toEqual(["1", 1]);
});

test("a cancelled call is not waited for, another with the same id is", async () => {
  const cancel = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })}\n`;

  expect(await answersTo(call(1, "slow", { ms: endlessMs }) + cancel)).toEqual([]);
  const both = call(1, "slow", { ms: 300 }) + call(1, "slow", { ms: 10 }) + cancel;
  expect(await answersTo(both)).toMatchObject([{ id: 1 }]);
});

test("a subscription does not delay the end, and is notified of it", async () => {
  const listen = { _meta: modern, notifications: { toolsListChanged: true } };
  const answers = await answersTo(request("s", "subscriptions/listen", listen));

  expect(answers).toMatchObject([
    { method: "notifications/subscriptions/acknowledged" },
    { id: "s", result: { resultType: "complete" } },
  ]);
});

test("[core.stdio.drain] an endless call is abandoned at the time limit", async () => {
  const answers = await answersTo(call(1, "slow", { ms: endlessMs }), { drainMs: 100 });

  expect(answers).toEqual([]);
});

test("a client's answers are still read while the server shuts down", async () => {
  const wire = openWire();
  wire.input.write(request(1, "initialize", { capabilities: { elicitation: {} } }));
  wire.input.write(call(2, "ask"));
  const asked = await wire.next((line) => line.method === "elicitation/create");
  wire.input.write(request(3, "shutdown"));
  await wire.answerTo(3);
  wire.input.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: { action: "decline" } })}\n`,
  );
  await wire.transport.closed;

  expect(await wire.answerTo(2)).toMatchObject({ result: {} });
});

test("[core.stdio.drain] the last answer reaches a slow client", async () => {
  const taken: string[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      taken.push(chunk.toString());
      setTimeout(done, 800);
    },
  });
  const wire = openWire({ output });
  wire.input.end(request(1, "ping") + request(2, "ping") + request(3, "ping"));
  await wire.transport.closed;

  expect(taken.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3]);
});

test("[core.stdio.broken-pipe] a broken output pipe ends the connection silently", async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) =>
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
  });
  const wire = openWire({ output });
  wire.input.write(call(1, "slow", { ms: endlessMs }) + request(2, "ping"));
  await wire.transport.closed;

  expect(wire.errors).toEqual([]);
  expect(wire.input.destroyed).toBe(true);
});

test("an unobserved end is not waited for", async () => {
  const output = new Writable({ highWaterMark: 1, write: () => {} });
  const wire = openWire({ output, drainMs: 100 });
  wire.input.end(request(1, "ping"));

  await expect(wire.transport.closed).resolves.toBeUndefined();
});

test("input that ended before the start counts as ended", async () => {
  const input = new PassThrough();
  input.end();
  input.resume();
  await delay(10);
  const wire = openWire({ input });

  await wire.transport.closed;
});
