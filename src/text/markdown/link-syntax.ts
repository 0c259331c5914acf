import { elementAt } from "../arrays/element-at.ts";
import { unescapeMarkdown } from "./unescape.ts";

/** Without these limits, a crafted page would take quadratic time. */
const maxDestinationLength = 4_000;
const maxTitleLength = 2_000;
const maxLabelLength = 999;
const maxParenthesisDepth = 32;

interface ParsedDestination {
  destination: string;
  end: number;
}

/** `(dest "title")` after a link text; `from` is the offset after the opening parenthesis. */
export function inlineDestinationAt(text: string, from: number): ParsedDestination | undefined {
  const start = skipSpace(text, from);
  const target = destinationAt(text, start) ?? { destination: "", end: start };
  const gap = skipSpace(text, target.end);
  const title = gap > target.end ? titleEnd(text, gap) : undefined;
  const end = skipSpace(text, title ?? gap);
  return text[end] === ")" ? { destination: target.destination, end: end + 1 } : undefined;
}

/** A link reference definition: `[label]: dest "title"`, with nothing else on its lines. */
export function linkDefinitionAt(
  text: string,
  from: number,
): (ParsedDestination & { label: string }) | undefined {
  if (text[from] !== "[" || text[from + 1] === "^") return undefined;
  const label = linkLabelAt(text, from);
  if (!label || text[label.end] !== ":") return undefined;
  const start = skipSpace(text, label.end + 1);
  const target = destinationAt(text, start);
  if (!target || target.end === start) return undefined;
  const gap = skipSpace(text, target.end);
  const title = gap > target.end ? titleEnd(text, gap) : undefined;
  for (const end of [title, target.end]) {
    const line = end === undefined ? undefined : blankLineEnd(text, end);
    if (line !== undefined)
      return { label: label.label, destination: target.destination, end: line };
  }
  return undefined;
}

/** `[label]`, normalized. */
export function linkLabelAt(
  text: string,
  from: number,
): { label: string; end: number } | undefined {
  for (let at = from + 1; at < text.length && at - from <= maxLabelLength + 1; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "[") return undefined;
    else if (char === "]") {
      const label = normaliseLabel(text.slice(from + 1, at));
      return label === "" ? undefined : { label, end: at + 1 };
    }
  }
  return undefined;
}

export const normaliseLabel = (label: string): string =>
  label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();

function destinationAt(text: string, from: number): ParsedDestination | undefined {
  if (text[from] === "<") {
    const inside = /<((?:\\.|[^<>\n\\])*)>/sy;
    inside.lastIndex = from;
    const match = inside.exec(
      text.length - from > maxDestinationLength ? text.slice(0, from + maxDestinationLength) : text,
    );
    return match
      ? { destination: unescapeMarkdown(match[1] ?? ""), end: inside.lastIndex }
      : undefined;
  }
  let depth = 0;
  let at = from;
  for (; at < text.length && at - from < maxDestinationLength; at++) {
    const char = elementAt(text, at);
    if (char === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) at++;
    else if (char <= " " || char === "\x7f") break;
    else if (char === "(" && ++depth > maxParenthesisDepth) return undefined;
    else if (char === ")" && --depth < 0) break;
  }
  if (depth > 0) return undefined;
  return { destination: unescapeMarkdown(text.slice(from, at)), end: at };
}

/** The end of a link title in double quotes, single quotes or parentheses. */
function titleEnd(text: string, from: number): number | undefined {
  const close = { '"': '"', "'": "'", "(": ")" }[text[from] ?? ""];
  if (!close) return undefined;
  for (let at = from + 1; at < text.length && at - from < maxTitleLength; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === close) return at + 1;
    else if (text[at] === "(" && close === ")") return undefined;
  }
  return undefined;
}

/** Skips spaces and tabs with at most one line break. */
function skipSpace(text: string, from: number): number {
  const space = /[ \t]*(?:\n[ \t]*)?/y;
  space.lastIndex = from;
  space.exec(text);
  return space.lastIndex;
}

/** The start of the next line, if the rest of this line is blank. */
function blankLineEnd(text: string, from: number): number | undefined {
  const rest = /[ \t]*(?:\n|$)/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : undefined;
}
