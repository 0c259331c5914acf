import { placedTokens, type Token } from "../../src/text/tokens.ts";

/** A run of text, and whether it is one of the words that were looked for. */
export interface Run {
  text: string;
  isMarked: boolean;
}

/**
 * Cuts a text at the borders of its wanted words.
 *
 * ```
 * "Two loans, one lent."  for  loan  →  "Two " [loans] ", one lent."
 * ```
 */
export function runsOf(text: string, wanted: ReadonlySet<string>): Run[] {
  const runs: Run[] = [];
  const add = (words: string, isMarked: boolean): void => {
    if (words !== "") runs.push({ text: words, isMarked });
  };
  let done = 0;
  for (const { start, end } of joined(
    [...placedTokens(text)].filter(({ form }) => wanted.has(form)),
  )) {
    add(text.slice(done, start), false);
    add(text.slice(start, end), true);
    done = end;
  }
  add(text.slice(done), false);
  return runs;
}

/** Words in the order of the text; pairs of letters that overlap become one. */
function joined(found: readonly Token[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last && start < last.end) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}
