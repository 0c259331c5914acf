import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { modelServer } from "../../../tests/fixtures/search/model-server.ts";
import { builtModels } from "../../../tests/fixtures/search/models.ts";
import { reply } from "../../../tests/fixtures/search/word-models.ts";
import { openLocalEmbedder } from "./embedder.ts";
import { type ModelRunner, openModelRunner } from "./local/model-runner.ts";
import type { ModelSettings } from "./model-settings.ts";
import {
  type Models,
  type ModelsOptions,
  modelNames,
  modelProblems,
  openModels,
} from "./models.ts";
import { openLocalReranker } from "./reranker.ts";

const scratch = mkdtempSync(join(tmpdir(), "lectern-configured-"));
let built: Awaited<ReturnType<typeof builtModels>>;
let runtime: ModelRunner;

beforeAll(async () => {
  built = await builtModels();
  runtime = openModelRunner({ folder: built.folder });
});

afterAll(async () => {
  await runtime.close();
  built.remove();
  rmSync(scratch, { recursive: true, force: true });
});

function configured(
  settings: ModelSettings | (() => ModelSettings),
  options: Partial<ModelsOptions> = {},
): Models {
  return openModels(
    {
      settings: typeof settings === "function" ? settings : () => settings,
      configFolder: scratch,
      environment: {},
      storedDimensions: () => undefined,
      limits: { backoffMs: 0 },
      ...options,
    },
    runtime,
  );
}

const openai = (url: string, more: object = {}) => ({
  kind: "openai" as const,
  url,
  model: "words",
  ...more,
});
const ollama = (url: string) => ({ kind: "ollama" as const, url, model: "words" });

const product = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0);

test("without a configuration the bundled models are used", () => {
  const models = configured({});
  expect(modelNames(models)).toEqual({
    embedding: "all-MiniLM-L6-v2",
    reranking: "lectern-reranker-en-1",
    expansion: "none",
  });
  expect([models.embedder.languages, models.reranker?.languages]).toEqual(["english", "english"]);
});

test("[search.models.names] configured models are named without their keys and paths", () => {
  const models = configured({
    embedding: openai("https://models.example/v1"),
    reranking: { kind: "folder", path: "/private/place/cross" },
    expansion: { kind: "client" },
  });
  expect(modelNames(models)).toEqual({
    embedding: "words at models.example",
    reranking: "cross",
    expansion: "the client's own model",
  });
  expect(modelProblems(models)).toEqual([
    "Model not loaded\nIts files are not where the configuration says: check 'path' in models.",
  ]);
});

test("[search.models.no-request] opening, naming and token counting send no request", async () => {
  const server = await modelServer();
  const setting = openai(server.url);
  const models = configured({ embedding: setting, reranking: setting, expansion: setting });

  expect(modelProblems(models)).toEqual([]);
  expect(models.embedder.countTokens("some words")).toBeGreaterThan(1);
  expect([models.embedder.id, models.embedder.weights, models.embedder.dimensions]).toEqual([
    `words at ${new URL(server.url).host}`,
    expect.stringMatching(/^[0-9a-f]{64}$/),
    undefined,
  ]);
  expect(await models.reranker?.score("q", [])).toEqual([]);
  expect(server.asked).toEqual([]);
});

test("[search.models.embed] an OpenAI and an Ollama server return a normalized vector for each text", async () => {
  const server = await modelServer();
  const texts = Array.from({ length: 40 }, (_, number) => `Note ${number} about lamps`);
  for (const setting of [openai(server.url), ollama(server.root)]) {
    server.asked.length = 0;
    const { embedder } = configured({ embedding: setting });
    const vectors = await embedder.embed(texts);

    expect(vectors).toHaveLength(40);
    expect(embedder.dimensions).toBe(64);
    expect(server.asked.map(({ body }) => body.input.length)).toEqual([16, 16, 8]);
    for (const [at, vector] of vectors.entries()) {
      expect(product(vector, vector)).toBeCloseTo(1, 5);
      expect(await embedder.embedQuery(texts[at] ?? "")).toEqual(vector);
    }
  }
});

test("[search.models.prefixes] a model's query and document prefixes are added", async () => {
  const server = await modelServer();
  const prefixes = { query_prefix: "query: ", document_prefix: "passage: " };
  const { embedder } = configured({ embedding: openai(server.url, prefixes) });
  await embedder.embed(["a"]);
  await embedder.embedQuery("b");

  expect(server.asked.map(({ body }) => body.input)).toEqual([["passage: a"], ["query: b"]]);
});

