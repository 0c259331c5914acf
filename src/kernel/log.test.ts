import { expect, test } from "vitest";
import { type LogOptions, makeLog, readLogLine } from "./log.ts";

function logged(options: Partial<LogOptions>) {
  const lines: string[] = [];
  const log = makeLog({ level: "info", write: (line) => lines.push(line), ...options });
  return { log, lines };
}

test("[house.log.level] lines below the level are not written", () => {
  const { log, lines } = logged({ level: "warn" });
  for (const level of ["debug", "info", "warn", "error"] as const) log(level, level);
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["WARN", "ERROR"]);
});

test("a line has its time, its level, its words and its facts", () => {
  const { log, lines } = logged({});
  log("info", "took the lease", { call: "a b", ms: 1.5, none: undefined });
  expect(lines[0]).toMatch(/^\d{4}-\S+Z INFO took the lease call="a b" ms=1.5 none=undefined\n$/);
});

test("a line of another process keeps its level, and one of another form is told as it is", () => {
  const { log, lines } = logged({});
  log("error", "it broke", { ms: 1 });
  expect(readLogLine(lines[0]?.trimEnd() ?? "")).toEqual({
    level: "error",
    message: "it broke ms=1",
  });
  for (const message of [
    "printed",
    "",
    "ERROR at once",
    "2026-01-01T00:00:00.000Z mcp:protocol {}",
  ]) {
    expect(readLogLine(message)).toEqual({ level: "info", message });
  }
});

test("whatever is logged is one line, and an error brings its stack", () => {
  const { log, lines } = logged({});
  log("error", "two\r\nlines", { cause: new Error("deep\ndown"), text: "a\nb" });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toContain("\n");
  expect(lines[0]).toContain("log.test.ts");
});

test.each([
  ["mcp:protocol", ["mcp:protocol"]],
  ["mcp:*", ["mcp:protocol", "mcp:http"]],
  ["lectern:*", ["lectern:index"]],
  ["mcp:http, lectern:index", ["mcp:http", "lectern:index"]],
  ["*", ["mcp:protocol", "mcp:http", "lectern:index"]],
  ["express:*", []],
  [undefined, []],
])("[house.log.debug] DEBUG=%s traces its topics", (debug, expected) => {
  const { log, lines } = logged({ debug });
  const topics = ["mcp:protocol", "mcp:http", "lectern:index"];
  let made = 0;
  for (const topic of topics) {
    log.trace(topic, () => {
      made++;
      return "words";
    });
  }
  expect(lines.map((line) => line.split(" ")[1])).toEqual(expected);
  expect(made).toBe(expected.length);
});

test("[house.log.controls] no character of a line or a trace is obeyed by a terminal", () => {
  const hostile = "\x1b]0;owned\x07\x9b31m\x7f\b\u202etxt\u2028";
  const { log, lines } = logged({ debug: "mcp:*" });
  log("info", hostile, { [hostile]: hostile, cause: new Error(hostile) });
  log.trace("mcp:protocol", () => JSON.stringify({ hostile }) + hostile);

  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toContain("\\u001b]0;owned");
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  }
});
