import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type DetectedProtocol, detectProtocol } from "./protocol-sniffer.ts";

const check = (text: string, expected: DetectedProtocol) =>
  expect([text, detectProtocol(Buffer.from(text, "latin1"))]).toEqual([text, expected]);

test("[core.bridge.http] an HTTP request line is detected as soon as its target begins", () => {
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

test("a TLS hello is foreign", () => {
  check("\x16\x03\x01\x02", "foreign");
  check("\x16", "undecided");
  check("\x16{", "messages");
});

test("input that may still become a request line is undecided, for a while", () => {
  for (const text of ["", "\n", "P", "POST", "POST ", "GET h", "GET htt", "GET https"]) {
    check(text, "undecided");
  }
  check("A".repeat(63), "undecided");
  check("A".repeat(64), "messages");
  check(" ".repeat(64), "messages");
});

test("everything else is treated as messages immediately", () => {
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

test("later input does not change a verdict", async () => {
  const beginnings = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.constantFrom("POST / HTTP", "{}", "GET"),
  );
  await fc.assert(
    fc.property(beginnings, fc.string(), (text, more) => {
      const verdict = detectProtocol(Buffer.from(text));
      if (verdict !== "undecided") expect(detectProtocol(Buffer.from(text + more))).toBe(verdict);
    }),
  );
});