test("[search.models.identity] any setting that changes document vectors makes it a different model", () => {
  const identity = (more: object, url = "http://one/v1") => {
    const { id, weights } = configured({ embedding: openai(url, more) }).embedder;
    return `${id} ${weights}`;
  };
  const same = [identity({}), identity({ query_prefix: "q: " }), identity({}, "http://one/v1/")];
  expect(new Set(same).size).toBe(1);
  const others = [
    identity({ model: "other" }),
    identity({ document_prefix: "d: " }),
    identity({ dimensions: 32 }),
    identity({}, "http://two/v1"),
    identity({}, "http://one/v2"),
  ];
  expect(new Set([...same, ...others]).size).toBe(6);
});

test("[search.models.dimensions] the first response sets the vector length, and any other length is refused", async () => {
  const server = await modelServer(48);
  const { embedder } = configured({ embedding: openai(server.url) });
  await embedder.embedQuery("lamp");
  expect(embedder.dimensions).toBe(48);

  server.fault = (response) => reply(response, 200, { data: [{ embedding: [1, 2, 3] }] });
  await expect(embedder.embedQuery("lamp")).rejects.toMatchObject({
    code: "no-model",
    message: expect.stringContaining(
      "returned vectors of 3 numbers, while the stored ones have 48.",
    ),
  });
});

test("[search.models.dimensions] stored vectors and the configuration define the dimensions beforehand", async () => {
  const server = await modelServer(48);
  const kept = configured(
    { embedding: openai(server.url) },
    { storedDimensions: () => 32 },
  ).embedder;
  expect(kept.dimensions).toBe(32);
  await expect(kept.embed(["lamp"])).rejects.toThrow("while the stored ones have 32");

  const asked = configured({ embedding: openai(server.url, { dimensions: 16 }) }).embedder;
  expect(asked.dimensions).toBe(16);
  expect(await asked.embedQuery("lamp")).toHaveLength(16);
  expect(server.asked.at(-1)?.body.dimensions).toBe(16);
});

test("[search.models.bad-answer] a response without one vector per text is refused, and named", async () => {
  const server = await modelServer();
  const { embedder } = configured({ embedding: openai(server.url) });
  for (const [answer, words] of [
    [{}, "returned no list of vectors"],
    [{ data: "none" }, "returned no list of vectors"],
    [{ data: [{ embedding: "AAAA" }, { embedding: "AAAA" }] }, "returned no list of vectors"],
    [{ data: [{ embedding: [1, null] }, { embedding: [1, 2] }] }, "returned no list of vectors"],
    [{ data: [{ embedding: [1, 2] }] }, "returned 1 vectors for 2 texts"],
    [
      { data: [{ embedding: [1, 2] }, { embedding: [1] }] },
      "returned vectors of different lengths",
    ],
    [{ data: [{ embedding: [1] }, { embedding: [0] }] }, "returned a zero vector"],
    [{ data: [{ embedding: [] }, { embedding: [] }] }, "returned a zero vector"],
    [
      { data: [0, 0].map((index) => ({ index, embedding: [1] })) },
      "returned two vectors for one text",
    ],
    [
      { data: [9e9, 1].map((index) => ({ index, embedding: [1] })) },
      "returned two vectors for one",
    ],
    ['{"data":[{"embedding":[1e999]},{"embedding":[1]}]}', "returned no list of vectors"],
  ] as const) {
    server.fault = (response) => reply(response, 200, answer);
    await expect(embedder.embed(["a", "b"]), JSON.stringify(answer)).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(words),
    });
  }
  expect(embedder.dimensions).toBeUndefined();
});

test("[search.models.rerank] a server's scores are returned in the order of the passages", async () => {
  const server = await modelServer();
  const { reranker } = configured({ reranking: openai(server.url) });
  const passages = ["nothing", "the lamp is lit", "a lamp"];

  expect(reranker?.languages).toBe("all");
  expect(await reranker?.score("lamp lit", passages)).toEqual([0, 1, 0.5]);
  expect(server.asked[0]).toMatchObject({
    path: "/v1/rerank",
    body: { model: "words", query: "lamp lit", documents: passages },
  });
  const result = (index: number) => ({ index, relevance_score: 1 });
  for (const [answer, words] of [
    [{}, "returned no list of scores"],
    [{ results: [{ index: 0, relevance_score: "1" }] }, "returned no list of scores"],
    [{ results: [result(0)] }, "returned 1 scores for 2 passages"],
    [{ results: [result(1), result(1)] }, "returned two scores for one passage"],
  ] as const) {
    server.fault = (response) => reply(response, 200, answer);
    await expect(reranker?.score("q", ["a", "b"])).rejects.toThrow(words);
  }
});

