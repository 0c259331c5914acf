import { readNumeral } from "./scalars.ts";
import type { Fields, Value } from "./value.ts";

/** A text that is not of the kind of YAML that is read here. */
export class Unreadable extends Error {}

/** A text that is quoted, in brackets, or plain. */
export function readPlain(text: string): Value {
  const quoted = readQuoted(text);
  if (quoted) {
    if (quoted.end !== text.length) throw new Unreadable();
    return quoted.value;
  }
  if (text[0] === "[" || text[0] === "{") return readFlow(text);
  if (isSpecial(text) || /:(?:\s|$)/.test(text)) throw new Unreadable();
  return typed(text);
}

const isSpecial = (text: string): boolean =>
  /^[&*!|>%@`"'#,\]}?]/.test(text) || text === "-" || text.startsWith("- ");

/** Numbers that JSON would write in another way. */
const otherNumber =
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|0x[0-9a-fA-F]+|0o[0-7]+|\+[\d.].*|-?\.\d.*|-?\d+\.(?:[eE].*)?)$/;

function typed(text: string): Value {
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (otherNumber.test(text)) throw new Unreadable();
  return readNumeral(text) ?? text;
}

/** A text in quotes at the start, and the place behind it. */
export function readQuoted(text: string): { value: string; end: number } | undefined {
  if (text[0] === "'") {
    let end = text.indexOf("'", 1);
    while (end > 0 && text[end + 1] === "'") end = text.indexOf("'", end + 2);
    if (end < 0) throw new Unreadable();
    return { value: text.slice(1, end).replaceAll("''", "'"), end: end + 1 };
  }
  if (text[0] !== '"') return undefined;
  let end = 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  try {
    const value: unknown = JSON.parse(text.slice(0, end + 1));
    if (typeof value === "string") return { value, end: end + 1 };
  } catch {
    // YAML has escapes that JSON has not; they are rare enough to leave the text as it is.
  }
  throw new Unreadable();
}

interface ReadLine {
  text: string;
  hasRemark: boolean;
  isOpen: boolean;
}

/** Reads a text line by line: each without its `# …`, and whether brackets or quotes stay open. */
export function lineReader(): (line: string) => ReadLine {
  let depth = 0;
  let quote = "";
  let last = "";
  return (line) => {
    let end = 0;
    for (; end < line.length; end++) {
      const letter = line[end] ?? "";
      if (quote !== "") {
        if (letter === "\\" && quote === '"') end++;
        else if (letter === quote) quote = "";
      } else if (letter === "#" && (end === 0 || line[end - 1] === " ")) break;
      else if ((letter === '"' || letter === "'") && beginsWord()) quote = letter;
      else if (letter === "[" || letter === "{") depth++;
      else if (letter === "]" || letter === "}") depth--;
      if (letter !== " ") last = letter;
    }
    return {
      text: line.slice(0, end).trimEnd(),
      hasRemark: end < line.length,
      isOpen: depth > 0 || quote !== "",
    };
  };

  /** Elsewhere a quote is an apostrophe. */
  function beginsWord(): boolean {
    return last === "" || (depth > 0 && "[{,:".includes(last));
  }
}

const deepest = 50;

/** `[a, {b: c}]` */
function readFlow(text: string): Value {
  let at = 0;
  const value = readNode(0);
  if (text.slice(at).trim() !== "") throw new Unreadable();
  return value;

  function skip(): void {
    while (text[at] === " ") at++;
  }

  function readNode(depth: number): Value {
    if (depth > deepest) throw new Unreadable();
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
      if (text[at] !== ":" || fields.has(key) || (key === "" && !isQuoted)) throw new Unreadable();
      at++;
      if (!isQuoted && text[at] !== " ") throw new Unreadable();
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
      if (text[at++] !== ",") throw new Unreadable();
    }
    at++;
  }

  function readWord(): Value {
    const quoted = readQuoted(text[at] === '"' || text[at] === "'" ? text.slice(at) : "");
    if (quoted) {
      at += quoted.end;
      return quoted.value;
    }
    const from = at;
    while (at < text.length && !endsWord()) at++;
    const word = text.slice(from, at).trim();
    if (isSpecial(word) || word === "") throw new Unreadable();
    return typed(word);
  }

  function endsWord(): boolean {
    const letter = text[at] ?? "";
    if (",[]{}".includes(letter)) return true;
    return letter === ":" && (at + 1 === text.length || text[at + 1] === " ");
  }
}
