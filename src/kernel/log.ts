import { Failure } from "./failure.ts";

/** Levels by the founding documents' names; `warn` is `warning` on the MCP wire. */
export const logLevels = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof logLevels)[number];

export interface Log {
  (level: LogLevel, message: string, facts?: Record<string, unknown>): void;
  /**
   * A trace that is silent unless `DEBUG` names its topic (`mcp:protocol`, `lectern:index`), or it
   * is a message of the protocol and the level is `debug`.
   */
  trace(topic: string, message: () => string): void;
}

export interface LogOptions {
  level: LogLevel;
  /** The value of `DEBUG`: topics by comma, with `*` for the rest of a name. */
  debug?: string | undefined;
  write: (line: string) => void;
}

/** Logs go to one writer, a line each; in the program that is stderr, since stdout is the protocol's. */
export function makeLog({ level, debug, write }: LogOptions): Log {
  const least = logLevels.indexOf(level);
  const named = (debug ?? "").split(/[\s,]+/).filter(Boolean);
  // The lowest level tells every message whole, whatever `DEBUG` says.
  const topics = level === "debug" ? [...named, "mcp:protocol"] : named;
  const line = (words: string) => write(`${new Date().toISOString()} ${oneLine(words)}\n`);
  const log = (at: LogLevel, message: string, facts: Record<string, unknown> = {}): void => {
    if (logLevels.indexOf(at) < least) return;
    const details = Object.entries(facts).map(([key, value]) => ` ${key}=${format(value)}`);
    line(`${at.toUpperCase()} ${message}${details.join("")}`);
  };
  const trace = (topic: string, message: () => string): void => {
    if (!topics.some((pattern) => matches(pattern, topic))) return;
    line(`${topic} ${message()}`);
  };
  return Object.assign(log, { trace });
}

function matches(pattern: string, topic: string): boolean {
  return pattern.endsWith("*") ? topic.startsWith(pattern.slice(0, -1)) : pattern === topic;
}

function format(value: unknown): string {
  // A failure that was foreseen says all in its message; only an accident needs its trace.
  const isAccident = value instanceof Error && !(value instanceof Failure);
  const words = isAccident
    ? (value.stack ?? value.message)
    : value instanceof Error
      ? value.message
      : value;
  return typeof words === "string" ? JSON.stringify(words) : (JSON.stringify(words) ?? "undefined");
}

/** A line of another process: what it holds as serious stays so, and the time is ours. */
export function readLogLine(line: string): { level: LogLevel; message: string } {
  const [, word = "", message = ""] = /^\S+Z (DEBUG|INFO|WARN|ERROR) (.*)$/.exec(line) ?? [];
  const level = logLevels.find((known) => known === word.toLowerCase());
  return level ? { level, message } : { level: "info", message: line };
}

/**
 * A log line has exactly one line end, and a terminal that shows it obeys nothing in it: control
 * characters, and those that reverse the direction of text, are written as escapes. The escapes
 * are those of JSON, so a traced message stays JSON.
 */
const oneLine = (words: string): string =>
  words
    .replace(/[\r\n]+/g, "\\n")
    .replace(
      /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
