import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { modelServer } from "../../../tests/fixtures/model-server.ts";
import { type SearchLibrary, searchLibrary } from "../../../tests/fixtures/search-library.ts";
import { type ModelServer, reply } from "../../../tests/fixtures/word-models.ts";
import { Failure } from "../../kernel/failure.ts";
import type { ModelSettings } from "../../kernel/models/configured.ts";

const notes = {
  "notes/lamp.md": "# Lighting\n\nThe keeper lights the lamp with a match every evening.\n",
  "notes/boat.md": "# Boats\n\nThe boat leaves the harbour on Tuesdays, unless the wind is high.\n",
  "notes/turm.md": "# Turm\n\nDer Leuchtturmwärter entzündet abends die Lampe im Turm.\n",
};

/** Documents, and the models that the configuration names. */
async function libraryWith(
  models: ModelSettings,
  files: Record<string, string> = notes,
): Promise<SearchLibrary & { use(models: ModelSettings): void }> {
  const library = await searchLibrary(files);
  const use = (models: ModelSettings) => {
    library.library.house.config.update((draft) => {
      draft.models = models;
    });
  };
  use(models);
  return { ...library, use };
}

const openai = ({ url }: ModelServer, model = "words") => ({ kind: "openai" as const, url, model });
const off = { kind: "none" as const };

interface Found {
  results: {
    file: string;
    rerank?: number;
    lists?: { by: string; query: string; weight: number }[];
  }[];
  notes?: string[];
}

async function found(library: SearchLibrary, name: string, input: object): Promise<Found> {
  const answer = await library.call(name, { minScore: 0, ...input });
  if (answer instanceof Failure) throw answer;
  // The output was checked against the operation's own schema when it was given.
  return answer as unknown as Found;
}

/** What people read of the status. */
async function summary({ library, call }: SearchLibrary): Promise<string> {
  const { present } = library.catalogue.find("status")?.operation ?? {};
  return JSON.stringify(present?.(await call("status", {}), {}, "person"));
}

const filesOf = ({ results }: Found): string[] => results.map(({ file }) => file);

test("[search.models.end-to-end] documents are embedded by a server, and found by what it says of a query", async () => {
  const server = await modelServer();
  const library = await libraryWith({
    embedding: openai(server),
    reranking: openai(server, "judge"),
  });
  expect(await library.call("status", {})).toMatchObject({
    needsEmbedding: 3,
    hasVectorIndex: false,
    models: { embedding: `words at ${new URL(server.url).host}`, expansion: "none" },
  });
  expect(await summary(library)).toContain(`embedding words at ${new URL(server.url).host};`);
  expect(await library.call("vsearch", { query: "lamp" })).toMatchObject({ code: "no-vectors" });
  expect(server.asked).toEqual([]);

  expect(await library.call("embed", {})).toMatchObject({ documents: 3, needsEmbedding: 0 });
  const asked = server.asked.length;
  expect(await library.call("embed", {})).toMatchObject({ documents: 0 });
  expect(server.asked).toHaveLength(asked);

  const near = await found(library, "vsearch", { query: "lighting a lamp", limit: 1 });
  expect(filesOf(near)).toEqual(["notes/lamp.md"]);
  const both = await found(library, "query", { query: "boat harbour", explain: true });
  expect(both.notes).toBeUndefined();
  expect(both.results[0]).toMatchObject({ file: "notes/boat.md", rerank: expect.any(Number) });
  expect(new Set(both.results[0]?.lists?.map(({ by }) => by))).toEqual(
    new Set(["keywords", "meaning"]),
  );
  expect(server.asked.at(-1)).toMatchObject({ path: "/v1/rerank", body: { model: "judge" } });
});

test("[search.models.languages] a configured model has its say in every language", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: openai(server) });
  await library.call("embed", {});

  const german = await found(library, "query", {
    query: "Wer entzündet die Lampe?",
    explain: true,
  });

  expect(german.notes).toBeUndefined();
  expect(german.results[0]).toMatchObject({ file: "notes/turm.md", rerank: expect.any(Number) });
  expect(german.results[0]?.lists?.map(({ by }) => by)).toContain("meaning");
});

