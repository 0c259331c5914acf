import { expect, test } from "vitest";
import type { Match } from "../../kernel/index/contract.ts";
import { rerankingModel } from "../../kernel/models/bundled.ts";
import { blend, type Candidate, fuse, type RankedList, withFallingScores } from "./hybrid.ts";

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

const candidate = (document: number, standing: number, logit?: number): Candidate => ({
  match: match(document, 0.5),
  fused: 0,
  standing,
  ranks: [1],
  ...(logit !== undefined && { logit }),
});

const documents = (candidates: readonly Candidate[]) => candidates.map((one) => one.match.document);

test("[search.query.rrf] lists are joined by reciprocal ranks with k 60 and their weights", () => {
  const [first, second] = fuse(
    [list(2, match(1, 0.9), match(2, 0.8)), list(1, match(2, 0.7))],
    byDocument,
  );

  expect(first).toMatchObject({ match: { document: 2 }, ranks: [2, 1] });
  expect(first?.fused).toBeCloseTo(2 / 62 + 1 / 61, 10);
  expect(second?.fused).toBeCloseTo(2 / 61, 10);
});

test("[search.query.scores] scores have half of the say: a clear first goes before a narrow one", () => {
  const clear = list(1, match(1, 0.9), match(2, 0.2), match(3, 0.1));
  const narrow = list(1, match(2, 0.61), match(1, 0.6), match(3, 0.1));
  const [first, second] = fuse([clear, narrow], byDocument);

  expect(first?.fused).toBe(second?.fused);
  expect(first?.match.document).toBe(1);
  expect(first?.standing).toBeCloseTo(0.5 + (1 + 0.5 / 0.51) / 4, 10);
});

test("what stands high in two lists goes before what only one has", () => {
  const lists = [list(2, match(1, 0.9), match(2, 0.8)), list(2, match(3, 0.9), match(2, 0.6))];

  expect(documents(fuse(lists, byDocument))[0]).toBe(2);
});

test("a document is shown by the passage that its best list found, with its best score", () => {
  const lists = [list(1, match(9, 0.9), match(1, 0.8, 5)), list(1, match(1, 0.4, 20))];

  expect(fuse(lists, byDocument).find((one) => one.match.document === 1)?.match).toMatchObject({
    score: 0.8,
    passage: { line: 20 },
  });
});

test("[search.query.blend] the re-ranker has a quarter of the say at the top and more below", () => {
  const twelve = Array.from({ length: 12 }, (_, place) => candidate(place + 1, 12 - place, 0));
  const loud = (place: number) =>
    twelve.map((one, index) => (index === place ? { ...one, logit: 10 } : one));
  const said = (place: number) =>
    blend(loud(place), rerankingModel.bands).find((one) => one.match.document === place + 1)
      ?.blended;

  // On the scale from 0 to 1 the fusion gives the first 1 and the last 0.
  expect(said(0)).toBeCloseTo(0.75 * 1 + 0.25, 6);
  expect(said(3)).toBeCloseTo(0.6 * (8 / 11) + 0.4, 6);
  expect(said(11)).toBeCloseTo(0.6, 6);
});

test("the first stays first where the re-ranker has nothing against it", () => {
  const candidates = [candidate(1, 3, 1), candidate(2, 2, 1), candidate(3, 1, 1)];

  expect(documents(blend(candidates, rerankingModel.bands))).toEqual([1, 2, 3]);
});

test("what was not re-ranked stays behind what was", () => {
  const candidates = [candidate(1, 3, -5), candidate(2, 2, 5), candidate(3, 1)];

  expect(documents(blend(candidates, rerankingModel.bands)).at(-1)).toBe(3);
});

test("[search.scores.falling] scores never rise on the way down", () => {
  const shown = withFallingScores([
    { ...candidate(1, 3), match: match(1, 0.6) },
    { ...candidate(2, 2), match: match(2, 0.9) },
    { ...candidate(3, 1), match: match(3, 0.3) },
  ]);

  expect(shown.map(({ score }) => score)).toEqual([0.6, 0.6, 0.3]);
});
