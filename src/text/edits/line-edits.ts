import { elementAt } from "../arrays/element-at.ts";
import { groupBy } from "../arrays/group-by.ts";

/** A line before and after an edit. */
export interface LineEdit {
  /** Counted from 1. */
  line: number;
  before: string;
  after: string;
}

/** Replaces a part of a line. */
export interface LineReplacement {
  line: number;
  /** In UTF-16 units from 0. */
  start: number;
  length: number;
  text: string;
}

/** Combines replacements into one edit per changed line. Of overlapping ones, the first wins. */
export function toLineEdits(
  lines: readonly string[],
  replacements: readonly LineReplacement[],
): LineEdit[] {
  const edits: LineEdit[] = [];
  for (const [line, inLine] of groupBy(replacements, (replacement) => replacement.line)) {
    const before = elementAt(lines, line - 1);
    let after = "";
    let copied = 0;
    for (const { start, length, text } of inLine.toSorted((a, b) => a.start - b.start)) {
      if (start < copied) continue;
      after += before.slice(copied, start) + text;
      copied = start + length;
    }
    after += before.slice(copied);
    if (after !== before) edits.push({ line, before, after });
  }
  return edits.sort((a, b) => a.line - b.line);
}

/**
 * Applies line edits and preserves the line endings. A line may have moved since the edit was
 * computed; undefined if it no longer exists or its new position is ambiguous.
 */
export function applyLineEdits(text: string, edits: readonly LineEdit[]): string | undefined {
  const byteOrderMark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  // Lines are at even indexes, their line endings at odd ones.
  const parts = text.slice(byteOrderMark.length).split(/(\r\n|\n|\r)/);
  for (const { line, before, after } of edits) {
    const index = locateLine(parts, line, before);
    if (index === undefined) return undefined;
    parts[index] = after;
  }
  return byteOrderMark + parts.join("");
}

function locateLine(parts: readonly string[], line: number, wanted: string): number | undefined {
  const expected = (line - 1) * 2;
  if (parts[expected] === wanted) return expected;
  const indexes = parts.flatMap((part, index) =>
    index % 2 === 0 && part === wanted ? [index] : [],
  );
  return indexes.length === 1 ? indexes[0] : undefined;
}
