import { groupedBy } from "./grouped.ts";

/** A line as it was read and as it is to be. */
export interface LineEdit {
  /** Counted from one. */
  line: number;
  before: string;
  after: string;
}

/** A stretch within a line, and what is to stand in its place. */
export interface Replacement {
  line: number;
  /** In UTF-16 units from zero. */
  start: number;
  length: number;
  text: string;
}

/** The edits that put all replacements in place. Of those that overlap the first is taken. */
export function lineEditsOf(
  lines: readonly string[],
  replacements: readonly Replacement[],
): LineEdit[] {
  const edits: LineEdit[] = [];
  for (const [line, ofLine] of groupedBy(replacements, (one) => one.line)) {
    const before = lines[line - 1] ?? "";
    let after = "";
    let done = 0;
    for (const { start, length, text } of ofLine.toSorted((a, b) => a.start - b.start)) {
      if (start < done) continue;
      after += before.slice(done, start) + text;
      done = start + length;
    }
    after += before.slice(done);
    if (after !== before) edits.push({ line, before, after });
  }
  return edits.sort((a, b) => a.line - b.line);
}

/**
 * The text with its lines edited, every line end as it was. A line may have moved meanwhile; where
 * it is no longer there, or there are several like it, nothing is given.
 */
export function withLinesEdited(text: string, edits: readonly LineEdit[]): string | undefined {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  // Lines stand at even places, their ends between them.
  const parts = text.slice(mark.length).split(/(\r\n|\n|\r)/);
  for (const { line, before, after } of edits) {
    const at = placeOf(parts, line, before);
    if (at === undefined) return undefined;
    parts[at] = after;
  }
  return mark + parts.join("");
}

function placeOf(parts: readonly string[], line: number, wanted: string): number | undefined {
  const expected = (line - 1) * 2;
  if (parts[expected] === wanted) return expected;
  const places = parts.flatMap((part, at) => (at % 2 === 0 && part === wanted ? [at] : []));
  return places.length === 1 ? places[0] : undefined;
}
