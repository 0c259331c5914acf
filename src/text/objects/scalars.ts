import { bracketedIn } from "./brackets.ts";
import { type Numeral, numeral, type Value } from "./value.ts";

/** A value as it stands behind `key:`, and the syntax if it is one that must be remembered. */
export interface Scalar {
  value: Value;
  syntax?: "yaml_array" | "comma_refs";
}

/** The type of a value is told by its letters; whatever is nothing else is a string. */
export function readScalar(written: string, depth = 0): Scalar {
  const text = written.trim();
  if (text === "" || text === "null" || text === "~") return { value: null };
  if (text === "true" || text === "false") return { value: text === "true" };
  if (text.startsWith("[")) return readBracket(text, depth);
  return { value: readNumeral(text) ?? unquoted(text) };
}

/** `[[#a]], [[#b]]` · `[a, b]` · otherwise a string, as one reference alone is. */
function readBracket(text: string, depth: number): Scalar {
  if (text.startsWith("[[") && !text.startsWith("[[[")) {
    const references = listOfReferences(text);
    return references ? { value: references, syntax: "comma_refs" } : { value: text };
  }
  if (!text.endsWith("]") || text.length < 2 || depth > deepestArray) return { value: text };
  const items = readItems(text.slice(1, -1), depth + 1);
  return items ? { value: items, syntax: "yaml_array" } : { value: text };
}

const deepestArray = 20;

function listOfReferences(text: string): string[] | undefined {
  const found = bracketedIn(text, "[[#");
  if (found.length < 2 || found[0]?.start !== 0 || found.at(-1)?.end !== text.length) {
    return undefined;
  }
  const areApart = found.every(({ start }, index) => {
    const before = found[index - 1];
    return !before || text.slice(before.end, start).trim() === ",";
  });
  return areApart ? found.map(({ start, end }) => text.slice(start, end)) : undefined;
}

/**
 * What stands between the brackets of an array; an item that is empty is none. Nothing when a bracket
 * or a quote within has no partner.
 */
export function readItems(text: string, depth = 1): Value[] | undefined {
  return splitItems(text)
    ?.filter((item) => item.trim() !== "")
    .map((item) => readScalar(item, depth).value);
}

/** At commas outside of brackets and outside of quotes. A quote is one only where an item begins. */
function splitItems(text: string): string[] | undefined {
  const items: string[] = [];
  let from = 0;
  let open = 0;
  let quote: string | undefined;
  let isStart = true;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (quote) {
      if (letter === quote) quote = undefined;
    } else if (letter === "," && open === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
      isStart = true;
      continue;
    } else if ((letter === '"' || letter === "'") && isStart) quote = letter;
    else if (letter === "[") open++;
    else if (letter === "]" && --open < 0) return undefined;
    if (letter.trim() !== "") isStart = false;
  }
  if (quote || open > 0) return undefined;
  items.push(text.slice(from));
  return items;
}

/**
 * Digits with a sign, a point and a power of ten. A leading plus is none, so that a telephone number
 * stays one; nor is a point without digits behind it, because a sentence may end so.
 */
export function readNumeral(text: string): Numeral | undefined {
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
