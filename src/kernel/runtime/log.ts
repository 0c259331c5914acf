import { Failure } from "../failure.ts";

/** The level names of the specifications; `warn` is `warning` in MCP. */
export const logLevels = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof logLevels)[number];

export interface Log {
  (level: LogLevel, message: string, facts?: Record<string, unknown>): void;
  /**
   * Writes a trace if `DEBUG` selects its topic (`mcp:protocol`, `lectern:index`). Protocol
   * messages are also traced at level `debug`.
   */
  trace(topic: string, message: () => string): void;
}

export interface LogOptions {
  level: LogLevel;
  /** The value of `DEBUG`: topics separated by commas; a trailing `*` matches any suffix. */
  debug?: string | undefined;
  write: (line: string) => void;
}

/** Writes one line per entry; the program writes to stderr, because stdout carries the protocol. */
export function createLog({ level, debug, write }: LogOptions): Log {
  const minLevel = logLevels.indexOf(level);
  const named = (debug ?? "").split(/[\s,]+/).filter(Boolean);
  // Level `debug` includes every protocol message, regardless of `DEBUG`.
  const topics = level === "debug" ? [...named, "mcp:protocol"] : named;
  const writeLine = (text: string) => write(`${new Date().toISOString()} ${escapeLine(text)}\n`);
  const log = (
    entryLevel: LogLevel,
    message: string,
    facts: Record<string, unknown> = {},
  ): void => {
    if (logLevels.indexOf(entryLevel) < minLevel) return;
    const details = Object.entries(facts).map(([key, value]) => ` ${key}=${formatValue(value)}`);
    writeLine(`${entryLevel.toUpperCase()} ${message}${details.join("")}`);
  };
  const trace = (topic: string, message: () => string): void => {
    if (!topics.some((pattern) => matchesTopic(pattern, topic))) return;
    writeLine(`${topic} ${message()}`);
  };
  return Object.assign(log, { trace });
}

function matchesTopic(pattern: string, topic: string): boolean {
  return pattern.endsWith("*") ? topic.startsWith(pattern.slice(0, -1)) : pattern === topic;
}

function formatValue(value: unknown): string {
  // The message of an expected failure suffices; an unexpected error needs its stack.
  const isUnexpected = value instanceof Error && !(value instanceof Failure);
  const text = isUnexpected
    ? (value.stack ?? value.message)
    : value instanceof Error
      ? value.message
      : value;
  return JSON.stringify(text) ?? "undefined";
}

/** Parses a log line of another process. The level is preserved; the timestamp is dropped. */
export function parseLogLine(line: string): { level: LogLevel; message: string } {
  const [, levelName = "", message = ""] = /^\S+Z (DEBUG|INFO|WARN|ERROR) (.*)$/.exec(line) ?? [];
  const level = logLevels.find((known) => known === levelName.toLowerCase());
  return level ? { level, message } : { level: "info", message: line };
}

/**
 * Makes a message safe to show in a terminal: control characters and bidirectional formatting
 * characters become escapes, and line breaks become `\n`. The escapes are those of JSON, so a
 * traced message stays valid JSON.
 */
const escapeLine = (text: string): string =>
  isPrintableAscii.test(text)
    ? text
    : text
        .replace(/[\r\n]+/g, "\\n")
        .replace(
          /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );

const isPrintableAscii = /^[ -~]*$/;
