import { expect, test } from "vitest";
import type { Match } from "../../../kernel/index/search-index.ts";
import { bundledRerankingModel } from "../../../kernel/models/bundled-models.ts";
import {
  blendScores,
  type FusedCandidate,
  fuseRankings,
  keepBestByKeywords,
  type RankedList,
  toMonotonicScores,
} from "./rank-fusion.ts";

const match = (document: number, score: number, line = 1): Match => ({
  document,
  score,
  passage: { line, endLine: line, headings: [], text: `text ${document}` },
  words: [],
});

const list = (weight: number, ...matches: Match[]): RankedList => ({
  by: "keywords",
  query: "q",
  weight,
  matches,
});

const byDocument = ({ document }: Match) => String(document);

const candidate = (document: number, fusedScore: number, logit?: number): FusedCandidate => ({
  match: match(document, 0.5),
  rrfScore: 0,
  fusedScore,
  ranks: [1],
  ...(logit !== undefined && { logit }),
});

const documents = (candidates: readonly FusedCandidate[]) =>
  candidates.map((one) => one.match.document);

test("[search.query.rrf] lists are merged by reciprocal rank fusion with k = 60 and their weights", () => {
  const [first, second] = fuseRankings(
    [list(2, match(1, 0.9), match(2, 0.8)), list(1, match(2, 0.7))],
    byDocument,
  );

  expect(first).toMatchObject({ match: { document: 2 }, ranks: [2, 1] });
  expect(first?.rrfScore).toBeCloseTo(2 / 62 + 1 / 61, 10);
  expect(second?.rrfScore).toBeCloseTo(2 / 61, 10);
});

test("[search.query.scores] scores count half: a clear lead outranks a narrow one", () => {
  const clear = list(1, match(1, 0.9), match(2, 0.2), match(3, 0.1));
  const narrow = list(1, match(2, 0.61), match(1, 0.6), match(3, 0.1));
  const [first, second] = fuseRankings([clear, narrow], byDocument);

  expect(first?.rrfScore).toBe(second?.rrfScore);
  expect(first?.match.document).toBe(1);
  expect(first?.fusedScore).toBeCloseTo(0.5 + (1 + 0.5 / 0.51) / 4, 10);
});

test("a high rank in two lists outranks one in a single list", () => {
  const lists = [list(2, match(1, 0.9), match(2, 0.8)), list(2, match(3, 0.9), match(2, 0.6))];

  expect(documents(fuseRankings(lists, byDocument))[0]).toBe(2);
});

test("a document is shown by the best passage of its best list, with its best score", () => {
  const lists = [list(1, match(9, 0.9), match(1, 0.8, 5)), list(1, match(1, 0.4, 20))];

  expect(
    fuseRankings(lists, byDocument).find((one) => one.match.document === 1)?.match,
  ).toMatchObject({
    score: 0.8,
    passage: { line: 20 },
  });
});

test("[search.query.blend] the re-ranker has a weight of a quarter at the top and more below", () => {
  const twelve = Array.from({ length: 12 }, (_, place) => candidate(place + 1, 12 - place, 0));
  const loud = (place: number) =>
    twelve.map((one, index) => (index === place ? { ...one, logit: 10 } : one));
  const scoreAt = (place: number) =>
    blendScores(loud(place), bundledRerankingModel.bands).find(
      (one) => one.match.document === place + 1,
    )?.blendedScore;

  // Normalized fusion scores are 1 for the first result and 0 for the last.
  expect(scoreAt(0)).toBeCloseTo(0.75 * 1 + 0.25, 6);
  expect(scoreAt(3)).toBeCloseTo(0.6 * (8 / 11) + 0.4, 6);
  expect(scoreAt(11)).toBeCloseTo(0.6, 6);
});

test("the first stays first unless the re-ranker disagrees", () => {
  const candidates = [candidate(1, 3, 1), candidate(2, 2, 1), candidate(3, 1, 1)];

  expect(documents(blendScores(candidates, bundledRerankingModel.bands))).toEqual([1, 2, 3]);
});

test("items that were not re-ranked stay behind those that were", () => {
  const candidates = [candidate(1, 3, -5), candidate(2, 2, 5), candidate(3, 1)];

  expect(documents(blendScores(candidates, bundledRerankingModel.bands)).at(-1)).toBe(3);
});

test("[search.scores.falling] scores never increase down the list", () => {
  const shown = toMonotonicScores([
    { ...candidate(1, 3), match: match(1, 0.6) },
    { ...candidate(2, 2), match: match(2, 0.9) },
    { ...candidate(3, 1), match: match(3, 0.3) },
  ]);

  expect(shown.map(({ score }) => score)).toEqual([0.6, 0.6, 0.3]);
});

test("[search.query.top-three] the best two by keywords stay in the first three if they are strong", () => {
  const ranked = (score: number) => list(1, match(7, score), match(8, score), match(9, score));
  // Ranks by keywords: document 7 is first, 8 second, 9 third. Others were found by meaning.
  const candidates = [1, 2, 3, 4, 8, 9, 7].map((document) => ({
    ...candidate(document, 0),
    ranks: [document > 6 ? document - 6 : undefined],
  }));
  const order = (score: number) => documents(keepBestByKeywords(candidates, [ranked(score)]));

  expect(order(0.9)).toEqual([1, 8, 7, 2, 3, 4, 9]);
  expect(order(0.5)).toEqual([1, 2, 3, 4, 8, 9, 7]);
  expect(documents(keepBestByKeywords(candidates, []))).toEqual([1, 2, 3, 4, 8, 9, 7]);
  const atTop = candidates.toReversed();
  expect(documents(keepBestByKeywords(atTop, [ranked(0.9)]))).toEqual([7, 9, 8, 4, 3, 2, 1]);
});
