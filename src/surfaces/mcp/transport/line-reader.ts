import { isUtf8 } from "node:buffer";
import {
  createJsonPrefixChecker,
  type JsonPrefixChecker,
  maxNesting,
} from "../../../text/formats/json-prefix.ts";
import { createPagedBuffer } from "./paged-buffer.ts";

/** The result of reading a message: a JSON value, invalid text, or a line over the limit. */
export type LineResult =
  | { kind: "json"; value: unknown; text: string }
  | { kind: "unparseable"; text: string }
  | { kind: "too-long" };

export interface LineReader {
  push(chunk: Uint8Array): void;
  /** Ends the input; the remaining bytes are the last line. */
  end(): void;
  /** Discards the remaining bytes and ignores further input. */
  close(): void;
}

export interface LineReaderOptions {
  /** Maximum size of a message in bytes, without its line end. */
  limit: number;
  /** How long an unfinished message waits for its next line. */
  continuationTimeoutMs?: number;
  onLine: (result: LineResult) => void;
}

/**
 * Splits bytes into messages, one per line. Blank lines are skipped, and a line over the limit is
 * discarded without buffering it.
 *
 * A message may also span several lines, as a pretty printer writes it: a line that is a valid
 * prefix of a JSON object or array waits for the next lines. It is rejected at the first character
 * that cannot follow, at the end of input, after a timeout, or when a complete message follows it;
 * that message is then read normally.
 */
export function createLineReader({
  limit,
  continuationTimeoutMs = 250,
  onLine,
}: LineReaderOptions): LineReader {
  /** The lines of an unfinished message, then an incomplete line. */
  const buffer = createPagedBuffer();
  let lineStart = 0;
  let unfinished: JsonPrefixChecker | undefined;
  let skipping = false;
  let isFirstLine = true;
  let closed = false;
  let continuationTimer: NodeJS.Timeout | undefined;

  const endLine = (rest: Uint8Array): void => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (isTooLong(rest)) {
      discardUnfinished();
      onLine({ kind: "too-long" });
      return;
    }
    const bytes = trim(buffer.length === lineStart ? rest : join(rest));
    buffer.truncate(lineStart);
    if (unfinished) continueMessage(unfinished, bytes);
    else if (!beginMessage(bytes)) onLine({ kind: "unparseable", text: decode(bytes) });
  };

  const isTooLong = (rest: Uint8Array): boolean => {
    const length = buffer.length + rest.length;
    if (length <= limit) return false;
    const last = rest.at(-1) ?? buffer.copyFrom(buffer.length - 1)[0];
    return length > (last === carriageReturn ? limit + 1 : limit);
  };

  const join = (rest: Uint8Array): Uint8Array => {
    buffer.append(rest);
    return buffer.copyFrom(lineStart);
  };

  /** Removes the carriage return and the byte order mark. */
  const trim = (bytes: Uint8Array): Uint8Array => {
    const from = isFirstLine && hasByteOrderMark(bytes) ? 3 : 0;
    const to = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    isFirstLine = false;
    return bytes.subarray(from, Math.max(from, to));
  };

  /** Reads the first line of a message. False if it is neither a JSON value nor a prefix of one. */
  const beginMessage = (bytes: Uint8Array): boolean => {
    if (!isUtf8(bytes)) return false;
    const text = decode(bytes);
    if (isBlank(text)) return true;
    const parsed = parse(text);
    if (parsed) {
      onLine({ kind: "json", value: parsed.value, text });
      return true;
    }
    const prefix = createJsonPrefixChecker();
    if (!canContinue(prefix, text)) return false;
    unfinished = prefix;
    appendLine(bytes);
    return true;
  };

  const continueMessage = (prefix: JsonPrefixChecker, bytes: Uint8Array): void => {
    const text = isUtf8(bytes) ? decode(bytes) : undefined;
    if (text !== undefined && isBlank(text)) return;
    const whole = text === undefined ? undefined : parseWholeMessage(text);
    if (whole || text === undefined) {
      failUnfinished();
      if (whole && text !== undefined) onLine({ kind: "json", value: whole.value, text });
      return;
    }
    if (canContinue(prefix, text)) {
      appendLine(bytes);
      return;
    }
    const message = `${decode(buffer.copyFrom(0))}${text}`;
    discardUnfinished();
    const parsed = parse(message);
    if (parsed) {
      onLine({ kind: "json", value: parsed.value, text: message });
      return;
    }
    onLine({ kind: "unparseable", text: message });
    // The line that does not continue the message may start the next one.
    if (beginsWith("{", text)) beginMessage(bytes);
  };

  const appendLine = (bytes: Uint8Array): void => {
    buffer.append(bytes);
    buffer.append(Uint8Array.of(newline));
    lineStart = buffer.length;
  };

  const discardUnfinished = (): void => {
    buffer.truncate(0);
    lineStart = 0;
    unfinished = undefined;
  };

  const failUnfinished = (): void => {
    const incompleteLine = buffer.copyFrom(lineStart);
    buffer.truncate(lineStart);
    const text = decode(buffer.copyFrom(0));
    discardUnfinished();
    buffer.append(incompleteLine);
    onLine({ kind: "unparseable", text });
  };

  /**
   * After a busy period, the timer may be due while bytes are already waiting. They arrived in time,
   * so `setImmediate` lets them be read first.
   */
  const startContinuationTimer = (): void => {
    const timer = setTimeout(() => {
      setImmediate(() => {
        if (continuationTimer === timer && unfinished) failUnfinished();
      });
    }, continuationTimeoutMs);
    continuationTimer = timer;
  };

  const clearContinuationTimer = (): void => {
    clearTimeout(continuationTimer);
    continuationTimer = undefined;
  };

  return {
    push(chunk) {
      clearContinuationTimer();
      let from = 0;
      while (!closed) {
        const end = chunk.indexOf(newline, from);
        if (end < 0) break;
        endLine(chunk.subarray(from, end));
        from = end + 1;
      }
      if (closed) return;
      const rest = chunk.subarray(from);
      // One byte over the limit may still be the carriage return of a line end.
      if (!skipping && buffer.length + rest.length > limit + 1) {
        discardUnfinished();
        skipping = true;
        onLine({ kind: "too-long" });
      }
      if (!skipping) buffer.append(rest);
      if (unfinished) startContinuationTimer();
    },
    end() {
      clearContinuationTimer();
      if (closed) return;
      endLine(new Uint8Array());
      if (unfinished) failUnfinished();
      closed = true;
    },
    close() {
      clearContinuationTimer();
      discardUnfinished();
      closed = true;
    },
  };
}

