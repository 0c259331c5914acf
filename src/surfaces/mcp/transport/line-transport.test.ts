import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { answersTo, call, lineQueue, openWire, request } from "../../../../tests/programs/wire.ts";

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const parseError = { code: -32700, message: "Parse error" };

test("[core.stdio.parse-error] invalid JSON is answered -32700 with a null id", async () => {
  expect(await answersTo("not json\n")).toEqual([{ jsonrpc: "2.0", id: null, error: parseError }]);
});

test("[core.stdio.strict-ids] an unreadable id can be left out of the error", async () => {
  expect(await answersTo("not json\n", { strictIds: true })).toEqual([
    { jsonrpc: "2.0", error: parseError },
  ]);
});

test("[core.stdio.invalid-request] an invalid request is answered -32600, with its id if it has one", async () => {
  const check = async (sent: unknown, id: string | number | null, words: RegExp) => {
    const answers = await answersTo(`${JSON.stringify(sent)}\n`);
    expect([sent, answers]).toEqual([
      sent,
      [{ jsonrpc: "2.0", id, error: { code: -32600, message: expect.stringMatching(words) } }],
    ]);
  };

  await check({ jsonrpc: "2.0", id: 5 }, 5, /'method'/);
  await check({ jsonrpc: "2.0", id: "five", params: {} }, "five", /'method'/);
  await check({ jsonrpc: "2.0", id: 5, method: 7 }, 5, /'method'/);
  await check({ jsonrpc: "2.0", id: 5, method: null }, 5, /'method'/);
  await check({ jsonrpc: "2.0" }, null, /'method'/);
  await check({ id: 5, method: "ping" }, 5, /'jsonrpc'/);
  await check({ jsonrpc: "1.0", id: 5, method: "ping" }, 5, /'jsonrpc'/);
  await check({ jsonrpc: 2, id: 5, method: "ping" }, 5, /'jsonrpc'/);
  await check({}, null, /'jsonrpc'/);
  for (const id of [null, true, {}, [], [1], 1.5, 2 ** 60]) {
    await check({ jsonrpc: "2.0", id, method: "ping" }, null, /'id'/);
  }
  for (const scalar of [42, "x", null, true]) await check(scalar, null, /object/);
});

test("[core.stdio.batch] a batch is answered once, with -32600", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  for (const batch of [[], [ping], [ping, ping], [1, 2]]) {
    const answers = await answersTo(`${JSON.stringify(batch)}\n`);
    expect(answers).toEqual([
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: expect.stringMatching(/batch/) },
      },
    ]);
  }
});

test("a request whose params are not an object is answered -32602 with its id", async () => {
  for (const params of [[], [1], "x", 7, true, { _meta: 1 }, { _meta: { progressToken: 1.5 } }]) {
    const answers = await answersTo(request(1, "ping", params));
    expect([params, answers]).toEqual([
      params,
      [
        {
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32602, message: expect.stringMatching(/params/) },
        },
      ],
    ]);
  }
});

test("a request with null params or unknown members is answered", async () => {
  const [one, other] = await answersTo(
    `${request(1, "ping", null)}{"jsonrpc":"2.0","id":2,"method":"ping","trace":7,"__proto__":1}\n`,
  );
  expect([one, other]).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: {} },
  ]);
});

test("[core.stdio.unknown-method] an unknown method is answered -32601", async () => {
  for (const method of ["nope", "", "constructor", "toString", "__proto__"]) {
    const [answer] = await answersTo(request(1, method));
    expect([method, answer]).toMatchObject([method, { id: 1, error: { code: -32601 } }]);
  }
});

test("a notification is never answered, whatever is wrong with it", async () => {
  const lines = [
    { jsonrpc: "2.0", method: "nope" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: [1] },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
    { jsonrpc: "2.0", method: "ping" },
  ];
  expect(await answersTo(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))).toEqual([]);
});

test("a response is never answered, so that two strict peers do not loop", async () => {
  const lines = [
    { jsonrpc: "2.0", id: null, error: parseError },
    { jsonrpc: "2.0", error: parseError },
    { jsonrpc: "2.0", id: 99, result: {} },
    { jsonrpc: "2.0", id: {}, result: 5 },
    { jsonrpc: "2.0", id: 1, error: "words" },
  ];
  expect(await answersTo(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))).toEqual([]);
});

test("[core.stdio.initialize] initialize with missing or invalid params is answered with the default version", async () => {
  const check = async (params: unknown, version = "2025-11-25") => {
    const [answer] = await answersTo(request(1, "initialize", params));
    expect([params, answer]).toMatchObject([
      params,
      { id: 1, result: { protocolVersion: version, serverInfo: { name: "small" } } },
    ]);
  };

  await check({});
  await check(undefined);
  await check(null);
  await check([]);
  await check("x");
  await check({ protocolVersion: 7, capabilities: [], clientInfo: "me" });
  await check({ protocolVersion: "2024-11-05" }, "2024-11-05");
  await check({ protocolVersion: "2025-06-18", clientInfo: { name: 1 } }, "2025-06-18");
  await check(
    { protocolVersion: "2025-03-26", capabilities: { roots: 5 }, _meta: 3 },
    "2025-03-26",
  );
  await check({ protocolVersion: "1999-01-01" });
});

test("capabilities nested too deeply for a schema are ignored", async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const line = request(1, "initialize", { capabilities: { experimental: "deep" } });

  expect(await answersTo(line.replace('"deep"', deep))).toMatchObject([
    { id: 1, result: { protocolVersion: "2025-11-25" } },
  ]);
});

