import { setTimeout as delay } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../../../tests/fixtures/cpu-time.ts";
import { createLineReader, type LineReaderOptions, type LineResult } from "./line-reader.ts";

/** A reader, and its results so far: values unchanged, the rest by kind. */
function reading(options: Partial<LineReaderOptions> = {}) {
  const seen: unknown[] = [];
  const onLine = (found: LineResult) => seen.push(found.kind === "json" ? found.value : found.kind);
  const reader = createLineReader({
    limit: 1_000,
    continuationTimeoutMs: 10_000,
    ...options,
    onLine,
  });
  return { seen, reader, push: (text: string) => reader.push(Buffer.from(text)) };
}

function readAll(text: string | Uint8Array, options: Partial<LineReaderOptions> = {}): unknown[] {
  const { seen, reader } = reading(options);
  reader.push(typeof text === "string" ? Buffer.from(text) : text);
  reader.end();
  return seen;
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const pingLine = JSON.stringify(ping);

test("[core.stdio.lines] each line is a message; blank lines and carriage returns are skipped", () => {
  expect(readAll('\n{"a":1}\n\n  \t\n{"a":2}\r\n\r\n[3]\n"four"\nnull\n')).toEqual([
    { a: 1 },
    { a: 2 },
    [3],
    "four",
    null,
  ]);
});

test("the last line needs no newline", () => {
  expect(readAll('{"a":1}\n{"a":2}')).toEqual([{ a: 1 }, { a: 2 }]);
});

test("a byte order mark is removed only at the start of the stream", () => {
  expect(readAll('\ufeff{"a":1}\n\ufeff{"a":2}\n')).toEqual([{ a: 1 }, "unparseable"]);
});

test("multi-byte characters may be split anywhere", () => {
  const { seen, reader } = reading();
  for (const byte of Buffer.from('{"a":"žluť 🐎 語"}\n')) reader.push(Uint8Array.of(byte));

  expect(seen).toEqual([{ a: "žluť 🐎 語" }]);
});

test("bytes that are not UTF-8 are refused, not replaced", () => {
  expect(readAll(Buffer.from('{"a":"é"}\n{"a":1}\n', "latin1"))).toEqual(["unparseable", { a: 1 }]);
});

test("any split of a stream into chunks is read the same way", async () => {
  const pieces = [
    pingLine,
    "{",
    "}",
    '{"a":',
    "1",
    '"x"',
    "\n",
    "\r\n",
    " ",
    "[",
    "é",
    "\ufeff",
    "bad",
  ];
  const streams = fc
    .array(fc.constantFrom(...pieces), { maxLength: 30 })
    .map((all) => all.join(""));
  await fc.assert(
    fc.property(streams, fc.array(fc.nat(), { maxLength: 5 }), (stream, cuts) => {
      const bytes = Buffer.from(stream);
      const { seen, reader } = reading({ limit: 60 });
      let from = 0;
      for (const to of cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)) {
        reader.push(bytes.subarray(from, to));
        from = to;
      }
      reader.push(bytes.subarray(from));
      reader.end();
      expect(seen).toEqual(readAll(stream, { limit: 60 }));
    }),
    { numRuns: 2_000 },
  );
});

test("[core.stdio.limit] a line at the limit is read, one byte more is refused, and the next line is read", () => {
  const line = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;

  expect(readAll(`${line(100)}\n1\n`, { limit: 100 })).toEqual(["x".repeat(98), 1]);
  expect(readAll(`${line(100)}\r\n1\n`, { limit: 100 })).toEqual(["x".repeat(98), 1]);
  expect(readAll(`${line(101)}\n1\n`, { limit: 100 })).toEqual(["too-long", 1]);
  expect(readAll(`${line(101)}\r\n1\n`, { limit: 100 })).toEqual(["too-long", 1]);
  expect(readAll(`${line(500)}\n1\n`, { limit: 100 })).toEqual(["too-long", 1]);
  expect(readAll(line(500), { limit: 100 })).toEqual(["too-long"]);
});

test("a line that is too long is reported once, while it is still arriving", () => {
  const { seen, push } = reading({ limit: 100 });
  for (let piece = 0; piece < 50; piece++) push("x".repeat(10));

  expect(seen).toEqual(["too-long"]);
  push('\n{"a":1}\n');
  expect(seen).toEqual(["too-long", { a: 1 }]);
});

test("a long line in small pieces is copied once, not with each piece", () => {
  const { seen, reader } = reading({ limit: 2 ** 26 });
  const begin = cpuMs();
  reader.push(Buffer.from('"'));
  const piece = Buffer.alloc(64, "x");
  for (let count = 0; count < 2 ** 19; count++) reader.push(piece);
  reader.push(Buffer.from('"\n'));

  expect(String(seen[0]).length).toBe(2 ** 25);
  // Concatenating each piece would copy eight terabytes.
  expect(cpuMs() - begin).toBeLessThan(20_000);
});

