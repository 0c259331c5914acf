import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { modelServer } from "../../../../tests/fixtures/search/model-server.ts";
import {
  type SearchLibrary,
  searchLibrary,
} from "../../../../tests/fixtures/search/search-library.ts";
import { type ModelServer, reply } from "../../../../tests/fixtures/search/word-models.ts";
import { Failure } from "../../../kernel/failure.ts";
import { homeFiles } from "../../../kernel/home/settings.ts";
import type { ModelSettings } from "../../../kernel/models/model-settings.ts";
import { noteMessages } from "../../../kernel/operations/note.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";

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
    runSteps(
      library.library.runtime.db,
      library.library.runtime.config.update((draft) => {
        draft.models = models;
      }),
    );
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
  const messages = noteMessages(answer);
  // The output was validated with the operation's schema.
  return { ...answer, notes: messages.length > 0 ? messages : undefined } as unknown as Found;
}

/** The status text for people. */
async function summary({ library, call }: SearchLibrary): Promise<string> {
  const { present } = library.catalogue.find("status")?.operation ?? {};
  return JSON.stringify(present?.(await call("status", {}), {}, "person"));
}

const filesOf = ({ results }: Found): string[] => results.map(({ file }) => file);

test("[search.models.end-to-end] documents are embedded by a server, and found by its query vectors", async () => {
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

test("[search.rerank.chunk] the re-ranker reads the chunk of a document that is nearest to the query", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: openai(server) });
  const rest = "The keeper writes down the weather of each hour. ".repeat(60);
  const long = `# Log\n\n${rest}\n\nThe quartz lens is ground by hand.\n`;
  writeFileSync(join(library.home, "notes", "log.md"), long);
  await library.call("update_collections", {});
  await library.call("embed", {});

  await found(library, "query", { query: "quartz lens" });
  expect(server.asked.at(-1)?.body.documents).toContainEqual(
    expect.stringContaining("The quartz lens is ground by hand."),
  );
});

test("[search.rerank.language] a document in a language that the embedder does not support is re-ranked by its keyword passage", async () => {
  const server = await modelServer();
  // Compounds, which match no word of the query, but whose vectors are near to it.
  const optics = "Das Materiallager der Museumslinsen: Kristallglas und Mineralglas. ".repeat(12);
  const stock = "Im Herbst wurde der Bestand gezählt und in das Buch eingetragen. ".repeat(6);
  const german = `# Linse\n\n${optics}\n\n## Bestand\n\n${stock} Vorrat: drei Quartz. ${stock}\n`;
  const library = await libraryWith(
    { reranking: openai(server) },
    {
      "notes/lens.md": "# Lens\n\nThe material of each lens in the museum is quartz.\n",
      "notes/linse.md": german,
    },
  );
  await library.call("embed", {});

  await found(library, "query", { query: "what material is the quartz lens in the museum" });

  const read = server.asked.at(-1)?.body.documents ?? [];
  expect(read).toContainEqual(expect.stringContaining("drei Quartz"));
  expect(read).not.toContainEqual(expect.stringContaining("Kristall"));
});

