import { countBelow } from "../../../text/arrays/binary-search.ts";
import { type CodePointOffsets, codePointOffsets } from "../../../text/spans/offsets.ts";
import { findNearestQuote } from "../../../text/spans/quote-search.ts";

/** A passage with the position, and possibly the title, that another program gives it. */
interface StatedPassage {
  start: number;
  end: number;
  title?: string | undefined;
}

interface AnchoredPassage {
  start: number;
  end: number;
  /** Whether the position differs from the given one. */
  isMoved: boolean;
}

/** Finds the passages of another program in one text. */
export interface PassageAnchors {
  readonly offsets: CodePointOffsets;
  /** Undefined if the passage is not found. */
  anchor(stated: StatedPassage): AnchoredPassage | undefined;
}

/**
 * Limits how many characters are searched for quotes per file: a file with many wrong positions
 * would otherwise take too long.
 */
export interface SearchBudget {
  left: number;
}

export const createSearchBudget = (): SearchBudget => ({ left: 1_000_000_000 });

/** Shorter quotes are not searched, since they may match by chance. Longer ones are truncated. */
const minQuoteLength = 10;
const maxQuoteLength = 200;

/**
 * Positions should count code points, but some programs count UTF-16 units, or count line ends as
 * two characters or as one. The title of a passage usually starts with its text, so it shows which
 * count was used.
 */
export function createPassageAnchors(text: string, budget: SearchBudget): PassageAnchors {
  const offsets = codePointOffsets(text);
  let others: PositionConversion[] | undefined;
  const isInside = ({ start, end }: Range): boolean =>
    0 <= start && start < end && end <= offsets.length;
  return {
    offsets,
    anchor(stated) {
      const { start, end } = stated;
      const quote = quoteOf(stated);
      const agrees = (range: Range): boolean =>
        isInside(range) && beginsWith(offsets, range, quote);
      if (agrees(stated)) return { start, end, isMoved: false };
      // Created lazily: most files count code points.
      others ??= otherConversions(text, offsets);
      const other =
        others.map((count) => ({ start: count(start), end: count(end) })).find(agrees) ??
        findQuotedRange(text, offsets, stated, budget);
      if (other && isInside(other)) return { ...other, isMoved: true };
      return isInside(stated) ? { start, end, isMoved: false } : undefined;
    },
  };
}

interface Range {
  start: number;
  end: number;
}

const isCut = (title: string): boolean => /(…|\.\.\.)$/.test(title);

const quoteOf = ({ title = "" }: StatedPassage): string =>
  collapseSpaces(title.replace(/(…|\.\.\.)$/, "").slice(0, maxQuoteLength));

const collapseSpaces = (text: string): string => text.replace(/\s+/g, " ").trim();

function beginsWith(offsets: CodePointOffsets, { start, end }: Range, quote: string): boolean {
  // White space in the text may be longer than in the title.
  const searchEnd = Math.min(end, start + quote.length * 2 + 100);
  return collapseSpaces(offsets.slice(start, searchEnd)).startsWith(quote);
}

/** Converts another program's position to code points. */
type PositionConversion = (position: number) => number;

function otherConversions(text: string, offsets: CodePointOffsets): PositionConversion[] {
  const pairs = positionsOf(text, offsets, /\r\n/g);
  const feeds = positionsOf(text, offsets, /(?<!\r)\n/g);
  return [
    (unit) => offsets.codePointAt(unit),
    ...(pairs.length > 0
      ? [
          (position: number) =>
            position + countBelow(pairs, (pair, before) => pair - before < position),
        ]
      : []),
    ...(feeds.length > 0
      ? [
          (position: number) =>
            position - countBelow(feeds, (feed, before) => feed + before < position),
        ]
      : []),
  ];
}

const positionsOf = (text: string, offsets: CodePointOffsets, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(({ index }) => offsets.codePointAt(index));

/**
 * A title that was truncated, or is as long as the passage, is a quote of it and is searched in the
 * text. Other titles are free text and do not locate the passage.
 */
function findQuotedRange(
  text: string,
  offsets: CodePointOffsets,
  stated: StatedPassage,
  budget: SearchBudget,
): Range | undefined {
  const { start, end, title = "" } = stated;
  const quote = quoteOf(stated);
  const isWhole = Math.abs([...quote].length - (end - start)) <= 2;
  if (quote.length < minQuoteLength || !(isCut(title) || isWhole)) return undefined;
  budget.left -= text.length;
  if (budget.left < 0) return undefined;
  const hint = Math.min(Math.max(start, 0), offsets.length);
  const match = findNearestQuote(text, quote, offsets.unitAt(hint));
  if (!match) return undefined;
  const position = offsets.codePointAt(match.start);
  const last = isWhole ? offsets.codePointAt(match.end) : position + (end - start);
  return { start: position, end: Math.min(last, offsets.length) };
}
