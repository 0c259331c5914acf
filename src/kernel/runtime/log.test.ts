import { expect, test } from "vitest";
import { createLog, type LogOptions, parseLogLine } from "./log.ts";

function logged(options: Partial<LogOptions>) {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => lines.push(line), ...options });
  return { log, lines };
}

test("[core.log.level] lines below the log level are not written", () => {
  const { log, lines } = logged({ level: "warn" });
  for (const level of ["debug", "info", "warn", "error"] as const) log(level, level);
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["WARN", "ERROR"]);
});

test("a line has time, level, message and fields", () => {
  const { log, lines } = logged({});
  log("info", "took the lease", { call: "a b", ms: 1.5, none: undefined });
  expect(lines[0]).toMatch(/^\d{4}-\S+Z INFO took the lease call="a b" ms=1.5 none=undefined\n$/);
});

test("a line of another process keeps its level, and one in another format is logged unchanged", () => {
  const { log, lines } = logged({});
  log("error", "it broke", { ms: 1 });
  expect(parseLogLine(lines[0]?.trimEnd() ?? "")).toEqual({
    level: "error",
    message: "it broke ms=1",
  });
  for (const message of [
    "printed",
    "",
    "ERROR at once",
    "2026-01-01T00:00:00.000Z mcp:protocol {}",
  ]) {
    expect(parseLogLine(message)).toEqual({ level: "info", message });
  }
});

test("every log entry is one line, and an error includes its stack", () => {
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
])("[core.log.debug] DEBUG=%s traces its topics", (debug, expected) => {
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

test("[core.log.controls] log lines and traces contain no characters that a terminal interprets", () => {
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
