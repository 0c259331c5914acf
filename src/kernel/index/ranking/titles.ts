import { elementAt } from "../../../text/arrays/element-at.ts";
import { uint8At } from "../../../text/arrays/typed-element-at.ts";
import { tokenize } from "../../../text/search/tokens.ts";
import { fieldBits, findRow } from "../segments/postings.ts";
import type { QueryTerm } from "./query-term.ts";
import type { Ranking } from "./ranking.ts";

/** The titles of some documents. */
export type FindTitles = (documents: readonly number[]) => ReadonlyMap<number, string>;

/** A title with less of the query is not what was asked for. */
const minShare = 0.2;

/** A title that is the whole query adds this share of the missing score. */
const titleWeight = 0.6;

/**
 * Raises passages of documents whose titles consist of the query's words, by the share of the query
 * that the title has. Only the `best` passages are considered; they are returned in their new order.
 *
 * ```
 * for of loop:   "for...of"  raised      "SyntaxError: the head of a for-of loop"  as it was
 * ```
 */
export function preferTitles(
  ranking: Ranking,
  best: readonly number[],
  terms: readonly QueryTerm[],
  titlesOf: (passages: readonly number[]) => ReadonlyMap<number, string>,
): { ranking: Ranking; best: readonly number[] } {
  const shares = new Map(best.map((passage) => [passage, titleShare(passage)]));
  const likely = best.filter((passage) => (shares.get(passage) ?? 0) >= minShare);
  if (likely.length === 0) return { ranking, best };
  const titles = titlesOf(likely);
  const tokens = new Set(terms.flatMap(tokensOf));
  const scores = new Map<number, number>();
  for (const passage of likely) {
    const title = tokenize(titles.get(passage) ?? "");
    if (title.length === 0 || !title.every((token) => tokens.has(token))) continue;
    const score = ranking.scoreOf(passage);
    scores.set(passage, score + (1 - score) * titleWeight * (shares.get(passage) ?? 0));
  }
  if (scores.size === 0) return { ranking, best };
  const scoreOf = (passage: number): number => scores.get(passage) ?? ranking.scoreOf(passage);
  const ordered = best.toSorted((a, b) => scoreOf(b) - scoreOf(a) || a - b);
  const seen = new Set(best);
  const bestFirst = function* () {
    yield* ordered;
    for (const passage of ranking.bestFirst()) if (!seen.has(passage)) yield passage;
  };
  return { ranking: { ...ranking, scoreOf, bestFirst }, best: ordered };

  /** The share of the query that the title of a passage has. */
  function titleShare(passage: number): number {
    return terms.reduce(
      (sum, term, index) =>
        hasInTitle(term, passage) ? sum + elementAt(ranking.weights, index) : sum,
      0,
    );
  }
}

const hasInTitle = ({ variants }: QueryTerm, passage: number): boolean =>
  variants.some(({ postings }) => {
    const row = findRow(postings, passage);
    return row >= 0 && (uint8At(postings.fieldMasks, row) & fieldBits.title) > 0;
  });

const tokensOf = ({ variants, parts = [] }: QueryTerm): string[] => [
  ...variants.map(({ token }) => token),
  ...parts.flatMap(tokensOf),
];
