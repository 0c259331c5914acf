import { splitsSurrogatePair } from "../strings/surrogates.ts";
import { computeDiff } from "./diff.ts";
import { uniqueCommonParts } from "./patience-diff.ts";

/** Replaces the text between two offsets, in UTF-16 units. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits that are sorted by offset and do not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: replacement } of edits) {
    parts.push(text.slice(copied, start), replacement);
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

/**
 * Infers the edits that turn one text into another: diffs lines, then words within changed lines,
 * then trims common characters from the ends of each edit. The user's edits may have been different.
 */
export function diffEdits(before: string, after: string): TextEdit[] {
  return refineHunks(before, diffLines(linesWithEnds(before), linesWithEnds(after)), (hunk) => {
    const wordEdits = diffParts(
      wordsAndGaps(before.slice(hunk.start, hunk.end)),
      wordsAndGaps(hunk.text),
    );
    return wordEdits.map(({ start, end, text }) =>
      trimCommonEnds(before, { start: start + hunk.start, end: end + hunk.start, text }),
    );
  });
}

function refineHunks(
  before: string,
  hunks: readonly TextEdit[],
  narrow: (hunk: TextEdit) => TextEdit[],
): TextEdit[] {
  return hunks.flatMap((hunk) =>
    hunk.start === hunk.end || hunk.text === "" ? [trimCommonEnds(before, hunk)] : narrow(hunk),
  );
}

const linesWithEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const wordsAndGaps = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+|\s+|./gsu) ?? [];

/** Patience diff: aligns the lines that are unique in both texts, then diffs between them. */
function diffLines(oldLines: readonly string[], newLines: readonly string[]): TextEdit[] {
  const edits: TextEdit[] = [];
  let offset = 0;
  let [oldStart, newStart] = [0, 0];
  const end = { oldIndex: oldLines.length, newIndex: newLines.length };
  for (const { oldIndex, newIndex } of [...uniqueCommonParts(oldLines, newLines), end]) {
    const gap = oldLines.slice(oldStart, oldIndex);
    for (const edit of diffParts(gap, newLines.slice(newStart, newIndex))) {
      edits.push({ start: edit.start + offset, end: edit.end + offset, text: edit.text });
    }
    offset += totalLength(oldLines.slice(oldStart, oldIndex + 1));
    [oldStart, newStart] = [oldIndex + 1, newIndex + 1];
  }
  return edits;
}

const totalLength = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + part.length, 0);

/** The edits between two lists of parts. Adjacent removed and added runs become one edit. */
function diffParts(oldParts: readonly string[], newParts: readonly string[]): TextEdit[] {
  const edits: TextEdit[] = [];
  let offset = 0;
  let current: TextEdit | undefined;
  for (const { sign, parts } of computeDiff(oldParts, newParts)) {
    if (sign === " ") {
      current = undefined;
      offset += totalLength(parts);
      continue;
    }
    if (!current) {
      current = { start: offset, end: offset, text: "" };
      edits.push(current);
    }
    if (sign === "+") current.text += parts.join("");
    else {
      offset += totalLength(parts);
      current.end = offset;
    }
  }
  return edits;
}

/** Trims the common prefix and suffix of an edit, without cutting a character in half. */
function trimCommonEnds(before: string, { start, end, text }: TextEdit): TextEdit {
  let from = start;
  let [last, until] = [end, text.length];
  while (from < last && from - start < until && before[from] === text[from - start]) from++;
  if (splitsSurrogatePair(before, from) || splitsSurrogatePair(text, from - start)) from--;
  while (last > from && until > from - start && before[last - 1] === text[until - 1]) {
    last--;
    until--;
  }
  if (splitsSurrogatePair(before, last) || splitsSurrogatePair(text, until)) {
    last++;
    until++;
  }
  return { start: from, end: last, text: text.slice(from - start, until) };
}