test("[search.models.write] a chat server generates text, and one that returns none is refused", async () => {
  const server = await modelServer();
  const task = { system: "You help.", prompt: "lamp oil", maxTokens: 50 };
  for (const setting of [openai(server.url), ollama(server.root)]) {
    const { expander } = configured({ expansion: setting });
    if (!expander || "isClientModel" in expander) throw new Error("There is no writer.");
    server.fault = undefined;
    expect(await expander.generate(task)).toContain('"lamp synonym"');
    expect(server.asked.at(-1)?.body.messages.map(({ content }) => content)).toEqual([
      "You help.",
      "lamp oil",
    ]);
    server.fault = (response) => reply(response, 200, { choices: [], message: {} });
    await expect(expander.generate(task)).rejects.toThrow("returned no text");
  }
});

test("[search.models.live] a configuration change takes effect immediately, without reopening anything else", () => {
  let settings: ModelSettings = { embedding: openai("http://one/v1") };
  const models = configured(() => settings);
  const first = models.embedder;
  settings = { embedding: openai("http://one/v1"), reranking: { kind: "none" } };
  expect(models.embedder).toBe(first);
  expect(models.reranker).toBeUndefined();

  settings = { embedding: openai("http://two/v1") };
  expect(models.embedder).not.toBe(first);
  expect(models.reranker?.id).toBe("lectern-reranker-en-1");
});

test("[search.models.none] a disabled model is reported as such", async () => {
  const models = configured({ embedding: { kind: "none" }, expansion: { kind: "none" } });

  expect(models.expander).toBeUndefined();
  expect(models.embedder).toMatchObject({ isOff: true, id: "none" });
  for (const work of [models.embedder.embed(["x"]), models.embedder.embedQuery("x")]) {
    await expect(work).rejects.toThrow("Semantic search is disabled.");
  }
  expect(modelProblems(models)).toEqual([]);
});

/** A folder in the layout of model hubs, with the files of a bundled model. */
function hubFolder(name: string, model: string, network = "model.onnx"): string {
  const folder = join(scratch, name);
  mkdirSync(dirname(join(folder, network)), { recursive: true });
  cpSync(join(built.folder, model, "model.onnx"), join(folder, network));
  cpSync(join(built.folder, model, "tokenizer.json"), join(folder, "tokenizer.json"));
  return name;
}

test("[search.models.folder] an ONNX model folder gives its reference vectors, in any layout", async () => {
  const texts = ["How is the lamp lit?", "word ".repeat(400), "日本語"];
  const shipped = await openLocalEmbedder(runtime).embed(texts.slice(0, 1));
  for (const network of ["model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx"]) {
    const path = hubFolder(`hub-${network.replace("/", "-")}`, "minilm", network);
    const { embedder } = configured({ embedding: { kind: "folder", path } });

    expect(embedder).toMatchObject({ id: path, languages: "all", dimensions: undefined });
    expect(embedder.problem).toBeUndefined();
    const vectors = await embedder.embed(texts);
    expect(vectors[0]).toEqual(shipped[0]);
    expect(embedder.dimensions).toBe(384);
    expect(embedder.countTokens("A man is eating food.")).toBe(6);
    expect(await embedder.embedQuery(texts[2] ?? "")).toEqual(vectors[2]);
  }
});

test("[search.models.folder] prefixes and pooling are applied, and make it a different model", async () => {
  const path = hubFolder("hub-ways", "minilm");
  const plain = configured({ embedding: { kind: "folder", path } }).embedder;
  const first = configured({ embedding: { kind: "folder", path, pooling: "first" } }).embedder;
  const prefixed = configured({
    embedding: { kind: "folder", path, document_prefix: "passage: " },
  }).embedder;

  const [vector] = await plain.embed(["passage: lamp"]);
  expect(await prefixed.embed(["lamp"])).toEqual([vector]);
  const [other] = await first.embed(["passage: lamp"]);
  expect(other).toHaveLength(384);
  expect(other).not.toEqual(vector);
  expect(new Set([plain.weights, first.weights, prefixed.weights]).size).toBe(3);
});

test("[search.models.folder] a replaced file is a different model, and is loaded", async () => {
  const path = hubFolder("hub-replaced", "minilm");
  const models = configured({ embedding: { kind: "folder", path } });
  const { weights } = models.embedder;
  await models.embedder.embedQuery("lamp");
  cpSync(join(built.folder, "reranker", "model.onnx"), join(scratch, path, "model.onnx"));

  expect(models.embedder.weights).not.toBe(weights);
  expect(await models.embedder.embedQuery("lamp")).toHaveLength(1);
});

