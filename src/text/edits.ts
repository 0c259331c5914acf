import { stepsBetween } from "./difference.ts";
import { landmarks } from "./landmarks.ts";

/** Takes out what stands between two places of a text, in UTF-16 units, and puts words there. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The text after edits that stand in its order and do not overlap. */
export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text: words } of edits) {
    parts.push(text.slice(done, start), words);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/**
 * The edits that make one text of another: first by lines, then by words in lines that changed,
 * then without the letters that both begin or end with. A guess, since nobody saw them made.
 */
export function editsBetween(before: string, after: string): Edit[] {
  return narrowed(before, lineEdits(linesIn(before), linesIn(after)), (hunk) => {
    const words = partEdits(wordsIn(before.slice(hunk.start, hunk.end)), wordsIn(hunk.text));
    return words.map(({ start, end, text }) =>
      trimmed(before, { start: start + hunk.start, end: end + hunk.start, text }),
    );
  });
}

function narrowed(before: string, hunks: readonly Edit[], narrow: (hunk: Edit) => Edit[]): Edit[] {
  return hunks.flatMap((hunk) =>
    hunk.start === hunk.end || hunk.text === "" ? [trimmed(before, hunk)] : narrow(hunk),
  );
}

const linesIn = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+|\s+|./gsu) ?? [];

/** Edits between two lists of lines, found between one landmark and the next. */
function lineEdits(old: readonly string[], fresh: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let place = 0;
  let [oldDone, freshDone] = [0, 0];
  const end = { old: old.length, fresh: fresh.length };
  for (const mark of [...landmarks(old, fresh), end]) {
    const gap = old.slice(oldDone, mark.old);
    for (const { start, end: until, text } of partEdits(gap, fresh.slice(freshDone, mark.fresh))) {
      edits.push({ start: start + place, end: until + place, text });
    }
    place += lengthOf(gap) + (old[mark.old]?.length ?? 0);
    [oldDone, freshDone] = [mark.old + 1, mark.fresh + 1];
  }
  return edits;
}

const lengthOf = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + part.length, 0);

/** Edits between two lists of parts, each run of parts that differ as one. */
function partEdits(old: readonly string[], fresh: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let place = 0;
  let open: Edit | undefined;
  for (const { sign, line } of stepsBetween(old, fresh)) {
    if (sign === " ") {
      open = undefined;
      place += line.length;
      continue;
    }
    if (!open) {
      open = { start: place, end: place, text: "" };
      edits.push(open);
    }
    if (sign === "+") open.text += line;
    else {
      place += line.length;
      open.end = place;
    }
  }
  return edits;
}

/** Without what both sides have at their ends; a character of two units is never cut. */
function trimmed(before: string, { start, end, text }: Edit): Edit {
  let from = start;
  let [last, until] = [end, text.length];
  while (from < last && from - start < until && before[from] === text[from - start]) from++;
  if (isCut(before, from) || isCut(text, from - start)) from--;
  while (last > from && until > from - start && before[last - 1] === text[until - 1]) {
    last--;
    until--;
  }
  if (isCut(before, last) || isCut(text, until)) {
    last++;
    until++;
  }
  return { start: from, end: last, text: text.slice(from - start, until) };
}

/** Whether a place lies between the two halves of a character. */
const isCut = (text: string, place: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(place - 1, place + 1)) && place > 0;
