import { nestsDeeper } from "../json-depth.ts";
import { linesOf } from "../lines.ts";
import { isNumeral, numeral, type Value } from "./value.ts";

/** Code that walks a value recurses, and nobody writes a value that is deeper. */
const deepestValue = 500;

/** Writes JSON on one line, or with two spaces for each level; letters stay as they are. */
export function printJson(value: Value, { pretty = false } = {}): string {
  return pretty ? printed(value, "\n") : printed(value, "");
}

function printed(value: Value, lineBreak: string): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isNumeral(value)) return value.spelled;
  const within = lineBreak && `${lineBreak}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((item) => printed(item, within))
    : Array.from(
        value,
        ([key, item]) => `${JSON.stringify(key)}:${lineBreak && " "}${printed(item, within)}`,
      );
  return parts.length === 0
    ? `${open}${close}`
    : `${open}${within}${parts.join(`,${within}`)}${lineBreak}${close}`;
}

/**
 * As ordinary values of JavaScript, for an answer on the wire. Two things are lost: keys that look
 * like numbers move to the front, and a number has no spelling. An integer that would lose digits
 * is given as text instead.
 */
export function plain(value: Value): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(plain);
  if (isNumeral(value)) {
    const number = Number(value.spelled);
    const isWhole = /^-?\d+$/.test(value.spelled);
    return isWhole && !Number.isSafeInteger(number) ? value.spelled : number;
  }
  // Without a prototype a key `__proto__` is a key like others.
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, item] of value) object[key] = plain(item);
  return object;
}

/**
 * Reads JSON and keeps what `JSON.parse` loses. A `SyntaxError` says what is wrong with a text that
 * is none, and where: lines and columns are counted from one.
 */
export function readJson(text: string): Value {
  let at = 0;
  if (nestsDeeper(text, deepestValue)) fail(`Nested deeper than ${deepestValue} levels`, 0);
  skipSpace();
  const value = readValue();
  skipSpace();
  if (at < text.length) fail("More text after the value");
  return value;

  function fail(problem: string, where = at): never {
    const before = linesOf(text.slice(0, where));
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new SyntaxError(`${problem} at line ${before.length}, column ${column}`);
  }

  function skipSpace(): void {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
  }

  function readValue(): Value {
    const letter = text[at];
    if (letter === '"') return readString();
    if (letter === "{") return readFields();
    if (letter === "[") return readItems();
    word.lastIndex = at;
    const found = word.exec(text)?.[0];
    if (found === undefined) return fail(at < text.length ? "No value" : "The text ends too early");
    at += found.length;
    if (found === "true" || found === "false") return found === "true";
    return found === "null" ? null : numeral(found);
  }

  function readString(): string {
    const start = at++;
    for (;;) {
      ordinary.lastIndex = at;
      ordinary.test(text);
      at = ordinary.lastIndex;
      if (text[at] === '"') break;
      if (text[at] !== "\\")
        fail(at < text.length ? "A bad letter in a string" : "A string without its end");
      escaped.lastIndex = at;
      if (!escaped.test(text)) fail("A bad escape in a string");
      at = escaped.lastIndex;
    }
    const written = text.slice(start, ++at);
    return written.includes("\\") ? JSON.parse(written) : written.slice(1, -1);
  }

  function readFields(): Value {
    const fields = new Map<string, Value>();
    readList("}", () => {
      if (text[at] !== '"') fail("A key must stand in double quotes");
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

  /** From the bracket that opens to the one that closes, with a comma between two entries. */
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

// Each is tried at one place only, and none can match the same letters in two ways.
const space = /[ \t\n\r]*/y;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string.
const ordinary = /[^"\\\u0000-\u001f]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