test("[search.models.folder] a cross-encoder in a folder gives its reference scores", async () => {
  const path = hubFolder("hub-cross", "reranker");
  const { reranker } = configured({ reranking: { kind: "folder", path } });
  const passages = ["Weather\nLight rain.", "Collections\nRename it in its settings."];

  expect(reranker?.languages).toBe("all");
  expect(await reranker?.score("rename a collection", passages)).toEqual(
    await openLocalReranker(runtime).score("rename a collection", passages),
  );
});

test("[search.models.folder] a folder without a network, or with an invalid one, is reported", async () => {
  mkdirSync(join(scratch, "empty"));
  const empty = configured({ embedding: { kind: "folder", path: "empty" } }).embedder;
  await expect(empty.embedQuery("x")).rejects.toThrow("Model not loaded");
  writeFileSync(join(scratch, "file"), "");
  for (const setting of [
    { kind: "folder" as const, path: "file" },
    { kind: "gguf" as const, path: "empty" },
  ]) {
    const { embedder } = configured({ embedding: setting });
    expect(embedder.weights).toMatch(/^[0-9a-f]{64}$/);
    await expect(embedder.embedQuery("x")).rejects.toThrow("Model not loaded");
  }
  expect(empty.problem).not.toContain(scratch);

  const path = hubFolder("hub-damaged", "minilm");
  writeFileSync(join(scratch, path, "model.onnx"), "no network");
  const damaged = configured({ embedding: { kind: "folder", path } }).embedder;
  await expect(damaged.embedQuery("x")).rejects.toMatchObject({
    message: "Model not loaded",
    hints: [expect.stringMatching(/^It failed on this machine: .*model\.onnx/)],
  });
  expect(damaged.problem).toContain("It failed on this machine: ");
  expect(damaged.problem).not.toContain(scratch);
  expect(await openLocalEmbedder(runtime).embedQuery("x")).toHaveLength(384);
});

test("[search.models.gguf] without the package the message says what to install, and nothing is started", async () => {
  writeFileSync(join(scratch, "some.gguf"), "GGUF");
  const setting = { kind: "gguf" as const, path: "some.gguf" };
  const models = configured({ embedding: setting, reranking: setting, expansion: setting });

  expect(new Set(modelProblems(models))).toEqual(
    new Set(["Model not loaded\nThe library that runs it is missing: npm install node-llama-cpp"]),
  );
  await expect(models.embedder.embed(["x"])).rejects.toThrow("Model not loaded");
  expect(models.embedder.countTokens("some words")).toBeGreaterThan(1);
});

/** A stand-in for the package with the same interface; its results are easy to check. */
const llama = `
  export const getLlama = async () => ({ loadModel: async ({ modelPath }) => ({
    createEmbeddingContext: async () => ({
      getEmbeddingFor: async (text) => ({ vector: [text.length, 0, 0] }),
    }),
    createRankingContext: async () => ({
      rankAll: async (query, documents) => documents.map((text) => text.length / query.length),
    }),
    createContext: async () => ({ getSequence: () => modelPath, dispose: async () => {} }),
  }) });
  export class LlamaChatSession {
    constructor({ systemPrompt }) { this.system = systemPrompt; }
    prompt = async (text, { maxTokens }) => [this.system, text, maxTokens].join("|");
  }`;

test("[search.models.gguf] with the package a file embeds, scores and generates", async () => {
  const home = await builtModels();
  const library = join(home.folder, "node_modules", "node-llama-cpp");
  mkdirSync(library, { recursive: true });
  const about = { type: "module", exports: { ".": { import: "./index.js" } } };
  writeFileSync(join(library, "package.json"), JSON.stringify(about));
  writeFileSync(join(library, "index.js"), llama);
  const own = openModelRunner({ folder: home.folder });
  onTestFinished(async () => {
    await own.close();
    home.remove();
  });
  writeFileSync(join(scratch, "other.gguf"), "GGUF");
  const setting = { kind: "gguf" as const, path: "other.gguf" };
  const settings = { embedding: setting, reranking: setting, expansion: setting };
  const { embedder, reranker, expander } = openModels(
    {
      settings: () => settings,
      configFolder: scratch,
      environment: {},
      storedDimensions: () => undefined,
    },
    own,
  );
  if (!expander || "isClientModel" in expander) throw new Error("There is no writer.");

  expect(embedder.problem).toBeUndefined();
  expect(await embedder.embedQuery("lamp")).toEqual(Float32Array.of(1, 0, 0));
  expect(await reranker?.score("ab", ["a", "abcd"])).toEqual([0.5, 2]);
  expect(await expander.generate({ system: "s", prompt: "p", maxTokens: 7 })).toBe("s|p|7");
});
