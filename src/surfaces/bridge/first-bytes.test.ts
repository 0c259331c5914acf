import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Beginning, judgeBeginning } from "./first-bytes.ts";

const check = (text: string, expected: Beginning) =>
  expect([text, judgeBeginning(Buffer.from(text, "latin1"))]).toEqual([text, expected]);

test("[house.bridge.http] a request line of HTTP is foreign as soon as its target begins", () => {
  check("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "foreign");
  check("POST /mcp HTTP/1.1\r\n", "foreign");
  check("POST /", "foreign");
  check("OPTIONS * HTTP/1.1", "foreign");
  check("GET http://127.0.0.1:8080/ HTTP/1.1", "foreign");
  check("CONNECT localhost:8080 HTTP/1.1", "foreign");
  check("PRI * HTTP/2.0\r\n", "foreign");
  check("post /x", "foreign");
  check("\r\nPOST / HTTP/1.1", "foreign");
  check("GET  /", "foreign");
});

test("a hello of TLS is foreign", () => {
  check("\x16\x03\x01\x02", "foreign");
  check("\x16", "undecided");
  check("\x16{", "messages");
});

test("what may still become a request line is undecided, for a while", () => {
  for (const text of ["", "\n", "P", "POST", "POST ", "GET h", "GET htt", "GET https"]) {
    check(text, "undecided");
  }
  check("A".repeat(63), "undecided");
  check("A".repeat(64), "messages");
  check(" ".repeat(64), "messages");
});

test("everything else is taken for messages at once", () => {
  for (const text of [
    "{",
    '\n{"jsonrpc"',
    "[",
    "not json\n",
    "POST x",
    '"',
    "1",
    "\xef\xbb\xbf{",
    "\x00",
  ]) {
    check(text, "messages");
  }
});

test("a verdict, once given, is not changed by what comes after", () => {
  const beginnings = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.constantFrom("POST / HTTP", "{}", "GET"),
  );
  fc.assert(
    fc.property(beginnings, fc.string(), (text, more) => {
      const verdict = judgeBeginning(Buffer.from(text));
      if (verdict !== "undecided") expect(judgeBeginning(Buffer.from(text + more))).toBe(verdict);
    }),
  );
});
