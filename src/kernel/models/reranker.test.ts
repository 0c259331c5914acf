import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtModels } from "../../../tests/fixtures/models.ts";
import { rerankingModel } from "./bundled.ts";
import { openReranker, type Reranker } from "./reranker.ts";
import { type ModelRuntime, openModelRuntime } from "./runtime.ts";

let models: Awaited<ReturnType<typeof builtModels>>;
let runtime: ModelRuntime;
let reranker: Reranker;

beforeAll(async () => {
  models = await builtModels();
  runtime = openModelRuntime({ folder: models.folder });
  reranker = openReranker(runtime);
});

afterAll(async () => {
  await runtime.close();
  models.remove();
});

interface Pair {
  query: string;
  passage: string;
  logit: number;
}

const reference: Pair[] = readFileSync(
  fileURLToPath(new URL("../../../models/reranker/reference.jsonl", import.meta.url)),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test("[search.rerank.reference] its numbers are those of its reference, and the best passage is the same", async () => {
  expect(reference).toHaveLength(12);
  const queries = [...new Set(reference.map(({ query }) => query))];
  const found = new Map<Pair, number>();
  for (const query of queries) {
    const pairs = reference.filter((pair) => pair.query === query);
    const scores = await reranker.score(
      query,
      pairs.map(({ passage }) => passage),
    );
    pairs.forEach((pair, at) => {
      found.set(pair, scores[at] ?? Number.NaN);
    });
  }

  // Processors without the newer instructions round a little differently.
  for (const pair of reference) {
    expect(Math.abs((found.get(pair) ?? Number.NaN) - pair.logit), pair.passage).toBeLessThan(0.1);
  }
  for (const query of queries) {
    const pairs = reference.filter((pair) => pair.query === query);
    const byReference = pairs.toSorted((one, other) => other.logit - one.logit);
    const byScore = pairs.toSorted((one, other) => (found.get(other) ?? 0) - (found.get(one) ?? 0));
    expect(byScore[0]).toBe(byReference[0]);
  }
});

test("[search.rerank.same] a passage has the same number alone and among others", async () => {
  const query = "how do I rename a collection";
  const passages = [
    "Weather\nLight rain.",
    "Collections\nRename it in its settings.",
    "",
    "x ".repeat(900),
  ];
  const together = await reranker.score(query, [...passages, ...passages]);

  expect(together.slice(4)).toEqual(together.slice(0, 4));
  expect(await reranker.score(query, passages.slice(1, 2))).toEqual(together.slice(1, 2));
  expect(Math.max(...together)).toBe(together[1]);
});

test("a pair is cut to its lengths: the query to 80 tokens, both together to 256", async () => {
  const passage = "Collections\nRename it in its settings.";
  const long = "word ".repeat(rerankingModel.mostQueryTokens);
  const [cut, longer, shorter] = await Promise.all(
    [long, `${long} something else`, long.slice("word ".length)].map((query) =>
      reranker.score(query, [passage]),
    ),
  );
  expect(longer).toEqual(cut);
  expect(shorter).not.toEqual(cut);

  // One token for the query, and three marks.
  const full = "word ".repeat(rerankingModel.mostTokens - 4);
  const scores = await reranker.score("collection", [
    full,
    `${full} else`,
    full.slice("word ".length),
  ]);
  expect(scores[1]).toBe(scores[0]);
  expect(scores[2]).not.toBe(scores[0]);
});

test("[search.rerank.abort] at its deadline it gives up, and the next query is answered", async () => {
  const passages = Array.from({ length: 200 }, () => "word ".repeat(250));

  await expect(reranker.score("late", passages, AbortSignal.timeout(50))).rejects.toThrow(
    /timeout/,
  );
  expect(await reranker.score("next", ["one", "two"])).toHaveLength(2);
});

test("the blend covers every rank, and its shares add up", () => {
  const { bands } = rerankingModel;

  expect(bands[0]?.from_rank).toBe(1);
  expect(bands.at(-1)?.to_rank).toBeNull();
  for (const [at, band] of bands.entries()) {
    expect(band.rrf + band.rerank).toBeCloseTo(1);
    if (at > 0) expect(band.from_rank).toBe((bands[at - 1]?.to_rank ?? 0) + 1);
  }
});

test("no passages give no numbers", async () => {
  expect(await reranker.score("anything", [])).toEqual([]);
});
