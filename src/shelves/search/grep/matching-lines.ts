import { elementAt } from "../../../text/arrays/element-at.ts";
import type { LineSearch } from "../../../text/patterns/line-search.ts";

/** A line that matches, with the lines around it that no other match shows. */
export interface MatchingLine {
  /** Counted from 1. */
  line: number;
  column: number;
  text: string;
  before?: string[] | undefined;
  after?: string[] | undefined;
}

interface MatchOptions {
  before: number;
  after: number;
  /** The most matches. */
  limit: number;
  /** A line without a match that was searched only in part. */
  onCutLine: () => void;
}

/** Lines are shortened around the match; longer ones are data rather than text. */
const maxShownLength = 500;

const linesPerPause = 1_000;

/** Yields `undefined` now and then, where the caller may give way to other work. */
export function* findMatchingLines(
  lines: readonly string[],
  search: LineSearch,
  { before, after, limit, onCutLine }: MatchOptions,
): Generator<MatchingLine | undefined> {
  let found: { index: number; offset: number } | undefined;
  let count = 0;
  let shownTo = 0;
  for (const [index, line] of lines.entries()) {
    if (found && index > found.index + after) {
      yield toMatchingLine(found, index);
      found = undefined;
    }
    if (index % linesPerPause === linesPerPause - 1) yield undefined;
    const offset = search.find(line);
    if (offset < 0) {
      if (line.length > search.maxLength && search.mayMatch(line)) onCutLine();
      continue;
    }
    // The context after a match ends where the next one begins.
    if (found) yield toMatchingLine(found, index);
    if (count++ >= limit) return;
    found = { index, offset };
  }
  if (found) yield toMatchingLine(found, lines.length);

  function toMatchingLine({ index, offset }: { index: number; offset: number }, next: number) {
    const start = Math.max(index - before, shownTo);
    shownTo = Math.min(index + 1 + after, next);
    return {
      line: index + 1,
      column: offset + 1,
      text: shortenAround(elementAt(lines, index), offset),
      ...(start < index && { before: lines.slice(start, index).map(shortenLine) }),
      ...(shownTo > index + 1 && { after: lines.slice(index + 1, shownTo).map(shortenLine) }),
    };
  }
}

const shortenLine = (line: string): string => shortenAround(line, 0);

function shortenAround(line: string, offset: number): string {
  if (line.length <= maxShownLength) return line;
  const start = Math.max(0, Math.min(offset - 100, line.length - maxShownLength));
  const end = start + maxShownLength;
  const part = line.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${end < line.length ? "…" : ""}`;
}