test("[search.models.languages] a configured model is used in every language", async () => {
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

test("[search.models.switch] switching the model starts a new vector set, and keeps the old one", async () => {
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
  expect(alone.notes).toEqual([
    "There are no embeddings yet, so only keywords were used. Run 'qmd embed' to create them.",
  ]);
  // Nothing is sent to a model before it is requested.
  await library.library.runtime.reconcileShelves(new AbortController().signal);
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

test("[search.cleanup.vectors] cleanup drops vectors of removed texts and models, and no others", async () => {
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

test("[search.models.background] new documents are embedded by a model already in use", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: off });
  await library.call("embed", {});
  writeFileSync(join(library.home, "notes", "new.md"), "# Fog\n\nThe horn sounds twice.\n");
  await library.library.runtime.indexer.scan(library.library.runtime.roots());
  expect(await library.call("status", {})).toMatchObject({ needsEmbedding: 1 });

  await library.library.runtime.reconcileShelves(new AbortController().signal);

  expect(await library.call("status", {})).toMatchObject({ needsEmbedding: 0 });
  expect(server.asked.at(-1)?.body.input).toEqual([expect.stringContaining("The horn sounds")]);
});

/** The same models, without recorded server failures. */
const unknownYet = (server: ModelServer, turn: number): ModelSettings => ({
  embedding: { ...openai(server), query_prefix: " ".repeat(turn) },
  reranking: openai(server, `judge ${turn}`),
  expansion: openai(server, `writer ${turn}`),
});

const faults: [ModelServer["fault"], string][] = [
  [(response) => reply(response, 500, ""), "failed (500)"],
  [(response) => reply(response, 429, "", { "retry-after": "60" }), "is too busy (429)"],
  [(response) => reply(response, 401, ""), "did not accept the API key (401)"],
  [(response) => reply(response, 200, "<html>"), "returned no JSON"],
  [(response) => response.destroy(), "cannot be reached (UND_ERR_SOCKET)"],
];

test("[search.embed.force] embed can be limited to some collections, and can recompute embeddings", async () => {
  const server = await modelServer();
  const library = await libraryWith(
    { embedding: openai(server), reranking: off },
    { ...notes, "work/desk.md": "# Desk\n\nA desk of oak.\n" },
  );
  const embed = (input: object) => library.call("embed", input);

  expect(await embed({ collections: ["work"] })).toMatchObject({ documents: 1, needsEmbedding: 3 });
  expect(await embed({})).toMatchObject({ documents: 3, needsEmbedding: 0 });
  const { length: before } = server.asked;
  expect(await embed({ force: true, collections: ["work"] })).toMatchObject({ documents: 1 });
  expect(server.asked.length).toBeGreaterThan(before);
  expect(await embed({ force: true })).toMatchObject({ documents: 4, needsEmbedding: 0 });
  expect(await embed({ collections: ["wrok"] })).toMatchObject({ kind: "not-found" });
});

test("[search.models.search-goes-on] if a server fails, a query continues by keywords and says what is missing", async () => {
  const server = await modelServer();
  const { host } = new URL(server.url);
  const library = await libraryWith(unknownYet(server, 0));
  await library.call("embed", {});
  for (const [turn, [fault, reason]] of faults.entries()) {
    library.use(unknownYet(server, turn + 1));
    server.fault = fault;
    const reported = await found(library, "query", { query: "lamp" });

    expect(filesOf(reported)[0], reason).toBe("notes/lamp.md");
    expect(reported.notes, reason).toEqual([
      `The query was not expanded: The model at ${host} ${reason}.`,
      `Semantic search was skipped: The model at ${host} ${reason}.`,
    ]);
    const refused = await library.call("vsearch", { query: "lamp" });
    expect(refused, reason).toMatchObject({
      kind: "unavailable",
      message: `The model at ${host} ${reason}.`,
    });
  }
});

test("[search.models.search-goes-on] a problem that affects several searches is one note", async () => {
  const server = await modelServer();
  const library = await libraryWith(unknownYet(server, 0));
  await library.call("embed", {});
  await server.stop();
  const searches = [1, 2, 3].map((turn) => ({ type: "vec", query: `lamp ${turn}` }));

  expect((await found(library, "query", { searches })).notes).toEqual([
    expect.stringMatching(/^Semantic search was skipped: Th/),
  ]);
  expect((await found(library, "query", { query: "lamp" })).notes).toEqual([
    expect.stringMatching(/^The query was not expand/),
    expect.stringMatching(/^Semantic search was skipped: Th/),
  ]);
});

test("[search.models.search-goes-on] a failing re-ranker leaves the order unchanged, with a note", async () => {
  const server = await modelServer();
  const library = await libraryWith({ embedding: openai(server), reranking: openai(server) });
  await library.call("embed", {});
  const { results } = await found(library, "query", { query: "lamp", rerank: false });
  server.fault = (response, { body }) =>
    reply(response, 200, body.documents ? { results: [] } : { data: [{ embedding: vector }] });
  const vector = Array.from({ length: 64 }, () => 1);

  const reported = await found(library, "query", { query: "lamp" });

  expect(reported.notes).toEqual([
    expect.stringMatching(
      /^The results were not re-ranked: .* returned 0 scores for \d passages\.$/,
    ),
  ]);
  expect(filesOf(reported).sort()).toEqual(results.map(({ file }) => file).sort());
});

test("[search.models.batch] if a server fails midway, embedding stops and finished work is kept", async () => {
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
  expect(stopped.message).toMatch(
    /returned vectors of 2 numbers, while the stored ones have 64\.$/,
  );
  expect(stopped.explanation).toMatch(
    /\n1 document embedded before that\. Run it again to continue\.$/,
  );
  expect(await library.call("status", {})).toMatchObject({ needsEmbedding: 2 });

  server.fault = undefined;
  library.use({ embedding: { ...openai(server), query_prefix: "again: " }, reranking: off });
  expect(await library.call("embed", {})).toMatchObject({ documents: 2, needsEmbedding: 0 });
});

test("[search.models.none] with embedding disabled, nothing waits for vectors and searches say so", async () => {
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
      message: "Semantic search is disabled.",
    });
  }
  expect((await found(library, "query", { query: "lamp" })).notes).toEqual([
    "Semantic search is disabled, so only keywords were used.",
  ]);
  expect(library.library.hasModel()).toBe(false);
});

