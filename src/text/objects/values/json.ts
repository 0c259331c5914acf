import { exceedsDepth } from "../../formats/json-limits.ts";
import { splitLines } from "../../strings/lines.ts";
import { isNumeral, numeral, type Value } from "./value.ts";

/** Limits recursion over a value. */
const maxValueDepth = 500;

/** Writes JSON on one line, or indented by two spaces. */
export function formatJson(value: Value, { pretty = false } = {}): string {
  return pretty ? formatNode(value, "\n") : formatNode(value, "");
}

function formatNode(value: Value, lineBreak: string): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isNumeral(value)) return value.notation;
  const within = lineBreak && `${lineBreak}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((item) => formatNode(item, within))
    : Array.from(
        value,
        ([key, item]) => `${JSON.stringify(key)}:${lineBreak && " "}${formatNode(item, within)}`,
      );
  return parts.length === 0
    ? `${open}${close}`
    : `${open}${within}${parts.join(`,${within}`)}${lineBreak}${close}`;
}

/**
 * Converts to plain JavaScript values, for transport. Keys that look like numbers move to the
 * front, and the notation of numbers is lost. Integers that would lose digits become strings.
 */
export function toPlainJson(value: Value): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (isNumeral(value)) {
    const number = Number(value.notation);
    const isWhole = /^-?\d+$/.test(value.notation);
    return isWhole && !Number.isSafeInteger(number) ? value.notation : number;
  }
  // Without a prototype, `__proto__` is an ordinary key.
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, item] of value) object[key] = toPlainJson(item);
  return object;
}

/**
 * Parses JSON and preserves what `JSON.parse` loses: key order and number notation. Throws a
 * `SyntaxError` with line and column, counted from 1.
 */
export function parseJsonValue(text: string): Value {
  let at = 0;
  if (exceedsDepth(text, maxValueDepth)) fail(`Nested deeper than ${maxValueDepth} levels`, 0);
  skipSpace();
  const value = readValue();
  skipSpace();
  if (at < text.length) fail("Unexpected text after the value");
  return value;

  function fail(problem: string, where = at): never {
    const before = splitLines(text.slice(0, where));
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new SyntaxError(`${problem} at line ${before.length}, column ${column}`);
  }

  function skipSpace(): void {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
  }

  function readValue(): Value {
    const char = text[at];
    if (char === '"') return readString();
    if (char === "{") return readFields();
    if (char === "[") return readItems();
    word.lastIndex = at;
    const literal = word.exec(text)?.[0];
    if (literal === undefined)
      return fail(at < text.length ? "A value is missing" : "Unexpected end of text");
    at += literal.length;
    if (literal === "true" || literal === "false") return literal === "true";
    return literal === "null" ? null : numeral(literal);
  }

  function readString(): string {
    const start = at++;
    for (;;) {
      ordinary.lastIndex = at;
      ordinary.test(text);
      at = ordinary.lastIndex;
      if (text[at] === '"') break;
      if (text[at] !== "\\")
        fail(at < text.length ? "Invalid character in a string" : "Unclosed string");
      escaped.lastIndex = at;
      if (!escaped.test(text)) fail("Invalid escape in a string");
      at = escaped.lastIndex;
    }
    const written = text.slice(start, ++at);
    return written.includes("\\") ? JSON.parse(written) : written.slice(1, -1);
  }

  function readFields(): Value {
    const fields = new Map<string, Value>();
    readList("}", () => {
      if (text[at] !== '"') fail("A key must be in double quotes");
      const key = readString();
      skipSpace();
      if (text[at] !== ":") fail("A colon is missing after the key");
      at++;
      skipSpace();
      fields.set(key, readValue());
    });
    return fields;
  }

  function readItems(): Value {
    const items: Value[] = [];
    readList("]", () => items.push(readValue()));
    return items;
  }

  /** Parses the entries between two brackets, separated by commas. */
  function readList(close: string, readEntry: () => void): void {
    at++;
    skipSpace();
    if (text[at] === close) at++;
    else {
      for (;;) {
        readEntry();
        skipSpace();
        if (text[at] !== "," && text[at] !== close) fail(`A comma or ${close} is missing`);
        if (text[at++] === close) return;
        skipSpace();
      }
    }
  }
}

// Sticky patterns without ambiguity, so none can backtrack.
const space = /[ \t\n\r]*/y;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string.
const ordinary = /[^"\\\u0000-\u001f]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
