import { elementAt } from "../../arrays/element-at.ts";
import { parseNumeral } from "./scalars.ts";
import type { Fields, Value } from "./value.ts";

/** Thrown for YAML outside the supported subset. */
export class UnsupportedYaml extends Error {}

/** Parses a scalar: quoted, in brackets, or plain. */
export function parsePlainScalar(text: string): Value {
  const quoted = parseQuotedScalar(text);
  if (quoted) {
    if (quoted.end !== text.length) throw new UnsupportedYaml();
    return quoted.value;
  }
  if (text[0] === "[" || text[0] === "{") return readFlow(text);
  if (isSpecial(text) || /:(?:\s|$)/.test(text)) throw new UnsupportedYaml();
  return typedScalar(text);
}

const isSpecial = (text: string): boolean =>
  /^[&*!|>%@`"'#,\]}?]/.test(text) || text === "-" || text.startsWith("- ");

/** Numbers whose YAML notation is not valid in JSON. */
const nonJsonNumber =
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|0x[0-9a-fA-F]+|0o[0-7]+|\+[\d.].*|-?\.\d.*|-?\d+\.(?:[eE].*)?)$/;

function typedScalar(text: string): Value {
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (nonJsonNumber.test(text)) throw new UnsupportedYaml();
  return parseNumeral(text) ?? text;
}

/** A quoted string at the start of a text, and the offset after it. */
export function parseQuotedScalar(text: string): { value: string; end: number } | undefined {
  if (text[0] === "'") {
    let end = text.indexOf("'", 1);
    while (end > 0 && text[end + 1] === "'") end = text.indexOf("'", end + 2);
    if (end < 0) throw new UnsupportedYaml();
    return { value: text.slice(1, end).replaceAll("''", "'"), end: end + 1 };
  }
  if (text[0] !== '"') return undefined;
  let end = 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  try {
    const value: unknown = JSON.parse(text.slice(0, end + 1));
    if (typeof value === "string") return { value, end: end + 1 };
  } catch {
    // YAML escapes that JSON lacks are rare; such a text is kept verbatim.
  }
  throw new UnsupportedYaml();
}

interface ReadLine {
  text: string;
  hasComment: boolean;
  isOpen: boolean;
}

/** Scans a text line by line: removes comments and tracks open brackets and quotes. */
export function createLineReader(): (line: string) => ReadLine {
  let depth = 0;
  let quote = "";
  let last = "";
  return (line) => {
    let end = 0;
    for (; end < line.length; end++) {
      const char = elementAt(line, end);
      if (quote !== "") {
        if (char === "\\" && quote === '"') end++;
        else if (char === quote) quote = "";
      } else if (char === "#" && (end === 0 || line[end - 1] === " ")) break;
      else if ((char === '"' || char === "'") && startsWord()) quote = char;
      else if (char === "[" || char === "{") depth++;
      else if (char === "]" || char === "}") depth--;
      if (char !== " ") last = char;
    }
    return {
      text: line.slice(0, end).trimEnd(),
      hasComment: end < line.length,
      isOpen: depth > 0 || quote !== "",
    };
  };

  /** A quote starts a string only at the start of a word; elsewhere it is an apostrophe. */
  function startsWord(): boolean {
    return last === "" || (depth > 0 && "[{,:".includes(last));
  }
}

const maxDepth = 50;

/** `[a, {b: c}]` */
function readFlow(text: string): Value {
  let at = 0;
  const value = readNode(0);
  if (text.slice(at).trim() !== "") throw new UnsupportedYaml();
  return value;

  function skip(): void {
    while (text[at] === " ") at++;
  }

  function readNode(depth: number): Value {
    if (depth > maxDepth) throw new UnsupportedYaml();
    skip();
    if (text[at] === "[") {
      const items: Value[] = [];
      readEntries("]", () => items.push(readNode(depth + 1)));
      return items;
    }
    if (text[at] !== "{") return readWord();
    const fields: Fields = new Map();
    readEntries("}", () => {
      skip();
      const isQuoted = text[at] === '"' || text[at] === "'";
      const from = at;
      const word = readWord();
      const key = isQuoted && typeof word === "string" ? word : text.slice(from, at).trim();
      skip();
      if (text[at] !== ":" || fields.has(key) || (key === "" && !isQuoted))
        throw new UnsupportedYaml();
      at++;
      if (!isQuoted && text[at] !== " ") throw new UnsupportedYaml();
      fields.set(key, readNode(depth + 1));
    });
    return fields;
  }

  function readEntries(close: string, readEntry: () => void): void {
    at++;
    for (;;) {
      skip();
      if (text[at] === close) break;
      readEntry();
      skip();
      if (text[at] === close) break;
      if (text[at++] !== ",") throw new UnsupportedYaml();
    }
    at++;
  }

  function readWord(): Value {
    const quoted = parseQuotedScalar(text[at] === '"' || text[at] === "'" ? text.slice(at) : "");
    if (quoted) {
      at += quoted.end;
      return quoted.value;
    }
    const from = at;
    while (at < text.length && !endsWord()) at++;
    const word = text.slice(from, at).trim();
    if (isSpecial(word) || word === "") throw new UnsupportedYaml();
    return typedScalar(word);
  }

  function endsWord(): boolean {
    const char = text[at] ?? "";
    if (",[]{}".includes(char)) return true;
    return char === ":" && (at + 1 === text.length || text[at + 1] === " ");
  }
}
