import { isUtf8 } from "node:buffer";
import { deepestNesting, type JsonPrefix, jsonPrefix } from "../../text/json-prefix.ts";
import { bytePages } from "./byte-pages.ts";

/** What came in: a JSON value, something that is none, or a line longer than the limit. */
export type Reading =
  | { kind: "json"; value: unknown; text: string }
  | { kind: "unparseable"; text: string }
  | { kind: "too-long" };

export interface LineReader {
  push(chunk: Uint8Array): void;
  /** No more will come: what is left counts as a last line. */
  end(): void;
  /** Forgets what is left and reads no more. */
  close(): void;
}

export interface LineReaderOptions {
  /** The most bytes a message may have, its line end not counted. */
  limit: number;
  /** How long an unfinished message waits for its next line. */
  silenceMs?: number;
  read: (reading: Reading) => void;
}

/**
 * Cuts bytes into messages, one a line. Blank lines are skipped, and a line over the limit is
 * thrown away as it comes.
 *
 * A message may also be spread over lines, as a person or a pretty printer writes it: a line that
 * is the beginning of a JSON object or array waits for the next ones. It is given up at the first
 * character that cannot follow, at the end of input, after a silence, or when a whole message
 * follows it; that message is then read as if nothing had been before.
 */
export function lineReader({ limit, silenceMs = 250, read }: LineReaderOptions): LineReader {
  /** The lines of an unfinished message, then the beginning of a line that has no end yet. */
  const kept = bytePages();
  let lineStart = 0;
  let unfinished: JsonPrefix | undefined;
  let skipping = false;
  let isFirstLine = true;
  let closed = false;
  let silence: NodeJS.Timeout | undefined;

  const endLine = (rest: Uint8Array): void => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (isTooLong(rest)) {
      giveUp();
      read({ kind: "too-long" });
      return;
    }
    const bytes = trimmed(kept.length === lineStart ? rest : joined(rest));
    kept.cut(lineStart);
    if (unfinished) goOn(unfinished, bytes);
    else if (!begin(bytes)) read({ kind: "unparseable", text: decoded(bytes) });
  };

  const isTooLong = (rest: Uint8Array): boolean => {
    const length = kept.length + rest.length;
    if (length <= limit) return false;
    const last = rest.at(-1) ?? kept.from(kept.length - 1)[0];
    return length > (last === carriageReturn ? limit + 1 : limit);
  };

  const joined = (rest: Uint8Array): Uint8Array => {
    kept.append(rest);
    return kept.from(lineStart);
  };

  /** Line end and byte order mark belong to the stream and not to the message. */
  const trimmed = (bytes: Uint8Array): Uint8Array => {
    const from = isFirstLine && hasByteOrderMark(bytes) ? 3 : 0;
    const to = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    isFirstLine = false;
    return bytes.subarray(from, Math.max(from, to));
  };

  /** Reads a line by itself. False when it is neither a value nor the beginning of a message. */
  const begin = (bytes: Uint8Array): boolean => {
    if (!isUtf8(bytes)) return false;
    const text = decoded(bytes);
    if (isBlank(text)) return true;
    const parsed = parse(text);
    if (parsed) {
      read({ kind: "json", value: parsed.value, text });
      return true;
    }
    const prefix = jsonPrefix();
    if (!couldGoOn(prefix, text)) return false;
    unfinished = prefix;
    keepLine(bytes);
    return true;
  };

  const goOn = (prefix: JsonPrefix, bytes: Uint8Array): void => {
    const text = isUtf8(bytes) ? decoded(bytes) : undefined;
    if (text !== undefined && isBlank(text)) return;
    const whole = text === undefined ? undefined : wholeMessage(text);
    if (whole || text === undefined) {
      failUnfinished();
      if (whole && text !== undefined) read({ kind: "json", value: whole.value, text });
      return;
    }
    if (couldGoOn(prefix, text)) {
      keepLine(bytes);
      return;
    }
    const message = `${decoded(kept.from(0))}${text}`;
    giveUp();
    const parsed = parse(message);
    if (parsed) {
      read({ kind: "json", value: parsed.value, text: message });
      return;
    }
    read({ kind: "unparseable", text: message });
    // The line that could not follow may be the beginning of the next message.
    if (beginsWith("{", text)) begin(bytes);
  };

  const keepLine = (bytes: Uint8Array): void => {
    kept.append(bytes);
    kept.append(Uint8Array.of(newline));
    lineStart = kept.length;
  };

  const giveUp = (): void => {
    kept.cut(0);
    lineStart = 0;
    unfinished = undefined;
  };

  const failUnfinished = (): void => {
    const begun = kept.from(lineStart);
    kept.cut(lineStart);
    const text = decoded(kept.from(0));
    giveUp();
    kept.append(begun);
    read({ kind: "unparseable", text });
  };

  /**
   * A process that was busy finds its timer due and bytes waiting, both at once. The bytes came in
   * time, so they are let in first.
   */
  const listenForSilence = (): void => {
    const waiting = setTimeout(() => {
      setImmediate(() => {
        if (silence === waiting && unfinished) failUnfinished();
      });
    }, silenceMs);
    silence = waiting;
  };

  const hush = (): void => {
    clearTimeout(silence);
    silence = undefined;
  };

  return {
    push(chunk) {
      hush();
      let from = 0;
      while (!closed) {
        const end = chunk.indexOf(newline, from);
        if (end < 0) break;
        endLine(chunk.subarray(from, end));
        from = end + 1;
      }
      if (closed) return;
      const rest = chunk.subarray(from);
      // One byte more than the limit may still be the first half of a line end.
      if (!skipping && kept.length + rest.length > limit + 1) {
        giveUp();
        skipping = true;
        read({ kind: "too-long" });
      }
      if (!skipping) kept.append(rest);
      if (unfinished) listenForSilence();
    },
    end() {
      hush();
      if (closed) return;
      endLine(new Uint8Array());
      if (unfinished) failUnfinished();
      closed = true;
    },
    close() {
      hush();
      giveUp();
      closed = true;
    },
  };
}

const newline = 0x0a;
const carriageReturn = 0x0d;

const hasByteOrderMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const decoded = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

/** A loop, since a line may be sixty million spaces and a pattern remembers each of them. */
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

/** Where a string is open, the line end itself is what cannot follow. */
const couldGoOn = (prefix: JsonPrefix, text: string): boolean =>
  prefix.feed(text) === "unfinished" && prefix.feed("\n") === "unfinished";

/** The value is wrapped, since `null` is one too. */
function parse(text: string): { value: unknown } | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Sixty million open brackets would cost the engine's parser gigabytes before it says no. */
const isTooDeep = (text: string): boolean =>
  text.length > deepestNesting && beginsWith("{[", text) && jsonPrefix().feed(text) !== "complete";

/** A line inside a spread message can be an object too, but it does not say that it is JSON-RPC. */
function wholeMessage(text: string): { value: unknown } | undefined {
  if (!beginsWith("{", text) || !text.includes('"jsonrpc"')) return undefined;
  const parsed = parse(text);
  const value = parsed?.value;
  return typeof value === "object" && value !== null && "jsonrpc" in value ? parsed : undefined;
}
