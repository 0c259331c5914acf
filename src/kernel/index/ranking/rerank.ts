import { elementAt } from "../../../text/arrays/element-at.ts";
import type { Query } from "../../../text/search/query.ts";
import { scanWords, tokenize } from "../../../text/search/tokens.ts";
import type { TermPositions } from "../segments/positions.ts";
import { findRow } from "../segments/postings.ts";
import type { PositionSource } from "./phrase-filter.ts";
import { maxProximity, type ProximityQuery, proximityOf } from "./proximity.ts";
import type { QueryTerm } from "./query-term.ts";
import type { Ranking } from "./ranking.ts";

/** This many of the best passages by words alone are ranked again by proximity. */
export const rerankedPassages = 50;

/** Variants of a word beyond these, such as completions, are not looked up for proximity. */
const maxVariants = 4;

/**
 * The score of a passage by its words and their proximity, or any lower one if that is below
 * `tooLow`.
 */
export interface ProximityScorer {
  scoreOf(passage: number, tooLow: number): number;
  /** The most that proximity can make of a score by words. */
  maxScore(score: number): number;
}

/** Undefined if the query has no two words whose proximity could count. */
export function createProximityScorer(
  query: Query,
  terms: ReadonlyMap<string, QueryTerm>,
  ranking: Ranking,
  source: PositionSource,
): ProximityScorer | undefined {
  const all = [...terms.values()];
  if (all.filter(({ factor }) => factor === undefined).length < 2) return undefined;
  const places = placesOf(query, terms);
  const { weights } = ranking;
  const numbers = [...new Set(places.map(({ term }) => term))];
  if (numbers.length < 2) return undefined;
  const readers = all.map((term) => createReader(term, source));
  const whole = numbers.reduce((sum, term) => sum + elementAt(weights, term), 0);
  const found: (readonly number[] | undefined)[] = all.map(() => undefined);
  const raise = (score: number, proximity: number): number => score + (1 - score) * proximity;
  const most = maxProximity(places, places.length, 1);
  return {
    maxScore: (score) => raise(score, most),
    scoreOf(passage, tooLow) {
      const score = ranking.scoreOf(passage);
      let present = 0;
      let words = 0;
      for (const term of numbers) {
        const isPresent = elementAt(readers, term).find(passage);
        found[term] = isPresent ? undefined : absent;
        if (!isPresent) continue;
        present += elementAt(weights, term);
        words++;
      }
      // Words that come again in the query are counted as often.
      const longest = numbers.length < places.length ? places.length : words;
      const isTooLow = raise(score, maxProximity(places, longest, present / whole)) < tooLow;
      if (words < 2 || isTooLow) return score;
      const positionsOf = (term: number): readonly number[] => {
        found[term] ??= elementAt(readers, term).read();
        return found[term];
      };
      return raise(score, proximityOf({ places, weights }, positionsOf));
    },
  };
}

const absent: readonly number[] = [];

/**
 * The ranking with its best passages ranked again. Only the first results must be exact, so a
 * passage is not looked at if even the greatest proximity would leave it behind `exact` others.
 */
export function rerank(
  ranking: Ranking,
  best: readonly number[],
  scorer: ProximityScorer,
  exact: number,
): Ranking {
  const scores = new Map<number, number>();
  /** The highest scores so far, ascending. */
  const highest: number[] = [];
  for (const passage of best) {
    const tooLow = highest.length < exact ? 0 : elementAt(highest, 0);
    if (scorer.maxScore(ranking.scoreOf(passage)) < tooLow) break;
    const score = scorer.scoreOf(passage, tooLow);
    scores.set(passage, score);
    if (score <= tooLow) continue;
    insertAscending(highest, score);
    if (highest.length > exact) highest.shift();
  }
  const ordered = [...scores].sort(([a, left], [b, right]) => right - left || a - b);
  return {
    ...ranking,
    *bestFirst() {
      for (const [passage] of ordered) yield passage;
      for (const passage of ranking.bestFirst()) if (!scores.has(passage)) yield passage;
    },
    scoreOf: (passage) => scores.get(passage) ?? ranking.scoreOf(passage),
  };
}

function insertAscending(values: number[], value: number): void {
  let at = values.length;
  while (at > 0 && elementAt(values, at - 1) > value) at--;
  values.splice(at, 0, value);
}

/** The places of the terms in the query. Its function words only keep others apart. */
function placesOf(query: Query, terms: ReadonlyMap<string, QueryTerm>): ProximityQuery["places"] {
  const numbers = new Map([...terms].map(([token, term], number) => [token, { term, number }]));
  const places: { term: number; position: number }[] = [];
  for (const { word, position, parts, isSymbol } of scanWords(query.sequence.join(" "))) {
    const tokens = isSymbol ? [] : tokenize(word);
    const isName = parts.length > 0 && !tokens.some((token) => numbers.has(token));
    const sought = isName ? parts.flatMap(tokenize) : tokens;
    for (const [offset, token] of sought.entries()) {
      const known = numbers.get(token);
      if (!known || known.term.factor !== undefined) continue;
      places.push({ term: known.number, position: isName ? position : position + offset });
    }
  }
  return places;
}

/** Reads the positions of a term, whose lists are looked up once, when first needed. */
interface PositionReader {
  /** Whether the term occurs in a passage, which is then the one to read. */
  find(passage: number): boolean;
  read(): readonly number[];
}

function createReader({ variants, frequent }: QueryTerm, source: PositionSource): PositionReader {
  const lists = [...variants, ...(frequent?.variants ?? [])].slice(0, maxVariants);
  const rows = lists.map(() => -1);
  const opened: TermPositions[] = [];
  return {
    find(passage) {
      let isFound = false;
      for (let index = 0; index < lists.length; index++) {
        const row = findRow(elementAt(lists, index).postings, passage);
        rows[index] = row;
        isFound ||= row >= 0;
      }
      return isFound;
    },
    read() {
      let positions: readonly number[] = absent;
      for (const [index, row] of rows.entries()) {
        if (row < 0) continue;
        opened[index] ??= source.readPositions(elementAt(lists, index).token);
        const more = opened[index].positionsAt(row);
        positions = positions.length === 0 ? more : [...positions, ...more].sort((a, b) => a - b);
      }
      return positions;
    },
  };
}
