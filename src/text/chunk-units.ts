import { frontmatterLength } from "./frontmatter.ts";
import { headingsOf } from "./headings.ts";

/** A part of a section that is cut within only where it is too long by itself. */
export interface Unit {
  start: number;
  /** After its line break and the blank lines that follow. */
  end: number;
  /** What ends with it, and so how good a place for a cut its end is. */
  closes: Closing;
  /** Where the code fence ends that begins with it. */
  fenceEnd?: number;
  /** Known once it was counted. */
  tokens?: number;
}

/** From the best place for a cut to the worst. A heading belongs to what is below it. */
export const closings = ["block", "line", "sentence", "heading"] as const;

type Closing = (typeof closings)[number];

/** Sentences, lines of code and headings. A block is a paragraph, a fence or the front matter. */
export function unitsOf(text: string): Unit[] {
  const lines = text.split("\n");
  const matter = frontmatterLength(lines);
  const head = headLength(lines, () => true);
  const units: Unit[] = [];
  let fence: { opening: Unit; mark: string; indent: number } | undefined;
  let end = 0;
  for (const [index, line] of lines.entries()) {
    const start = end;
    end = Math.min(start + line.length + 1, text.length);
    const before = units.at(-1);
    const { mark, indent } = fenceMark(line);
    if (isBlank(line)) {
      if (before) before.end = end;
      if (!fence && index >= matter) closeBlock(before);
    } else if (fence) {
      const unit: Unit = { start, end, closes: "line" };
      units.push(unit);
      if (!mark.startsWith(fence.mark) || line.trim() !== mark) continue;
      if (indent > fence.indent + 3) continue;
      unit.closes = "block";
      fence.opening.fenceEnd = end;
      fence = undefined;
    } else if (index < matter) {
      units.push({ start, end, closes: index === matter - 1 ? "block" : "line" });
    } else if (index < head) {
      units.push({ start, end, closes: "heading" });
    } else if (mark !== "") {
      closeBlock(before);
      const opening: Unit = { start, end, closes: "line" };
      units.push(opening);
      fence = { opening, mark, indent };
    } else {
      for (const unit of sentencesOf(line, start, end)) units.push(unit);
    }
  }
  const last = units.at(-1);
  if (last) last.closes = "block";
  if (fence) fence.opening.fenceEnd = end;
  return units;
}

/** How many lines at the start are headings and blank ones between them. */
export function headLength(lines: readonly string[], isMeant: (title: string) => boolean): number {
  let length = 0;
  for (const { title, line } of headingsOf(lines)) {
    if (!lines.slice(length, line - 1).every(isBlank) || !isMeant(title)) break;
    const isUnderlined = !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(lines[line - 1] ?? "");
    length = isUnderlined ? line + 1 : line;
  }
  return length;
}

const isBlank = (line: string): boolean => line.trim() === "";

/** Those in lists count too, however far they stand in; code between marks on one line does not. */
function fenceMark(line: string): { mark: string; indent: number } {
  const [all = "", mark = ""] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
  const isInline = mark.startsWith("`") && line.includes("`", all.length);
  return isInline ? { mark: "", indent: 0 } : { mark, indent: all.length - mark.length };
}

function closeBlock(unit: Unit | undefined): void {
  if (unit && unit.closes !== "heading") unit.closes = "block";
}

function* sentencesOf(line: string, start: number, end: number): Generator<Unit> {
  let from = start;
  for (const { 0: mark, index } of line.matchAll(/[.!?…]["'”’)\]]*\s+|[。！？]/g)) {
    const to = start + index + mark.length;
    if (to >= start + line.length) break;
    yield { start: from, end: to, closes: "sentence" };
    from = to;
  }
  yield { start: from, end, closes: "line" };
}