test("[search.models.switch] another model begins anew: no vector is mixed in, and the old ones are kept", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server, "first"), reranking: off });
  await library.call("embed", {});
  const before = await found(library, "vsearch", { query: "lamp" });
  const embedded = server.asked.length;

  library.use({ embedding: openai(server, "second"), reranking: off });
  expect(await library.call("status", {})).toMatchObject({
    needsEmbedding: 3,
    hasVectorIndex: false,
    models: { embedding: expect.stringMatching(/^second at /), reranking: "none" },
  });
  expect(await library.call("vsearch", { query: "lamp" })).toMatchObject({ code: "no-vectors" });
  const alone = await found(library, "query", { query: "lamp" });
  expect(alone.notes).toEqual(["There are no vectors yet, so keywords alone were used: qmd embed"]);
  // Nothing is sent to a model before somebody says so.
  await library.library.house.tend(new AbortController().signal);
  expect(server.asked).toHaveLength(embedded);

  await library.call("embed", {});
  expect(await library.call("status", {})).toMatchObject({
    needsEmbedding: 0,
    hasVectorIndex: true,
  });
  const after = await found(library, "vsearch", { query: "lamp" });
  expect(filesOf(after)[0]).toBe("notes/lamp.md");
  expect(after.results).toHaveLength(3);

  library.use({ embedding: openai(server, "first"), reranking: off });
  const known = server.asked.length;
  expect(await library.call("embed", {})).toMatchObject({ documents: 3 });
  expect(server.asked).toHaveLength(known);
  expect(await found(library, "vsearch", { query: "lamp" })).toEqual(before);
});

test("[search.cleanup.vectors] cleaning up drops vectors of texts and models that are gone, and no others", async () => {
  const server = await modelServer();
  const use = (model: string) => library.use({ embedding: openai(server, model), reranking: off });
  const library = await libraryWith({ embedding: openai(server, "first"), reranking: off });
  const textsAsked = async () => {
    const { length } = server.asked;
    await library.call("embed", {});
    return server.asked.slice(length).flatMap(({ body }) => Object(body).input);
  };
  expect(await textsAsked()).toHaveLength(3);
  use("second");
  expect(await textsAsked()).toHaveLength(3);
  const boat = join(library.home, "notes/boat.md");
  rmSync(boat);
  await library.call("update_collections", {});
  const before = await found(library, "vsearch", { query: "lamp" });

  expect(await library.call("cleanup", {})).toMatchObject({ status: "cleaned" });

  expect(await found(library, "vsearch", { query: "lamp" })).toEqual(before);
  expect(await textsAsked()).toEqual([]);
  writeFileSync(boat, notes["notes/boat.md"]);
  await library.call("update_collections", {});
  expect(await textsAsked()).toHaveLength(1);
  use("first");
  expect(await textsAsked()).toHaveLength(3);
});

test("[search.models.tend] what is new goes to a model that has begun", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: off });
  await library.call("embed", {});
  writeFileSync(join(library.home, "notes", "new.md"), "# Fog\n\nThe horn sounds twice.\n");
  await library.library.house.intake.scan(library.library.house.roots());
  expect(await library.call("status", {})).toMatchObject({ needsEmbedding: 1 });

  await library.library.house.tend(new AbortController().signal);

  expect(await library.call("status", {})).toMatchObject({ needsEmbedding: 0 });
  expect(server.asked.at(-1)?.body.input).toEqual([expect.stringContaining("The horn sounds")]);
});

/** The same models, whose servers nobody has yet seen failing. */
const unknownYet = (server: ModelServer, turn: number): ModelSettings => ({
  embedding: { ...openai(server), query_prefix: " ".repeat(turn) },
  reranking: openai(server, `judge ${turn}`),
  expansion: openai(server, `writer ${turn}`),
});

const faults: [ModelServer["fault"], string][] = [
  [(response) => reply(response, 500, ""), "failed (500)"],
  [(response) => reply(response, 429, "", { "retry-after": "60" }), "is too busy (429)"],
  [(response) => reply(response, 401, ""), "did not accept our key (401)"],
  [(response) => reply(response, 200, "<html>"), "gave no JSON"],
  [(response) => response.destroy(), "cannot be reached (UND_ERR_SOCKET)"],
];

test("[search.models.search-goes-on] where a server fails, a query goes on by keywords and says what is missing", async () => {
  const server = await modelServer();
  const { host } = new URL(server.url);
  const library = await libraryWith(unknownYet(server, 0));
  await library.call("embed", {});
  for (const [turn, [fault, reason]] of faults.entries()) {
    library.use(unknownYet(server, turn + 1));
    server.fault = fault;
    const told = await found(library, "query", { query: "lamp" });

    expect(filesOf(told)[0], reason).toBe("notes/lamp.md");
    expect(told.notes, reason).toEqual([
      `The query was not expanded: The model at ${host} ${reason}.`,
      `Meaning was left out: The model at ${host} ${reason}.`,
    ]);
    const refused = await library.call("vsearch", { query: "lamp" });
    expect(refused, reason).toMatchObject({
      kind: "unavailable",
      message: `The model at ${host} ${reason}.`,
    });
  }
});

