import { elementAt } from "../../arrays/element-at.ts";
import { splitLines } from "../../strings/lines.ts";

/** The lines of a file, with code fences and HTML comments identified. */
export interface SourceLines {
  /** Verbatim, without line endings. */
  readonly raw: readonly string[];
  /** The same lines at the same length, with HTML comments replaced by spaces. */
  readonly lines: readonly string[];
  /** For each line, the fence that contains it; includes the fence lines. */
  readonly fences: readonly (CodeFence | undefined)[];
}

export interface CodeFence {
  /** The index of the opening line. */
  start: number;
  /** The index after the last line. */
  end: number;
  /** Whether it is closed; otherwise it extends to the end of the file. */
  isClosed: boolean;
  /** The info string. */
  info: string;
}

/** Line indexes in the parser start at 0; only output counts from 1. */
export type LineIndex = number;

export function scanSource(text: string): SourceLines {
  const raw = splitLines(text);
  const lines = raw.slice();
  const fences: (CodeFence | undefined)[] = new Array(raw.length);
  const fenceAt = fenceFinder(lines);
  const lastEnd = raw.findLastIndex((line) => line.includes("-->"));
  for (let at = 0; at < raw.length; at++) {
    const fence = fenceAt(at);
    if (fence) {
      fences.fill(fence, at, fence.end);
      at = fence.end - 1;
    } else if (lines[at]?.includes("<!--")) blankComments(lines, at, lastEnd);
  }
  return { raw, lines, fences };
}

/**
 * At least three marks, indented by at most three spaces. Backticks later in the line make it
 * inline code.
 */
const opening = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;
const openingTilde = /^( {0,3})(~{3,})(.*)$/;

/**
 * An indented fence is inside a list item and must be closed before the item ends. Otherwise a typo
 * in one item would turn the rest of the file into code.
 */
function fenceFinder(lines: readonly string[]): (start: LineIndex) => CodeFence | undefined {
  /** Marks known to be unclosed up to a line, to avoid scanning lines repeatedly. */
  let open = { marks: "", until: 0 };
  return (start) => {
    const line = elementAt(lines, start);
    if (!line.includes("```") && !line.includes("~~~")) return undefined;
    const found = opening.exec(line) ?? openingTilde.exec(line);
    if (!found) return undefined;
    const [, indent = "", marks = "", info = ""] = found;
    const isInItem = indent.length >= 2;
    if (isInItem && start < open.until && marks.startsWith(open.marks)) return undefined;
    let at = start + 1;
    for (; at < lines.length; at++) {
      const inner = elementAt(lines, at);
      const trimmed = inner.trim();
      if (isInItem && trimmed !== "" && indentOf(inner) < 2) break;
      if (trimmed.startsWith(marks) && isRunOf(trimmed, marks[0] ?? "") && indentOf(inner) <= 3) {
        return { start, end: at + 1, isClosed: true, info: info.trim() };
      }
    }
    if (!isInItem) return { start, end: lines.length, isClosed: false, info: info.trim() };
    open = { marks, until: at };
    return undefined;
  };
}

function isRunOf(text: string, mark: string): boolean {
  for (let at = 0; at < text.length; at++) if (text[at] !== mark) return false;
  return true;
}

/**
 * A comment that starts a line may span lines. Elsewhere it must end on its line. An unclosed
 * comment is text.
 */
function blankComments(lines: string[], at: LineIndex, lastEnd: LineIndex): void {
  const line = elementAt(lines, at);
  const visible = blankOutCode(line);
  let from = visible.indexOf("<!--");
  for (;;) {
    const end = from < 0 ? -1 : line.indexOf("-->", from + 4);
    if (end < 0) break;
    blank(lines, at, from, end + 3);
    from = visible.indexOf("<!--", end + 3);
  }
  const opensHere = from >= 0 && from <= 3 && line.slice(0, from).trim() === "";
  if (!opensHere || lastEnd <= at) return;
  blank(lines, at, from, line.length);
  let last = at + 1;
  while (!lines[last]?.includes("-->")) lines[last++] = "";
  blank(lines, last, 0, (lines[last]?.indexOf("-->") ?? 0) + 3);
}

function blank(lines: string[], at: LineIndex, from: number, to: number): void {
  const line = elementAt(lines, at);
  lines[at] = line.slice(0, from) + " ".repeat(to - from) + line.slice(to);
}

/** Replaces code spans by spaces: from a backtick run to the next of the same length. */
export function blankOutCode(line: string): string {
  if (!line.includes("`")) return line;
  const runs = Array.from(line.matchAll(/`+/g), ({ 0: { length }, index }) => ({ index, length }));
  let visible = "";
  let copiedTo = 0;
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at];
    let close = at + 1;
    while (close < runs.length && runs[close]?.length !== open?.length) close++;
    const end = runs[close];
    if (!open || !end) continue;
    const after = end.index + end.length;
    visible += line.slice(copiedTo, open.index) + " ".repeat(after - open.index);
    copiedTo = after;
    at = close;
  }
  return visible + line.slice(copiedTo);
}

/** The indentation; a tab counts as four spaces. */
export function indentOf(line: string): number {
  let indent = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") indent++;
    else if (line[at] === "\t") indent += 4;
    else break;
  }
  return indent;
}

export const isBlank = (line: string | undefined): boolean => !line || line.trim() === "";

/** The lines between two indexes as text, without surrounding blank lines. */
export function trimmedSlice(lines: readonly string[], from: LineIndex, to: LineIndex): string {
  let first = from;
  let end = to;
  while (first < end && isBlank(lines[first])) first++;
  while (first < end && isBlank(lines[end - 1])) end--;
  // Only spaces and tabs: other white space may be significant.
  return trimEndChars(lines.slice(first, end).join("\n"), " \t");
}

/** Removes the given characters from the end of a text. */
export function trimEndChars(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(elementAt(text, end - 1))) end--;
  return text.slice(0, end);
}
