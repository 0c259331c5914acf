import { elementAt } from "../../arrays/element-at.ts";
import { findBracketTokens } from "../parsing/brackets.ts";
import { type Numeral, numeral, type Value } from "./value.ts";

/** The value after `key:`, and its syntax if it has to be stored. */
export interface Scalar {
  value: Value;
  syntax?: "yaml_array" | "comma_refs";
}

/** Infers the type of a value from its text; the default is a string. */
export function parseScalar(written: string, depth = 0): Scalar {
  const text = written.trim();
  if (text === "" || text === "null" || text === "~") return { value: null };
  if (text === "true" || text === "false") return { value: text === "true" };
  if (text.startsWith("[")) return readBracket(text, depth);
  return { value: parseNumeral(text) ?? unquoted(text) };
}

/** `[[#a]], [[#b]]` · `[a, b]` · otherwise a string; a single reference is a string too. */
function readBracket(text: string, depth: number): Scalar {
  if (text.startsWith("[[") && !text.startsWith("[[[")) {
    const references = listOfReferences(text);
    return references ? { value: references, syntax: "comma_refs" } : { value: text };
  }
  if (!text.endsWith("]") || text.length < 2 || depth > maxArrayDepth) return { value: text };
  const items = parseArrayItems(text.slice(1, -1), depth + 1);
  return items ? { value: items, syntax: "yaml_array" } : { value: text };
}

const maxArrayDepth = 20;

function listOfReferences(text: string): string[] | undefined {
  const found = findBracketTokens(text, "[[#");
  if (found.length < 2 || found[0]?.start !== 0 || found.at(-1)?.end !== text.length) {
    return undefined;
  }
  const areSeparated = found.every(({ start }, index) => {
    const before = found[index - 1];
    return !before || text.slice(before.end, start).trim() === ",";
  });
  return areSeparated ? found.map(({ start, end }) => text.slice(start, end)) : undefined;
}

/**
 * The items between the brackets of an array; empty items are dropped. Undefined if a bracket or
 * quote inside is unbalanced.
 */
export function parseArrayItems(text: string, depth = 1): Value[] | undefined {
  return splitItems(text)
    ?.filter((item) => item.trim() !== "")
    .map((item) => parseScalar(item, depth).value);
}

/** Splits at commas outside brackets and quotes. A quote counts only at the start of an item. */
function splitItems(text: string): string[] | undefined {
  const items: string[] = [];
  let from = 0;
  let open = 0;
  let quote: string | undefined;
  let isStart = true;
  for (let at = 0; at < text.length; at++) {
    const char = elementAt(text, at);
    if (quote) {
      if (char === quote) quote = undefined;
    } else if (char === "," && open === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
      isStart = true;
      continue;
    } else if ((char === '"' || char === "'") && isStart) quote = char;
    else if (char === "[") open++;
    else if (char === "]" && --open < 0) return undefined;
    if (char.trim() !== "") isStart = false;
  }
  if (quote || open > 0) return undefined;
  items.push(text.slice(from));
  return items;
}

/**
 * JSON-like numbers. Excludes a leading plus (telephone numbers) and a trailing point (the end of a
 * sentence).
 */
export function parseNumeral(text: string): Numeral | undefined {
  const found = /^(-?)(\d*)(\.\d+)?([eE][+-]?\d+)?$/.exec(text);
  if (!found || !Number.isFinite(Number(text))) return undefined;
  const [, sign = "", digits = "", fraction = "", power = ""] = found;
  if (digits === "" && fraction === "") return undefined;
  return numeral(`${sign}${digits.replace(/^0+(?=\d)/, "") || "0"}${fraction}${power}`);
}

function unquoted(text: string): string {
  const quote = text[0];
  const isQuoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}
