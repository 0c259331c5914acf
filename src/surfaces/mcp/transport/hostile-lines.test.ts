import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonCases } from "../../../../tests/fixtures/inputs/json-cases.ts";
import { naughtyStrings } from "../../../../tests/fixtures/inputs/naughty-strings.ts";
import { call, type Line, openWire, request } from "../../../../tests/programs/wire.ts";

const { source: caseSource, cases } = jsonCases();
const { source: stringSource, strings } = naughtyStrings();

/** The answers to bytes sent between two pings; both pings must be answered. */
async function answersBetweenPings(bytes: Uint8Array): Promise<Line[]> {
  const wire = openWire();
  wire.input.write(request("before", "ping"));
  wire.input.write(bytes);
  wire.input.write(`\n${request("after", "ping")}`);
  await wire.answerTo("after");
  wire.input.end();
  await wire.transport.closed;
  for (const line of wire.lines) expectWellFormed(line);
  return wire.lines.filter(({ id }) => id !== "before" && id !== "after");
}

function expectWellFormed(line: Line): void {
  expect(line).toMatchObject({ jsonrpc: "2.0" });
  const kinds = ["result", "error", "method"].filter((member) => member in line);
  expect([line, kinds.length]).toEqual([line, 1]);
  if (line.error) {
    expect(line.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    expect(line).toHaveProperty("id");
  }
}

test(`[core.stdio.hostile] ${caseSource}: each is answered, and so is the message after it`, async () => {
  for (const { name, bytes } of cases) {
    const codes = (await answersBetweenPings(bytes)).map(({ error }) => error?.code);
    const lines = bytes.toString("latin1").split("\n");
    const isBlank = bytes.toString("latin1").trim() === "";
    if (name.startsWith("y_")) expect([name, codes]).toEqual([name, [-32600]]);
    else if (name.startsWith("n_") && lines.length === 1 && !isBlank)
      expect([name, codes]).toEqual([name, [-32700]]);
    else
      expect([name, codes.every((code) => code === -32600 || code === -32700)]).toEqual([
        name,
        true,
      ]);
  }
});

test(`[core.stdio.hostile] ${stringSource}: as method, id, tool and argument each is answered`, async () => {
  const wire = openWire();
  const wellFormed = strings.filter((text) => text.isWellFormed());
  for (const [index, text] of wellFormed.entries()) {
    const id = `${index} ${text}`;
    wire.input.write(request(`${id} method`, text));
    expect(await wire.answerTo(`${id} method`)).toMatchObject({ error: { code: -32601 } });
    wire.input.write(call(`${id} tool`, text, { text }));
    expect(await wire.answerTo(`${id} tool`)).toMatchObject({
      result: { content: [{ text: JSON.stringify({ text }) }] },
    });
    wire.input.write(request(`${id} params`, "ping", text));
    expect(await wire.answerTo(`${id} params`)).toMatchObject({ error: { code: -32602 } });
  }
  wire.input.end();
  await wire.transport.closed;
  for (const line of wire.lines) expectWellFormed(line);
  expect(wire.lines).toHaveLength(wellFormed.length * 3);
});

test("[core.stdio.hostile] after any bytes, a valid message is answered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await answersBetweenPings(bytes);
    }),
    { numRuns: 300 },
  );
});

test("[core.stdio.hostile] after any damaged message, a valid message is answered", async () => {
  const message = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "echo", arguments: { text: "é\n" }, _meta: { progressToken: 1 } },
  });
  const edit = fc.record({
    at: fc.nat(message.length),
    drop: fc.nat(4),
    add: fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "\n", "\\", "null", "-1", "\u0000"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const damaged = edits.reduce(
        (text, { at, drop, add }) => text.slice(0, at) + add + text.slice(at + drop),
        message,
      );
      await answersBetweenPings(Buffer.from(damaged));
    }),
    { numRuns: 500 },
  );
});

test("[core.stdio.hostile] a request of any shape is answered once or is a notification", async () => {
  const part = fc.option(fc.oneof(fc.jsonValue(), fc.constantFrom("2.0", "ping", "shutdown2", 1)), {
    nil: undefined,
  });
  const messages = fc.record({ jsonrpc: fc.constant("2.0"), id: part, method: part, params: part });
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      const answers = await answersBetweenPings(Buffer.from(JSON.stringify(message)));
      const isNotification = message.id === undefined && typeof message.method === "string";
      expect(answers).toHaveLength(isNotification ? 0 : 1);
    }),
    { numRuns: 500 },
  );
});