test("[search.models.search-goes-on] who sees results alone hears of it too, once for each model", async () => {
  const server = await modelServer();
  const library = await libraryWith(unknownYet(server, 0));
  await library.call("embed", {});
  await server.stop();
  const entry = library.library.catalogue.find("query");
  if (!entry) throw new Error("There is no query.");
  const heard: string[] = [];
  const asked = { searches: [1, 2, 3].map((turn) => ({ type: "vec", query: `lamp ${turn}` })) };
  for (const input of [asked, { query: "lamp" }]) {
    await library.library.call(entry, input, {
      actor: { surface: "test" },
      onLog: (level, message) => heard.push(`${level}: ${message.slice(0, 24)}`),
    });
  }

  expect(heard).toEqual([
    "warn: Meaning was left out: Th",
    "warn: The query was not expand",
    "warn: Meaning was left out: Th",
  ]);
});

test("[search.models.search-goes-on] a re-ranker that fails leaves the order as it was, and a note", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: openai(server) });
  await library.call("embed", {});
  const { results } = await found(library, "query", { query: "lamp", rerank: false });
  server.fault = (response, { body }) =>
    reply(response, 200, body.documents ? { results: [] } : { data: [{ embedding: vector }] });
  const vector = Array.from({ length: 64 }, () => 1);

  const told = await found(library, "query", { query: "lamp" });

  expect(told.notes).toEqual([
    expect.stringMatching(/^The best were not re-ranked: .* gave 0 scores for \d passages\.$/),
  ]);
  expect(filesOf(told).sort()).toEqual(results.map(({ file }) => file).sort());
});

test("[search.models.batch] a server that fails in the middle stops the work, and what was done is kept", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: off });
  let isFirst = true;
  server.fault = (response, { body }) => {
    const embedding = Array.from({ length: isFirst ? 64 : 2 }, (_, place) => place + 1);
    isFirst = false;
    reply(response, 200, { data: body.input.map(() => ({ embedding })) });
  };

  const stopped = await library.call("embed", {});

  if (!(stopped instanceof Failure)) throw new Error("It did not fail.");
  expect(stopped.message).toMatch(/gave vectors of 2 numbers, while those before have 64\.$/);
  expect(stopped.explanation).toMatch(
    /\n1 document got vectors before that; run it again to go on\.$/,
  );
  expect(await library.call("status", {})).toMatchObject({ needsEmbedding: 2 });

  server.fault = undefined;
  library.use({ embedding: { ...openai(server), query_prefix: "again: " }, reranking: off });
  expect(await library.call("embed", {})).toMatchObject({ documents: 2, needsEmbedding: 0 });
});

test("[search.models.none] where embedding is switched off, nothing waits for vectors and searches say so", async () => {
  const library = await libraryWith({ embedding: off });

  expect(await library.call("status", {})).toMatchObject({
    needsEmbedding: 0,
    hasVectorIndex: false,
    models: { embedding: "none" },
  });
  for (const [name, input] of [
    ["embed", {}],
    ["vsearch", { query: "lamp" }],
    ["embed_texts", { texts: ["lamp"] }],
  ] as const) {
    expect(await library.call(name, input), name).toMatchObject({
      kind: "unavailable",
      message: "Search by meaning is switched off.",
    });
  }
  expect((await found(library, "query", { query: "lamp" })).notes).toEqual([
    "Search by meaning is switched off, so keywords alone were used.",
  ]);
  expect(library.library.hasModel()).toBe(false);
});

test("[search.models.no-secrets] a key in the configuration file is refused, and no answer repeats it", async () => {
  vi.stubEnv("LECTERN_TRIAL_KEY", "sk-from-environment");
  const server = await modelServer();
  const keyed = { ...openai(server), key_from: "LECTERN_TRIAL_KEY" };
  const library = await libraryWith({ embedding: keyed, reranking: off });
  await library.call("embed", {});
  expect(server.asked[0]?.authorization).toBe("Bearer sk-from-environment");
  server.fault = (response) => reply(response, 401, "Wrong key: sk-from-environment");
  for (const name of ["status", "query", "vsearch"]) {
    const answer = await library.call(name, name === "status" ? {} : { query: "lamp" });
    expect(JSON.stringify(answer), name).not.toContain("sk-from-environment");
  }

  const { path } = library.library.house.config;
  writeFileSync(path, JSON.stringify({ models: { embedding: { ...keyed, key: "sk-in-file" } } }));
  expect(await library.call("status", {})).toMatchObject({
    code: "config-damaged",
    message: expect.stringMatching(
      /'models\.embedding\.key': no key may stand in this file.*key_from/,
    ),
  });
});

