import { countBelow } from "../../../text/ascending.ts";
import { type Offsets, offsetsOf } from "../../../text/offsets.ts";
import { nearestPlace } from "../../../text/quotes.ts";

/** A passage as another program says where it is, with its title where it has one. */
interface Said {
  start: number;
  end: number;
  title?: string | undefined;
}

interface Anchored {
  start: number;
  end: number;
  /** True where it lies elsewhere than was said. */
  isMoved: boolean;
}

/** Places passages of another program in one text. */
export interface Anchors {
  readonly offsets: Offsets;
  /** Undefined where there is no such place. */
  place(said: Said): Anchored | undefined;
}

/** How many letters one file may have searched for quotes: one of many false positions ends here. */
export interface SearchBudget {
  left: number;
}

export const searchBudget = (): SearchBudget => ({ left: 1_000_000_000 });

/** Titles of fewer letters may stand anywhere by chance, and more of them than this tell no more. */
const leastQuote = 10;
const mostQuote = 200;

/**
 * Positions should count code points; some programs count UTF-16 units, some count line ends as two
 * characters or as one. The title of a passage mostly begins with its words, and so tells which
 * count was meant.
 */
export function anchorsIn(text: string, budget: SearchBudget): Anchors {
  const offsets = offsetsOf(text);
  let others: Count[] | undefined;
  const isInside = ({ start, end }: Range): boolean =>
    0 <= start && start < end && end <= offsets.length;
  return {
    offsets,
    place(said) {
      const { start, end } = said;
      const quote = quoteIn(said);
      const agrees = (range: Range): boolean =>
        isInside(range) && beginsWith(offsets, range, quote);
      if (agrees(said)) return { start, end, isMoved: false };
      // Most files count as they should, and need none of them.
      others ??= otherCounts(text, offsets);
      const other =
        others.map((count) => ({ start: count(start), end: count(end) })).find(agrees) ??
        quotedPlace(text, offsets, said, budget);
      if (other && isInside(other)) return { ...other, isMoved: true };
      return isInside(said) ? { start, end, isMoved: false } : undefined;
    },
  };
}

interface Range {
  start: number;
  end: number;
}

const isCut = (title: string): boolean => /(…|\.\.\.)$/.test(title);

const quoteIn = ({ title = "" }: Said): string =>
  spaced(title.replace(/(…|\.\.\.)$/, "").slice(0, mostQuote));

const spaced = (words: string): string => words.replace(/\s+/g, " ").trim();

function beginsWith(offsets: Offsets, { start, end }: Range, quote: string): boolean {
  // White space may be longer in the text than in the title.
  const enough = Math.min(end, start + quote.length * 2 + 100);
  return spaced(offsets.slice(start, enough)).startsWith(quote);
}

/** From a position as another program counts to ours. */
type Count = (position: number) => number;

function otherCounts(text: string, offsets: Offsets): Count[] {
  const pairs = placesOf(text, offsets, /\r\n/g);
  const feeds = placesOf(text, offsets, /(?<!\r)\n/g);
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

const placesOf = (text: string, offsets: Offsets, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(({ index }) => offsets.codePointAt(index));

/**
 * A title that was cut, or is as long as the passage, is a quote of it and is looked for in the
 * text. Other titles are a person's own words and say nothing about a place.
 */
function quotedPlace(
  text: string,
  offsets: Offsets,
  said: Said,
  budget: SearchBudget,
): Range | undefined {
  const { start, end, title = "" } = said;
  const quote = quoteIn(said);
  const isWhole = Math.abs([...quote].length - (end - start)) <= 2;
  if (quote.length < leastQuote || !(isCut(title) || isWhole)) return undefined;
  budget.left -= text.length;
  if (budget.left < 0) return undefined;
  const near = Math.min(Math.max(start, 0), offsets.length);
  const place = nearestPlace(text, quote, offsets.unitAt(near));
  if (!place) return undefined;
  const found = offsets.codePointAt(place.start);
  const last = isWhole ? offsets.codePointAt(place.end) : found + (end - start);
  return { start: found, end: Math.min(last, offsets.length) };
}