test("valid values of initialize are kept", async () => {
  const wire = openWire();
  wire.input.write(
    request(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: { elicitation: {} },
      clientInfo: { version: 3 },
    }),
  );
  await wire.answerTo(1);
  wire.input.write(call(2, "ask"));

  expect(await wire.next((line) => line.method === "elicitation/create")).toBeDefined();
  wire.input.end();
  await wire.transport.closeGracefully();
});

test("[core.stdio.initialized] a minimal initialized message is accepted, and answered only if it has an id", async () => {
  const start = request(1, "initialize", {});
  const answers = async (line: object) =>
    (await answersTo(`${start}${JSON.stringify(line)}\n`)).slice(1);

  expect(await answers({ jsonrpc: "2.0", method: "initialized" })).toEqual([]);
  expect(await answers({ jsonrpc: "2.0", method: "notifications/initialized" })).toEqual([]);
  expect(
    (await answersTo(`${start}${request(2, "initialized")}`)).find(({ id }) => id === 2),
  ).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: {},
  });
});

test("[core.stdio.no-handshake] requests before initialize are served", async () => {
  expect(await answersTo(request(1, "ping"))).toMatchObject([{ id: 1, result: {} }]);
  expect(await answersTo(call("a", "echo", { x: 1 }))).toMatchObject([
    { id: "a", result: { content: [{ text: '{"x":1}' }] } },
  ]);
  expect(await answersTo(request(1, "tools/list") + request(2, "initialize", {}))).toMatchObject([
    { id: 1, result: { tools: [] } },
    { id: 2, result: { protocolVersion: "2025-11-25" } },
  ]);
});

test("the stateless protocol is served on the same connection", async () => {
  const [discovered, listed] = await answersTo(
    request(1, "server/discover", { _meta: modern }) + request(2, "tools/list", { _meta: modern }),
  );
  expect(discovered).toMatchObject({ id: 1, result: { supportedVersions: ["2026-07-28"] } });
  expect(listed).toMatchObject({ id: 2, result: { tools: [], resultType: "complete" } });
});

test("a client's answers reach the call that asked", async () => {
  const wire = openWire();
  wire.input.write(request(1, "initialize", { capabilities: { elicitation: {} } }));
  wire.input.write(call(2, "ask"));
  const asked = await wire.next((line) => line.method === "elicitation/create");
  wire.input.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: { action: "decline" } })}\n`,
  );

  expect(await wire.answerTo(2)).toMatchObject({
    result: { content: [{ text: expect.stringMatching(/decline/) }] },
  });
  wire.input.end();
  await wire.transport.closed;
});

test("[core.stdio.throw] an exception in a tool fails only its own call", async () => {
  expect(await answersTo(call(1, "throw") + call(2, "echo"))).toMatchObject([
    { id: 1, error: { code: -32603 } },
    { id: 2, result: {} },
  ]);
});

test("an answer that cannot be serialized becomes an error", async () => {
  expect(await answersTo(call(1, "deep") + call(2, "echo"))).toMatchObject([
    { id: 1, error: { code: -32603 } },
    { id: 2, result: {} },
  ]);
});

test("[core.stdio.limit] a line over the limit is answered -32600 and the next is served", async () => {
  const long = call(1, "echo", { text: "x".repeat(2_000) });

  expect(await answersTo(long + request(2, "ping"), { limit: 1_000 })).toMatchObject([
    { id: null, error: { code: -32600, message: expect.stringMatching(/1000 bytes/) } },
    { id: 2, result: {} },
  ]);
});

test("each outgoing message is one line", async () => {
  const text = "one\ntwo\r\nthree\u2028four";
  const wire = openWire();
  let written = "";
  wire.output.on("data", (piece: string) => {
    written += piece;
  });
  wire.input.end(call("a\nb", "echo", { text }));
  await wire.transport.closed;

  expect(written.match(/\n/g)).toHaveLength(1);
  expect(wire.lines).toMatchObject([
    { id: "a\nb", result: { content: [{ text: JSON.stringify({ text }) }] } },
  ]);
});

test("[core.stdio.trace] every message is traced as sent, after the hook changed it", async () => {
  const traced: string[] = [];
  const lines = await answersTo(`${request(1, "ping")}bad\n`, {
    trace: (direction, line) => traced.push(`${direction} ${line}`),
    transformOutgoing: (message) =>
      "result" in message ? { ...message, result: { changed: true } } : message,
  });

  expect(lines).toContainEqual({ jsonrpc: "2.0", id: 1, result: { changed: true } });
  expect(traced).toContain('in {"jsonrpc":"2.0","id":1,"method":"ping"}');
  expect(traced).toContain("in bad");
  expect(
    traced.filter((line) => line.startsWith("out ")).map((line) => JSON.parse(line.slice(4))),
  ).toEqual(lines);
});

test("[core.stdio.concurrency] many concurrent requests run a few at a time, and all are answered", async () => {
  const wire = openWire();
  for (let id = 1; id <= 300; id++) wire.input.write(call(id, "slow", { ms: 5 }));
  wire.input.end();
  await wire.transport.closed;

  expect(wire.lines).toHaveLength(300);
});

test("[core.stdio.concurrency] output waits for a client that does not read, and is complete once it does", async () => {
  const output = new PassThrough({ highWaterMark: 1_000 });
  const wire = openWire({ output, limit: 20_000 });
  const text = "x".repeat(5_000);
  for (let id = 1; id <= 100; id++) {
    wire.input.write(call(id, "echo", { text }));
    await delay(1);
  }
  expect(output.writableLength).toBeLessThan(50_000);

  const { lines } = lineQueue(output);
  wire.input.end();
  await wire.transport.closed;
  expect(lines.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
});
