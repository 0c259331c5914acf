import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { builtModels } from "../../../tests/fixtures/search/models.ts";
import { bundledRerankingModel } from "./bundled-models.ts";
import { type ModelRunner, openModelRunner } from "./local/model-runner.ts";
import { openLocalReranker, type Reranker } from "./reranker.ts";

let models: Awaited<ReturnType<typeof builtModels>>;
let runtime: ModelRunner;
let reranker: Reranker;

beforeAll(async () => {
  models = await builtModels();
  runtime = openModelRunner({ folder: models.folder });
  reranker = openLocalReranker(runtime);
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

test("[search.rerank.reference] scores match the reference implementation, and the best passage is the same", async () => {
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

  // CPUs without newer instructions round slightly differently.
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

test("[search.rerank.same] a passage has the same score alone and among others", async () => {
  const query = "how do I rename a collection";
  const passages = [
    "Weather\nLight rain.",
    "Collections\nRename it in its settings.",
    "",
    "x ".repeat(900),
  ];
  const together = await reranker.score(query, [...passages, ...passages]);

  expect(together.slice(4)).toEqual(together.slice(0, 4));
  const fresh = openLocalReranker(runtime);
  expect(await fresh.score(query, passages.slice(1, 2))).toEqual(together.slice(1, 2));
  expect(Math.max(...together)).toBe(together[1]);
});

test("[search.rerank.once] a passage is scored once for a query, unless a thousand others followed", async () => {
  const scored: string[] = [];
  const observed: ModelRunner = {
    ...runtime,
    run: (model, task, priority) => {
      if (task.task === "score") scored.push(...task.passages);
      return runtime.run(model, task, priority);
    },
  };
  const own = openLocalReranker(observed);
  const [first, second] = await own.score("lamp", ["the lamp", "a boat"]);
  expect(await own.score("lamp", ["a boat", "oil", "the lamp"])).toEqual([
    second,
    expect.any(Number),
    first,
  ]);
  expect(scored.splice(0).sort()).toEqual(["a boat", "oil", "the lamp"]);

  await own.score("boat", ["a boat"]);
  await own.score(
    "boat",
    Array.from({ length: 1_000 }, (_, number) => `${number}`),
  );
  scored.length = 0;
  expect(await own.score("lamp", ["the lamp"])).toEqual([first]);
  expect(scored).toEqual(["the lamp"]);
});

test("[search.rerank.lanes] several child processes give the scores of one, in the same order", async () => {
  const query = "how do I rename a collection";
  const passages = Array.from(
    { length: 31 },
    (_, number) => `Page ${number}\n${"Rename it in its settings. ".repeat((number * 7) % 12)}`,
  );
  const scoresWith = async (lanes: number) => {
    const own = openModelRunner({ folder: models.folder, lanes });
    onTestFinished(() => own.close());
    return openLocalReranker(own).score(query, passages);
  };

  const alone = await scoresWith(1);
  expect(new Set(alone).size).toBeGreaterThan(20);
  expect(await scoresWith(3)).toEqual(alone);
});

test("a pair is truncated: the query to 80 tokens, both together to 256", async () => {
  const passage = "Collections\nRename it in its settings.";
  const long = "word ".repeat(bundledRerankingModel.maxQueryTokens);
  const [cut, longer, shorter] = await Promise.all(
    [long, `${long} something else`, long.slice("word ".length)].map((query) =>
      reranker.score(query, [passage]),
    ),
  );
  expect(longer).toEqual(cut);
  expect(shorter).not.toEqual(cut);

  // One token for the query, and three special tokens.
  const full = "word ".repeat(bundledRerankingModel.maxTokens - 4);
  const scores = await reranker.score("collection", [
    full,
    `${full} else`,
    full.slice("word ".length),
  ]);
  expect(scores[1]).toBe(scores[0]);
  expect(scores[2]).not.toBe(scores[0]);
});

test("[search.rerank.abort] re-ranking stops at its deadline, and the next query is answered", async () => {
  const passages = Array.from({ length: 200 }, () => "word ".repeat(250));

  await expect(reranker.score("late", passages, AbortSignal.timeout(50))).rejects.toThrow(
    /timeout/,
  );
  expect(await reranker.score("next", ["one", "two"])).toHaveLength(2);
});

test("the blend covers every rank, and its weights add up", () => {
  const { bands } = bundledRerankingModel;

  expect(bands[0]?.from_rank).toBe(1);
  expect(bands.at(-1)?.to_rank).toBeNull();
  for (const [at, band] of bands.entries()) {
    expect(band.rrf + band.rerank).toBeCloseTo(1);
    if (at > 0) expect(band.from_rank).toBe((bands[at - 1]?.to_rank ?? 0) + 1);
  }
});

test("no passages give no scores", async () => {
  expect(await reranker.score("anything", [])).toEqual([]);
});
