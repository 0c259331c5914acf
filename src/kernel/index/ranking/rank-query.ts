import type { Query } from "../../../text/search/query.ts";
import { splitWords, tokenize } from "../../../text/search/tokens.ts";
import type { MatchOptions } from "../search-index.ts";
import type { SpellingSource } from "../spelling.ts";
import { createExclusion, createPhraseFilter } from "./phrase-filter.ts";
import { resolveQueryTerms } from "./query-terms.ts";
import { type Ranking, rankPassages } from "./ranking.ts";
import type { RankingSource } from "./ranking-source.ts";
import { createProximityScorer, rerank, rerankedPassages } from "./rerank.ts";
import {
  admittedPassages,
  type ScoredPassage,
  selectPassages,
  takeFirst,
  withoutDocuments,
} from "./selection.ts";
import { preferTitles } from "./titles.ts";

/** Runs a part of the work, which reads from the source and depends on the parts before. */
type RunStage = <Result>(work: () => Result) => Result;

export interface RankedPassages {
  ranking: Ranking;
  /** Those that filters admit, best first, up to the limit. */
  passages: readonly ScoredPassage[];
}

/** Finds the best passages for a query. */
export function rankQuery(
  query: Query,
  options: MatchOptions,
  source: RankingSource,
  stage: RunStage = (work) => work(),
): RankedPassages {
  const { terms, matchesPhrases, excludes } = stage(() => ({
    matchesPhrases: isMisspelled(query.phrases, source.vocabulary)
      ? () => false
      : createPhraseFilter(query, source),
    terms: resolveQueryTerms(query, source.vocabulary, source),
    excludes: createExclusion(query, source),
  }));
  const isFiltered =
    options.roots !== undefined || options.documents !== undefined || excludes !== undefined;
  const isSelective = isFiltered || query.phrases.length > 0;
  const expected = isSelective ? Number.POSITIVE_INFINITY : expectedPassages(options);
  const ranked = stage(() => rankPassages([...terms.values()], source.totals, expected));
  const passages = (ranking: Ranking) => {
    const admitted = admittedPassages(ranking, matchesPhrases, source, options);
    return excludes
      ? withoutDocuments(admitted, (document) => excludes(source.passagesOf(document)))
      : admitted;
  };
  // Filters come first, so that a crowd of better passages elsewhere changes nothing.
  const first = stage(() =>
    isFiltered
      ? takeFirst(passages(ranked), rerankedPassages).map(({ id }) => id)
      : takeFirst(ranked.bestFirst(), rerankedPassages, matchesPhrases),
  );
  if (!isFiltered && source.expectOwners) {
    source.expectOwners(takeFirst(ranked.bestFirst(), expectedPassages(options), matchesPhrases));
  }
  const ranking = stage(() => {
    const titled = preferTitles(ranked, first, [...terms.values()], (ids) => titlesOf(ids, source));
    const scorer = createProximityScorer(query, terms, titled.ranking, source);
    return scorer
      ? rerank(titled.ranking, titled.best, scorer, options.limit + 10)
      : titled.ranking;
  });
  return { ranking, passages: stage(() => [...selectPassages(passages(ranking), options)]) };
}

/** A phrase is compared by stems, which a misspelled word may share with the word that is meant. */
const isMisspelled = (phrases: readonly string[], { sameStem }: SpellingSource): boolean =>
  phrases.flatMap(splitWords).some((word) => {
    const [token = word] = tokenize(word);
    return sameStem(word, token).length > 0;
  });

/** The title of the document of each passage. */
function titlesOf(
  passages: readonly number[],
  { owners, titlesOf }: RankingSource,
): ReadonlyMap<number, string> {
  const found = owners(passages);
  const titles = titlesOf([...new Set(found.map(({ document }) => document))]);
  return new Map(found.map(({ id, document }) => [id, titles.get(document) ?? ""]));
}

/**
 * As many passages are ranked first. Several may be of one document, of which few are shown. Where
 * that is not enough, all passages are ranked.
 */
const expectedPassages = ({ limit }: MatchOptions): number => 4 * limit + 2 * rerankedPassages;

/** Stretches the scale: a passage that mentions every word once is already a fair match. */
export const displayScore = (score: number): number => score ** 0.57;