const newline = 0x0a;
const carriageReturn = 0x0d;

const hasByteOrderMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

/** A loop instead of a regular expression, which is slow for a line of 60 million spaces. */
function firstNonSpace(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x09 && char !== carriageReturn && char !== newline) return at;
  }
  return text.length;
}

const isBlank = (text: string): boolean => firstNonSpace(text) === text.length;

const beginsWith = (characters: string, text: string): boolean =>
  characters.includes(text[firstNonSpace(text)] ?? " ");

/** The line end is part of the check: it must not be inside a string. */
const canContinue = (prefix: JsonPrefixChecker, text: string): boolean =>
  prefix.feed(text) === "unfinished" && prefix.feed("\n") === "unfinished";

/** The value is wrapped, because it may be `null`. */
function parse(text: string): { value: unknown } | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** JSON.parse needs gigabytes of memory to reject 60 million open brackets. */
const isTooDeep = (text: string): boolean =>
  text.length > maxNesting &&
  beginsWith("{[", text) &&
  createJsonPrefixChecker().feed(text) !== "complete";

/**
 * A complete message that follows an unfinished one. Requires "jsonrpc", because a line of a
 * multi-line message can also be an object.
 */
function parseWholeMessage(text: string): { value: unknown } | undefined {
  if (!beginsWith("{", text) || !text.includes('"jsonrpc"')) return undefined;
  const parsed = parse(text);
  const value = parsed?.value;
  return typeof value === "object" && value !== null && "jsonrpc" in value ? parsed : undefined;
}
