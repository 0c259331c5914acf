import { elementAt } from "../arrays/element-at.ts";
import { frontmatterLength } from "../markdown/frontmatter.ts";
import { readHeadings } from "../markdown/headings.ts";

/** The smallest part of a section, split further only if it exceeds the token limit by itself. */
export interface ChunkUnit {
  start: number;
  /** After the line break and the blank lines that follow. */
  end: number;
  /** The kind of boundary at its end. */
  boundary: BoundaryKind;
  /** For the opening line of a code fence, the end of that fence. */
  fenceEnd?: number;
  /** The token count, filled in when first needed. */
  tokens?: number;
}

/** From the best boundary for a cut to the worst. A heading should not be cut from its content. */
export const boundaryKinds = ["block", "line", "sentence", "heading"] as const;

type BoundaryKind = (typeof boundaryKinds)[number];

/**
 * Splits a section into sentences, lines of code and headings. Paragraphs, code fences and front
 * matter end with a "block" boundary.
 */
export function splitIntoUnits(text: string): ChunkUnit[] {
  const lines = text.split("\n");
  const frontmatterEnd = frontmatterLength(lines);
  const headEnd = leadingHeadingLines(lines, () => true);
  const units: ChunkUnit[] = [];
  let fence: { opening: ChunkUnit; mark: string; indent: number } | undefined;
  let end = 0;
  for (const [index, line] of lines.entries()) {
    const start = end;
    end = Math.min(start + line.length + 1, text.length);
    const previous = units.at(-1);
    const { mark, indent } = fenceMark(line);
    if (isBlank(line)) {
      if (previous) previous.end = end;
      if (!fence && index >= frontmatterEnd) markBlockEnd(previous);
    } else if (fence) {
      const unit: ChunkUnit = { start, end, boundary: "line" };
      units.push(unit);
      if (!mark.startsWith(fence.mark) || line.trim() !== mark) continue;
      if (indent > fence.indent + 3) continue;
      unit.boundary = "block";
      fence.opening.fenceEnd = end;
      fence = undefined;
    } else if (index < frontmatterEnd) {
      units.push({ start, end, boundary: index === frontmatterEnd - 1 ? "block" : "line" });
    } else if (index < headEnd) {
      units.push({ start, end, boundary: "heading" });
    } else if (mark !== "") {
      markBlockEnd(previous);
      const opening: ChunkUnit = { start, end, boundary: "line" };
      units.push(opening);
      fence = { opening, mark, indent };
    } else {
      for (const unit of sentencesOf(line, start, end)) units.push(unit);
    }
  }
  const last = units.at(-1);
  if (last) last.boundary = "block";
  if (fence) fence.opening.fenceEnd = end;
  return units;
}

/** The number of lines at the start that are accepted headings and blank lines between them. */
export function leadingHeadingLines(
  lines: readonly string[],
  accepts: (title: string) => boolean,
): number {
  let length = 0;
  for (const { title, line } of readHeadings(lines)) {
    if (!lines.slice(length, line - 1).every(isBlank) || !accepts(title)) break;
    const isSetext = !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(elementAt(lines, line - 1));
    length = isSetext ? line + 1 : line;
  }
  return length;
}

const isBlank = (line: string): boolean => line.trim() === "";

/** The code fence of a line, at any indent because lists can contain fences; not inline code. */
function fenceMark(line: string): { mark: string; indent: number } {
  const [prefix = "", mark = ""] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
  const isInline = mark.startsWith("`") && line.includes("`", prefix.length);
  return isInline ? { mark: "", indent: 0 } : { mark, indent: prefix.length - mark.length };
}

function markBlockEnd(unit: ChunkUnit | undefined): void {
  if (unit && unit.boundary !== "heading") unit.boundary = "block";
}

function* sentencesOf(line: string, start: number, end: number): Generator<ChunkUnit> {
  let from = start;
  for (const { 0: mark, index } of line.matchAll(/[.!?…]["'”’)\]]*\s+|[。！？]/g)) {
    const to = start + index + mark.length;
    if (to >= start + line.length) break;
    yield { start: from, end: to, boundary: "sentence" };
    from = to;
  }
  yield { start: from, end, boundary: "line" };
}