test("[core.stdio.multi-line] a message may span several lines", () => {
  const value = { ...ping, params: { list: [1, { deep: [] }], text: "a\nb", none: null } };
  const pretty = JSON.stringify(value, null, 2);

  expect(readAll(`${pretty}\n${pretty}\n${pingLine}\n`)).toEqual([value, value, ping]);
  expect(readAll(`${pretty.replaceAll("\n", "\r\n\r\n")}\r\n`)).toEqual([value]);
  expect(readAll('{"jsonrpc":"2.0","id":1,"method":"x","params":\n{"a":1}\n}\n')).toEqual([
    { jsonrpc: "2.0", id: 1, method: "x", params: { a: 1 } },
  ]);
});

test("[core.stdio.multi-line] a multi-line message fails at the first invalid character", () => {
  const { seen, push } = reading();
  push("{bad\n");
  expect(seen).toEqual(["unparseable"]);
  push('{"a":1,\n');
  expect(seen).toEqual(["unparseable"]);
  push("oops\n");
  expect(seen).toEqual(["unparseable", "unparseable"]);
  push('{"a":"an open string\n');
  expect(seen).toEqual(["unparseable", "unparseable", "unparseable"]);
});

test("a batch may span lines too, so that its sender gets the error", () => {
  expect(readAll(`${JSON.stringify([ping, ping], null, 2)}\n`)).toEqual([[ping, ping]]);
});

test("strings and literals do not wait for another line", () => {
  const { seen, push } = reading();
  push('"x\n');
  push("tru\n");

  expect(seen).toEqual(["unparseable", "unparseable"]);
});

test("[core.stdio.multi-line] a multi-line message fails at the end of input", () => {
  expect(readAll('{"a":\n')).toEqual(["unparseable"]);
  expect(readAll('{"a":\n1')).toEqual(["unparseable"]);
});

test("[core.stdio.multi-line] a complete message after an unfinished one is read, and the unfinished one fails once", () => {
  const { seen, push } = reading();
  push(`{"a":\n[1,\n${pingLine}\n`);

  expect(seen).toEqual(["unparseable", ping]);
});

test("a line that cannot continue the message may start the next", () => {
  const { seen, push } = reading();
  push(`{"a":1,\n${JSON.stringify(ping, null, 2)}\n`);

  expect(seen).toEqual(["unparseable", ping]);
});

test("[core.stdio.multi-line] a multi-line message times out, and later input is read", async () => {
  const { seen, push } = reading({ continuationTimeoutMs: 60 });
  push('{"a":\n');
  await delay(20);
  expect(seen).toEqual([]);
  await delay(400);
  expect(seen).toEqual(["unparseable"]);

  push(`${pingLine}\n`);
  expect(seen).toEqual(["unparseable", ping]);
});

test("an incomplete line does not time out", async () => {
  const { seen, push } = reading({ continuationTimeoutMs: 20 });
  push('{"a":');
  await delay(200);
  push("1}\n");

  expect(seen).toEqual([{ a: 1 }]);
});

test("a timeout between a message and part of the next keeps that part", async () => {
  const { seen, push } = reading({ continuationTimeoutMs: 20 });
  push(`{"a":\n${pingLine.slice(0, 10)}`);
  await delay(200);
  push(`${pingLine.slice(10)}\n`);

  expect(seen).toEqual(["unparseable", ping]);
});

test("the size limit applies to all lines of a message together", () => {
  const { seen, push } = reading({ limit: 100 });
  push('{"a":[\n');
  for (let line = 0; line < 20; line++) push("1234567,\n");
  expect(seen[0]).toBe("too-long");

  const { seen: others, push: pushOther } = reading({ limit: 100 });
  pushOther(`{"a":\n"${"x".repeat(200)}`);
  expect(others).toEqual(["too-long"]);
  pushOther(`"}\n${pingLine}\n`);
  expect(others).toEqual(["too-long", ping]);
});

test("nesting that is expensive to parse is refused before parsing", () => {
  const open = "[".repeat(2 ** 21);

  expect(readAll(`${open}\n1\n`, { limit: 2 ** 26 })).toEqual(["unparseable", 1]);
  expect(readAll(`{"a":${open}\n${pingLine}\n`, { limit: 2 ** 26 })).toEqual(["unparseable", ping]);
});

test("a line of spaces is skipped in linear time", () => {
  expect(readAll(`${" ".repeat(2 ** 24)}\n1\n`, { limit: 2 ** 26 })).toEqual([1]);
});

test("nothing is read after closing", () => {
  const { seen, reader, push } = reading();
  push('{"a":\n');
  reader.close();
  push("1}\n");
  reader.end();

  expect(seen).toEqual([]);
});
