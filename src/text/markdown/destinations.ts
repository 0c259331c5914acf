import { meant } from "./written.ts";

/** Nobody writes longer ones, and without a limit a page made to harm would be read again and again. */
const longestDestination = 4_000;
const longestTitle = 2_000;
const longestLabel = 999;
const deepestParentheses = 32;

/** A part of a text that was understood, and where it ends. */
interface Read {
  destination: string;
  end: number;
}

/** `(dest "title")` behind a link's text; `from` is the place behind the opening parenthesis. */
export function inlineTarget(text: string, from: number): Read | undefined {
  const start = skipSpace(text, from);
  const found = destinationAt(text, start) ?? { destination: "", end: start };
  const gap = skipSpace(text, found.end);
  const title = gap > found.end ? titleEnd(text, gap) : undefined;
  const end = skipSpace(text, title ?? gap);
  return text[end] === ")" ? { destination: found.destination, end: end + 1 } : undefined;
}

/** A definition that begins here: `[label]: dest "title"`, alone on its lines. */
export function definitionAt(text: string, from: number): (Read & { label: string }) | undefined {
  if (text[from] !== "[" || text[from + 1] === "^") return undefined;
  const label = labelAt(text, from);
  if (!label || text[label.end] !== ":") return undefined;
  const start = skipSpace(text, label.end + 1);
  const found = destinationAt(text, start);
  if (!found || found.end === start) return undefined;
  const gap = skipSpace(text, found.end);
  const title = gap > found.end ? titleEnd(text, gap) : undefined;
  for (const end of [title, found.end]) {
    const line = end === undefined ? undefined : lineEnd(text, end);
    if (line !== undefined)
      return { label: label.label, destination: found.destination, end: line };
  }
  return undefined;
}

/** `[label]`, by which a definition is found whatever its case and blanks. */
export function labelAt(text: string, from: number): { label: string; end: number } | undefined {
  for (let at = from + 1; at < text.length && at - from <= longestLabel + 1; at++) {
    const letter = text[at];
    if (letter === "\\") at++;
    else if (letter === "[") return undefined;
    else if (letter === "]") {
      const label = normalized(text.slice(from + 1, at));
      return label === "" ? undefined : { label, end: at + 1 };
    }
  }
  return undefined;
}

export const normalized = (label: string): string =>
  label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();

function destinationAt(text: string, from: number): Read | undefined {
  if (text[from] === "<") {
    const inside = /<((?:\\.|[^<>\n\\])*)>/sy;
    inside.lastIndex = from;
    const found = inside.exec(
      text.length - from > longestDestination ? text.slice(0, from + longestDestination) : text,
    );
    return found ? { destination: meant(found[1] ?? ""), end: inside.lastIndex } : undefined;
  }
  let depth = 0;
  let at = from;
  for (; at < text.length && at - from < longestDestination; at++) {
    const letter = text[at] ?? "";
    if (letter === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) at++;
    else if (letter <= " " || letter === "\x7f") break;
    else if (letter === "(" && ++depth > deepestParentheses) return undefined;
    else if (letter === ")" && --depth < 0) break;
  }
  if (depth > 0) return undefined;
  return { destination: meant(text.slice(from, at)), end: at };
}

/** Behind a title in any of its three kinds of quotes. */
function titleEnd(text: string, from: number): number | undefined {
  const close = { '"': '"', "'": "'", "(": ")" }[text[from] ?? ""];
  if (!close) return undefined;
  for (let at = from + 1; at < text.length && at - from < longestTitle; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === close) return at + 1;
    else if (text[at] === "(" && close === ")") return undefined;
  }
  return undefined;
}

/** Blanks, with one end of a line among them at most. */
function skipSpace(text: string, from: number): number {
  const space = /[ \t]*(?:\n[ \t]*)?/y;
  space.lastIndex = from;
  space.exec(text);
  return space.lastIndex;
}

/** Behind the end of the line, where nothing but blanks comes before it. */
function lineEnd(text: string, from: number): number | undefined {
  const rest = /[ \t]*(?:\n|$)/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : undefined;
}
