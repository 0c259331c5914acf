import { type Token, tokensWithOffsets } from "../../src/text/search/tokens.ts";

/** A run of text, and whether it is one of the searched words. */
export interface HighlightRun {
  text: string;
  isMarked: boolean;
}

/**
 * Cuts a text at the boundaries of the searched words.
 *
 * ```
 * "Two loans, one lent."  for  loan  →  "Two " [loans] ", one lent."
 * ```
 */
export function splitHighlights(text: string, wanted: ReadonlySet<string>): HighlightRun[] {
  const runs: HighlightRun[] = [];
  const add = (run: string, isMarked: boolean): void => {
    if (run !== "") runs.push({ text: run, isMarked });
  };
  let done = 0;
  for (const { start, end } of mergeOverlapping(
    [...tokensWithOffsets(text)].filter(({ form }) => wanted.has(form)),
  )) {
    add(text.slice(done, start), false);
    add(text.slice(start, end), true);
    done = end;
  }
  add(text.slice(done), false);
  return runs;
}

/** Merges overlapping tokens: bigrams of a script without spaces, names and their parts. */
function mergeOverlapping(tokens: readonly Token[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of tokens) {
    const last = spans.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}