test("[search.expansion.added] a configured model's searches are added behind the caller's words, and count less", async () => {
  const server = await modelServer();
  const files = {
    ...notes,
    "notes/rare.md": "# Rare\n\nA synonym stands here, and nothing else.\n",
  };
  const models = { embedding: openai(server), reranking: off, expansion: openai(server, "writer") };
  const library = await libraryWith(models, files);
  await library.call("embed", {});
  server.asked.length = 0;

  const told = await found(library, "query", { query: "lamp", explain: true });

  const lists = new Map(
    told.results.flatMap(({ lists = [] }) =>
      lists.map(({ by, query, weight }) => [`${by}: ${query}`, weight] as const),
    ),
  );
  expect(Object.fromEntries(lists)).toEqual({
    "keywords: lamp": 2,
    "meaning: lamp": 2,
    "keywords: lamp synonym": 1,
    "meaning: what is said of lamp": 1,
    "meaning: It is known that lamp matters.": 1,
  });
  expect(filesOf(told)[0]).toBe("notes/lamp.md");
  expect(filesOf(told)).toContain("notes/rare.md");
  expect(told.notes).toBeUndefined();
});

test("[search.expansion.once] a query is expanded once, and searches of the caller's own never", async () => {
  const server = await modelServer();
  const library = await libraryWith({ expansion: openai(server) });
  const asked = () => server.asked.filter(({ path }) => path.endsWith("/completions")).length;
  await found(library, "query", { searches: [{ type: "lex", query: "lamp" }] });
  expect(asked()).toBe(0);

  const first = await found(library, "query", { query: "lamp" });
  expect(await found(library, "query", { query: "lamp" })).toEqual(first);
  expect(asked()).toBe(1);
  await found(library, "query", { query: "lamp", intent: "buying one" });
  expect(asked()).toBe(2);
  expect(server.asked.at(-1)?.body.messages.at(-1)?.content).toContain("buying one");
});

test("[search.expansion.nonsense] a model that gives no list adds nothing, and a note", async () => {
  const server = await modelServer();
  const library = await libraryWith({ expansion: openai(server) });
  server.fault = (response) => {
    const message = { content: "I would rather talk about the weather." };
    reply(response, 200, { choices: [{ message }] });
  };

  const told = await found(library, "query", { query: "lamp" });

  expect(filesOf(told)[0]).toBe("notes/lamp.md");
  expect(told.notes).toContain("The query was not expanded: the model gave no list of searches.");
});

test("[search.expansion.client] the client's own model is asked where it can be, and else a note is left", async () => {
  const library = await libraryWith({ expansion: { kind: "client" } });
  const entry = library.library.catalogue.find("query");
  if (!entry) throw new Error("There is no query.");
  const asking = { actor: { surface: "mcp", client: "one" }, canAsk: () => true };
  const input = { query: "lamp", explain: true };

  const first = await library.library.call(entry, input, asking);
  if (!("questions" in first)) throw new Error("Nothing was asked.");
  expect(first.questions).toMatchObject({
    expansion: { kind: "model", messages: [{ role: "user", text: "lamp" }] },
  });
  const text = '[{"type": "lex", "query": "harbour"}]';
  const answers = { expansion: { kind: "model" as const, text } };
  const told = await library.library.call(entry, input, { ...asking, answers });
  expect(told).toMatchObject({ ok: true });
  const again = await library.library.call(entry, input, asking);
  // The output was checked against the operation's own schema when it was given.
  const value = (again as { value?: unknown }).value as Found;
  expect(filesOf(value)).toContain("notes/boat.md");
  const stranger = { ...asking, actor: { surface: "mcp", client: "two" } };
  expect(await library.library.call(entry, input, stranger)).toHaveProperty("questions");

  expect((await found(library, "query", { query: "lamp" })).notes).toContain(
    "The query was not expanded: the client offers no model.",
  );
});

test("[search.expansion.client] questions of several searches at once are all answered", async () => {
  const library = await libraryWith({ expansion: { kind: "client" } });
  const entry = library.library.catalogue.find("query");
  if (!entry) throw new Error("There is no query.");
  const asking = { actor: { surface: "mcp", client: "one" }, canAsk: () => true };
  const search = (query: string, options: object = {}) =>
    library.library.call(entry, { query }, { ...asking, ...options });
  const text = '[{"type": "lex", "query": "harbour"}]';
  const answers = { expansion: { kind: "model" as const, text } };
  for (const query of ["lamp", "match"]) expect(await search(query)).toHaveProperty("questions");

  for (const query of ["lamp", "match", "evening"]) {
    const told = await search(query, { answers });
    expect(JSON.stringify(told), query).toContain("notes/boat.md");
  }
});
