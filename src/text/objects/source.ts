import { linesOf } from "../lines.ts";

/** A file cut into lines, with what stands in fences and in HTML comments told apart. */
export interface Source {
  /** Word for word, without the ends of lines. */
  readonly raw: readonly string[];
  /** The same lines, of the same length, with blanks in the place of HTML comments. */
  readonly lines: readonly string[];
  /** For each line the fence it belongs to, its first and last line included. */
  readonly fences: readonly (Fence | undefined)[];
}

export interface Fence {
  /** The index of the line that opens it. */
  start: number;
  /** The index behind its last line. */
  end: number;
  /** Whether a line closes it; otherwise it goes on to the end of the file. */
  isClosed: boolean;
  /** The words behind the opening marks. */
  info: string;
}

/** An index that starts at zero, as everywhere in the parser; only what is put out counts from one. */
export type LineIndex = number;

export function readSource(text: string): Source {
  const raw = linesOf(text);
  const lines = raw.slice();
  const fences: (Fence | undefined)[] = new Array(raw.length);
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

/** Three marks or more, no further in than three blanks; backticks with more behind are code. */
const opening = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;
const openingTilde = /^( {0,3})(~{3,})(.*)$/;

/**
 * Marks that are indented stand in a list item. They must be closed before it ends: otherwise a slip
 * in one item would make code of all that follows.
 */
function fenceFinder(lines: readonly string[]): (start: LineIndex) => Fence | undefined {
  /** Marks that are known to stay open up to a line, so that no line is searched for often. */
  let open = { marks: "", until: 0 };
  return (start) => {
    const line = lines[start] ?? "";
    if (!line.includes("```") && !line.includes("~~~")) return undefined;
    const found = opening.exec(line) ?? openingTilde.exec(line);
    if (!found) return undefined;
    const [, indent = "", marks = "", info = ""] = found;
    const isInItem = indent.length >= 2;
    if (isInItem && start < open.until && marks.startsWith(open.marks)) return undefined;
    let at = start + 1;
    for (; at < lines.length; at++) {
      const inner = lines[at] ?? "";
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
 * A comment at the start of a line may go on over many lines, up to the one where it ends. Elsewhere
 * it must end on its own line. One that never ends is ordinary text.
 */
function blankComments(lines: string[], at: LineIndex, lastEnd: LineIndex): void {
  const line = lines[at] ?? "";
  const visible = withoutCode(line);
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
  const line = lines[at] ?? "";
  lines[at] = line.slice(0, from) + " ".repeat(to - from) + line.slice(to);
}

/** The line with blanks in the place of code: from a run of backticks to the next as long. */
export function withoutCode(line: string): string {
  if (!line.includes("`")) return line;
  const runs = Array.from(line.matchAll(/`+/g), ({ 0: { length }, index }) => ({ index, length }));
  let visible = "";
  let shown = 0;
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at];
    let close = at + 1;
    while (close < runs.length && runs[close]?.length !== open?.length) close++;
    const end = runs[close];
    if (!open || !end) continue;
    const after = end.index + end.length;
    visible += line.slice(shown, open.index) + " ".repeat(after - open.index);
    shown = after;
    at = close;
  }
  return visible + line.slice(shown);
}

/** The blanks before the first letter; a tab counts as four. */
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

/** The lines from one index to another as a text, without the blank lines around it. */
export function slice(lines: readonly string[], from: LineIndex, to: LineIndex): string {
  let first = from;
  let end = to;
  while (first < end && isBlank(lines[first])) first++;
  while (first < end && isBlank(lines[end - 1])) end--;
  // Spaces and tabs only: other letters without a shape may matter to what the line is.
  return withoutTrailing(lines.slice(first, end).join("\n"), " \t");
}

/** A text without any of some letters at its end. */
export function withoutTrailing(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}
