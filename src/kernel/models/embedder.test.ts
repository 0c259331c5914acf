import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtModels } from "../../../tests/fixtures/search/models.ts";
import { bundledEmbeddingModel } from "./bundled-models.ts";
import { type Embedder, openLocalEmbedder } from "./embedder.ts";
import { type ModelRunner, openModelRunner } from "./local/model-runner.ts";
import { type ModelTokenizer, openModelTokenizer } from "./local/model-tokenizer.ts";

let models: Awaited<ReturnType<typeof builtModels>>;
let runtime: ModelRunner;
let embedder: Embedder;
let pieces: ModelTokenizer;

beforeAll(async () => {
  models = await builtModels();
  runtime = openModelRunner({ folder: models.folder });
  embedder = openLocalEmbedder(runtime);
  pieces = openModelTokenizer(join(models.folder, "minilm", "tokenizer.json"));
});

afterAll(async () => {
  await runtime.close();
  models.remove();
});

interface Example {
  text: string;
  /** Its first tokens, with the marker before them. */
  ids: number[];
  vector: number[];
}

const examplesIn = (place: string): Example[] => {
  const file = fileURLToPath(new URL(place, import.meta.url));
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
};

const own = examplesIn("../../../tests/fixtures/search/embedded-sentences.jsonl");
/** Reference vectors by another implementation, if this clone has them. */
const reference = examplesIn("../../../../shared/models/minilm/reference.jsonl");

/** Both have length one, except for the rounding of a stored vector. */
const cosine = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0);

test(`[search.model.reference] tokens equal and vectors match ${own.length} stored and ${reference.length} reference examples`, async () => {
  const examples = [...own, ...reference];
  expect(own).toHaveLength(8);
  const vectors = await embedder.embed(examples.map(({ text }) => text));

  const { before, after } = pieces.specialTokens.alone;

  for (const [at, { text, ids, vector }] of examples.entries()) {
    const found = [...before, ...pieces.encode(text, 254), ...after];
    expect(found.slice(0, ids.length), text).toEqual(ids);
    expect(cosine(vectors[at] ?? [], vector), text).toBeGreaterThan(0.99);
  }
});

test("a vector has 384 numbers and length one, for any text", async () => {
  const texts = [
    "",
    "\n",
    "a",
    "\ud800",
    "日本語の文章",
    "word ".repeat(3_000),
    "x".repeat(100_000),
  ];
  const vectors = await embedder.embed(texts);

  expect(vectors.map(({ length }) => length)).toEqual(
    texts.map(() => bundledEmbeddingModel.dimensions),
  );
  for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
});

test("[search.model.paraphrase] a paraphrase is closer than any unrelated text", async () => {
  const pairs = [
    ["How do I rename a collection?", "Change what a set of documents is called."],
    ["The process was killed and lost nothing.", "After the crash all data was still there."],
    ["Which files does the index leave out?", "Some documents are skipped by the search."],
    ["Only a person may accept a proposal.", "Changes need the approval of a human."],
    ["The cake has to bake for an hour.", "Leave the dough in the oven for sixty minutes."],
    ["He plays the violin in an orchestra.", "She is a musician in a symphony."],
  ] as const;
  const vectors = await embedder.embed(pairs.flat());

  for (const [at, vector] of vectors.entries()) {
    const near = vectors
      .map((other, place) => ({ place, similarity: cosine(vector, other) }))
      .filter(({ place }) => place !== at)
      .sort((one, other) => other.similarity - one.similarity);
    expect(near[0]?.place, pairs.flat()[at]).toBe(at ^ 1);
  }
});

test("[search.model.same] a text has the same vector alone, in a batch, and as a query", async () => {
  const text = "Two processes may share one home.";
  const [alone] = await embedder.embed([text]);
  const company = await embedder.embed(["word ".repeat(400), text, "", "x", text]);

  expect(company[1]).toEqual(alone);
  expect(company[4]).toEqual(alone);
  expect(await embedder.embedQuery(text)).toEqual(alone);
});

test("text after 256 tokens has no effect", async () => {
  const start = "word ".repeat(254);
  const [whole, longer, shorter] = await embedder.embed([
    start,
    `${start} and quite another subject`,
    "word ".repeat(253),
  ]);

  expect(longer).toEqual(whole);
  expect(shorter).not.toEqual(whole);
});

test("[search.model.shared] two hundred concurrent calls each get their own vector", async () => {
  const texts = Array.from(
    { length: 200 },
    (_, number) => `Note ${number} about ${number % 7} things`,
  );
  const apart = await embedder.embed(texts);
  const together = await Promise.all(texts.map((text) => embedder.embed([text])));

  expect(together.map(([vector]) => vector)).toEqual(apart);
});

test("[search.model.query-first] a query does not wait for all documents", async () => {
  const order: string[] = [];
  const documents = embedder
    .embed(Array.from({ length: 80 }, () => "word ".repeat(60)))
    .then(() => order.push("documents"));
  await embedder.embedQuery("first").then(() => order.push("query"));
  await documents;

  expect(order).toEqual(["query", "documents"]);
});

test("[search.model.responsive] the process stays responsive while texts are embedded", async () => {
  const texts = Array.from({ length: 40 }, (_, number) => `${number} ${"word ".repeat(200)}`);
  let isDone = false;
  const embedding = embedder.embed(texts).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await turn();
  await embedding;

  // A network that ran in this thread would allow one or two turns for each text.
  expect(turns).toBeGreaterThan(texts.length * 20);
});

test("[search.model.abort] an aborted caller is released immediately, and the others get their vectors", async () => {
  const leaving = new AbortController();
  const many = embedder.embed(
    Array.from({ length: 400 }, () => "word ".repeat(200)),
    leaving.signal,
  );
  const others = embedder.embed(["one", "two"]);
  const outcome = expect(many).rejects.toThrow("no longer wanted");
  await embedder.embedQuery("begun");
  leaving.abort(new Error("no longer wanted"));

  await outcome;
  expect(await others).toHaveLength(2);
  await expect(embedder.embedQuery("x", AbortSignal.abort())).rejects.toThrow(/aborted/);
});

test("token counts exclude the special tokens", () => {
  expect(embedder.countTokens("")).toBe(0);
  expect(embedder.countTokens("A man is eating food.")).toBe(6);
});

test("no texts give no vectors", async () => {
  expect(await embedder.embed([])).toEqual([]);
});

test("the stored model identity contains the model, its weights and their size", () => {
  expect(embedder).toMatchObject({
    id: "all-MiniLM-L6-v2",
    weights: bundledEmbeddingModel.weights,
    dimensions: 384,
    problem: undefined,
  });
  expect(embedder.weights).toMatch(/^[0-9a-f]{64}$/);
});