test("[search.models.no-secrets] a key in the configuration file is refused, and never repeated in a message", async () => {
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

  const path = homeFiles(library.library.runtime.settings).config;
  writeFileSync(path, JSON.stringify({ models: { embedding: { ...keyed, key: "sk-in-file" } } }));
  expect(await library.call("status", {})).toMatchObject({
    code: "config-damaged",
    message: expect.stringMatching(/'models\.embedding\.key': must not contain a key.*key_from/),
  });
});

test("[search.expansion.added] expansion queries of a configured model are added after the caller's, with lower weight", async () => {
  const server = await modelServer();
  const files = {
    ...notes,
    "notes/rare.md": "# Rare\n\nA synonym stands here, and nothing else.\n",
  };
  const models = { embedding: openai(server), reranking: off, expansion: openai(server, "writer") };
  const library = await libraryWith(models, files);
  await library.call("embed", {});
  server.asked.length = 0;

  const reported = await found(library, "query", { query: "lamp", explain: true });

  const lists = new Map(
    reported.results.flatMap(({ lists = [] }) =>
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
  expect(filesOf(reported)[0]).toBe("notes/lamp.md");
  expect(filesOf(reported)).toContain("notes/rare.md");
  expect(reported.notes).toBeUndefined();
});

test("[search.expansion.once] a query is expanded once, and the caller's own typed searches never", async () => {
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

test("[search.expansion.nonsense] model output without a list adds no queries and leaves a note", async () => {
  const server = await modelServer();
  const library = await libraryWith({ expansion: openai(server) });
  server.fault = (response) => {
    const message = { content: "I would rather talk about the weather." };
    reply(response, 200, { choices: [{ message }] });
  };

  const reported = await found(library, "query", { query: "lamp" });

  expect(filesOf(reported)[0]).toBe("notes/lamp.md");
  expect(reported.notes).toContain(
    "The query was not expanded: the model did not return a list of searches.",
  );
});

test("[search.expansion.client] the client's own model is used if available; otherwise the answer has a note", async () => {
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
  const reported = await library.library.call(entry, input, { ...asking, answers });
  expect(reported).toMatchObject({ ok: true });
  const again = await library.library.call(entry, input, asking);
  // The output was validated with the operation's schema.
  const value = (again as { value?: unknown }).value as Found;
  expect(filesOf(value)).toContain("notes/boat.md");
  const stranger = { ...asking, actor: { surface: "mcp", client: "two" } };
  expect(await library.library.call(entry, input, stranger)).toHaveProperty("questions");

  expect((await found(library, "query", { query: "lamp" })).notes).toContain(
    "The query was not expanded: the client does not support sampling.",
  );
});

test("[search.expansion.client] questions of several concurrent searches are all answered", async () => {
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
    const reported = await search(query, { answers });
    expect(JSON.stringify(reported), query).toContain("notes/boat.md");
  }
});
