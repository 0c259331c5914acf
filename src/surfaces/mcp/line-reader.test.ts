import { setTimeout as delay } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type LineReaderOptions, lineReader, type Reading } from "./line-reader.ts";

/** A reader, and what it has read so far: values as they are, the rest by its kind. */
function reading(options: Partial<LineReaderOptions> = {}) {
  const seen: unknown[] = [];
  const read = (found: Reading) => seen.push(found.kind === "json" ? found.value : found.kind);
  const reader = lineReader({ limit: 1_000, silenceMs: 10_000, ...options, read });
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

test("[house.stdio.lines] each line is a message, and blank lines and carriage returns are skipped", () => {
  expect(readAll('\n{"a":1}\n\n  \t\n{"a":2}\r\n\r\n[3]\n"four"\nnull\n')).toEqual([
    { a: 1 },
    { a: 2 },
    [3],
    "four",
    null,
  ]);
});

test("a last line needs no line end", () => {
  expect(readAll('{"a":1}\n{"a":2}')).toEqual([{ a: 1 }, { a: 2 }]);
});

test("a byte order mark is taken off the beginning of the stream and nowhere else", () => {
  expect(readAll('\ufeff{"a":1}\n\ufeff{"a":2}\n')).toEqual([{ a: 1 }, "unparseable"]);
});

test("letters of several bytes may be cut anywhere", () => {
  const { seen, reader } = reading();
  for (const byte of Buffer.from('{"a":"žluť 🐎 語"}\n')) reader.push(Uint8Array.of(byte));

  expect(seen).toEqual([{ a: "žluť 🐎 語" }]);
});

test("bytes that are not UTF-8 are refused, not replaced", () => {
  expect(readAll(Buffer.from('{"a":"é"}\n{"a":1}\n', "latin1"))).toEqual(["unparseable", { a: 1 }]);
});

test("chunks do not matter: any cut of any stream is read alike", () => {
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
  fc.assert(
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

test("[house.stdio.limit] a line of the limit is read, one byte more is refused, and the next is read", () => {
  const line = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;

  expect(readAll(`${line(100)}\n1\n`, { limit: 100 })).toEqual(["x".repeat(98), 1]);
  expect(readAll(`${line(100)}\r\n1\n`, { limit: 100 })).toEqual(["x".repeat(98), 1]);
  expect(readAll(`${line(101)}\n1\n`, { limit: 100 })).toEqual(["too-long", 1]);
  expect(readAll(`${line(101)}\r\n1\n`, { limit: 100 })).toEqual(["too-long", 1]);
  expect(readAll(`${line(500)}\n1\n`, { limit: 100 })).toEqual(["too-long", 1]);
  expect(readAll(line(500), { limit: 100 })).toEqual(["too-long"]);
});

test("a line that is too long is told of once, while it still comes", () => {
  const { seen, push } = reading({ limit: 100 });
  for (let piece = 0; piece < 50; piece++) push("x".repeat(10));

  expect(seen).toEqual(["too-long"]);
  push('\n{"a":1}\n');
  expect(seen).toEqual(["too-long", { a: 1 }]);
});

test("a long line in small pieces is copied once, not again with each piece", () => {
  const { seen, reader } = reading({ limit: 2 ** 26 });
  const begin = performance.now();
  reader.push(Buffer.from('"'));
  const piece = Buffer.alloc(64, "x");
  for (let count = 0; count < 2 ** 19; count++) reader.push(piece);
  reader.push(Buffer.from('"\n'));

  expect(String(seen[0]).length).toBe(2 ** 25);
  // Joining with each piece would copy eight million megabytes.
  expect(performance.now() - begin).toBeLessThan(20_000);
});

test("[house.stdio.spread] a message may be spread over lines", () => {
  const value = { ...ping, params: { list: [1, { deep: [] }], text: "a\nb", none: null } };
  const pretty = JSON.stringify(value, null, 2);

  expect(readAll(`${pretty}\n${pretty}\n${pingLine}\n`)).toEqual([value, value, ping]);
  expect(readAll(`${pretty.replaceAll("\n", "\r\n\r\n")}\r\n`)).toEqual([value]);
  expect(readAll('{"jsonrpc":"2.0","id":1,"method":"x","params":\n{"a":1}\n}\n')).toEqual([
    { jsonrpc: "2.0", id: 1, method: "x", params: { a: 1 } },
  ]);
});

test("[house.stdio.spread] a spread message fails at the first character that cannot follow", () => {
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

test("a list may be spread too, so that whoever sends a batch hears what is wrong with it", () => {
  expect(readAll(`${JSON.stringify([ping, ping], null, 2)}\n`)).toEqual([[ping, ping]]);
});

test("text and literals do not wait for a next line", () => {
  const { seen, push } = reading();
  push('"x\n');
  push("tru\n");

  expect(seen).toEqual(["unparseable", "unparseable"]);
});

test("[house.stdio.spread] a spread message fails at the end of input", () => {
  expect(readAll('{"a":\n')).toEqual(["unparseable"]);
  expect(readAll('{"a":\n1')).toEqual(["unparseable"]);
});

test("[house.stdio.spread] a whole message after an unfinished one is read, and the other fails once", () => {
  const { seen, push } = reading();
  push(`{"a":\n[1,\n${pingLine}\n`);

  expect(seen).toEqual(["unparseable", ping]);
});

test("the line that cannot follow may begin the next message", () => {
  const { seen, push } = reading();
  push(`{"a":1,\n${JSON.stringify(ping, null, 2)}\n`);

  expect(seen).toEqual(["unparseable", ping]);
});

test("[house.stdio.spread] a spread message fails after a silence, and what comes later is read", async () => {
  const { seen, push } = reading({ silenceMs: 60 });
  push('{"a":\n');
  await delay(20);
  expect(seen).toEqual([]);
  await delay(400);
  expect(seen).toEqual(["unparseable"]);

  push(`${pingLine}\n`);
  expect(seen).toEqual(["unparseable", ping]);
});

test("a line that has no end yet is not silence's to judge", async () => {
  const { seen, push } = reading({ silenceMs: 20 });
  push('{"a":');
  await delay(200);
  push("1}\n");

  expect(seen).toEqual([{ a: 1 }]);
});

test("a silence between a message and half of the next leaves that half alone", async () => {
  const { seen, push } = reading({ silenceMs: 20 });
  push(`{"a":\n${pingLine.slice(0, 10)}`);
  await delay(200);
  push(`${pingLine.slice(10)}\n`);

  expect(seen).toEqual(["unparseable", ping]);
});

test("the lines of a spread message together are bound by the limit", () => {
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

test("nesting that the parser would pay for dearly is refused before it is parsed", () => {
  const open = "[".repeat(2 ** 21);

  expect(readAll(`${open}\n1\n`, { limit: 2 ** 26 })).toEqual(["unparseable", 1]);
  expect(readAll(`{"a":${open}\n${pingLine}\n`, { limit: 2 ** 26 })).toEqual(["unparseable", ping]);
});

test("a line of spaces costs nothing but its time", () => {
  expect(readAll(`${" ".repeat(2 ** 24)}\n1\n`, { limit: 2 ** 26 })).toEqual([1]);
});

test("nothing is read once it is closed", () => {
  const { seen, reader, push } = reading();
  push('{"a":\n');
  reader.close();
  push("1}\n");
  reader.end();

  expect(seen).toEqual([]);
});
