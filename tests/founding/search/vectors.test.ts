import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: semantic search, after `qmd embed` has created vectors. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({
    "notes/car.md": "# Servicing\n\nChange the oil of your car and check its brakes every year.\n",
    "notes/bread.md": "# Bread\n\nKnead the dough, let it rise, and bake it until brown.\n",
    "notes/cat.md": "# Whiskers\n\nOur kitten sleeps on the sofa and chases mice at night.\n",
    "haus/wagen.md":
      "# Wagen\n\nWechsle das Öl im Audi Quattro und prüfe die Bremsen jedes Jahr.\n",
    "work/money.md": "# Budget\n\nThe company spends more than it earns this quarter.\n",
  });
  const embedded = await server.qmd("embed");
  expect(embedded, embedded.stderr).toMatchObject({ code: 0 });
});

afterAll(() => server.close());

const files = (hits: { file: string }[]): string[] => hits.map(({ file }) => file);

test("[search.embed.index] `qmd embed` builds a vector index, and status and health report it", async () => {
  expect((await server.rest("GET /status")).body).toMatchObject({
    needs_embedding: 0,
    has_vector_index: true,
    content: expect.stringContaining("\n  Needs embedding: 0\n  Vector index: yes\n"),
  });
  for (const { over, call } of server.agents) {
    const { structuredContent } = await call("status");
    expect(structuredContent, over).toMatchObject({ needsEmbedding: 0, hasVectorIndex: true });
  }
});

test("[search.embed.vectors] the documented curl line returns a vector of 384 numbers for each text", async () => {
  const { embeddings } = JSON.parse(
    await server.runLine(`curl -X POST http://localhost:18765/embed \\
  -H "Content-Type: application/json" \\
  -d '{"texts": ["First text", "Second text"]}'`),
  );

  expect(embeddings).toHaveLength(2);
  for (const vector of embeddings) {
    expect(vector).toHaveLength(384);
    expect(vector.every(Number.isFinite)).toBe(true);
  }
  expect(embeddings[0]).not.toEqual(embeddings[1]);
  expect((await server.rest("GET /health")).body).toEqual({
    status: "healthy",
    model_loaded: true,
  });
});

test("[search.embed.queue] concurrent calls are all answered, one of them with a thousand texts", async () => {
  const thousand = Array.from({ length: 1_000 }, (_, n) => `Text ${n}`);
  const answers = await Promise.all(
    [["one"], thousand, ["one"]].map((texts) => server.rest("POST /embed", { texts })),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [first, all, again] = answers.map(
    // The format of an `/embed` response.
    ({ body }) => (body as unknown as { embeddings: number[][] }).embeddings,
  );
  expect(all).toHaveLength(1_000);
  expect(again).toEqual(first);
});

test("[search.vsearch.meaning] a question finds a document that shares none of its words", async () => {
  const hits = await server.resultsOf("vsearch", { query: "vehicle maintenance" });

  expect(files(hits)[0]).toBe("notes/car.md");
  expect(hits[0]).toMatchObject({
    docid: expect.stringMatching(/^#[0-9a-f]{6}$/),
    title: "Servicing",
    context: null,
    snippet: expect.stringMatching(/^\d+: /),
  });
  expect(new Set(files(hits)).size).toBe(hits.length);
});

test("[search.vsearch.min-score] results below 0.3 are dropped by default", async () => {
  const defaultHits = await server.resultsOf("vsearch", { query: "vehicle maintenance" });
  const all = await server.resultsOf("vsearch", { query: "vehicle maintenance", minScore: 0 });

  expect(defaultHits.every(({ score }) => score >= 0.3)).toBe(true);
  expect(defaultHits).toEqual(all.filter(({ score }) => score >= 0.3));
  expect(all.length).toBeGreaterThan(defaultHits.length);
});

test("[search.vsearch.limits] limit and collection work, and the text is the same as for search", async () => {
  expect(
    await server.resultsOf("vsearch", { query: "pet animal", minScore: 0, limit: 2 }),
  ).toHaveLength(2);
  expect(
    files(await server.resultsOf("vsearch", { query: "pet", minScore: 0, collection: "work" })),
  ).toEqual(["work/money.md"]);
  for (const { over, call } of server.agents) {
    const { content } = await call("vsearch", { query: "vehicle maintenance", limit: 1 });
    expect(content[0]?.text, over).toMatch(
      /^Found 1 result for "vehicle maintenance":\n\n#[0-9a-f]{6} \d+% notes\/car\.md - Servicing$/,
    );
  }
});

test("[search.query.hybrid] query combines keyword and semantic search", async () => {
  const hits = await server.resultsOf("query", { query: "kitten and automobile" });

  expect(files(hits).slice(0, 2).sort()).toEqual(["notes/car.md", "notes/cat.md"]);
  expect(hits.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
});

test("[search.query.intent] the re-ranker input contains the intent before the query", async () => {
  const input = { query: "what should I check every year?", explain: true };
  const queryWith = async (more: object) => {
    const { body } = await server.rest("POST /query", { ...input, ...more });
    const hits: { file: string; rerank?: number }[] = body.results;
    return hits.find(({ file }) => file === "notes/car.md")?.rerank;
  };

  const withoutIntent = await queryWith({});
  const withIntent = await queryWith({ intent: "servicing the brakes of a car" });

  expect(withoutIntent).toEqual(expect.any(Number));
  expect(withIntent).toBeGreaterThan(withoutIntent ?? Number.POSITIVE_INFINITY);
  expect((await server.rest("POST /query", { ...input, rerank: false })).body.results[0]).toEqual(
    expect.not.objectContaining({ rerank: expect.anything() }),
  );
});

test("[search.query.language] for non-English queries the bundled vectors are not used, and the answer says so", async () => {
  const notesFor = async (query: string) => {
    const { body } = await server.rest("POST /query", { query, explain: true });
    const { results, notes } = body as unknown as {
      results: { lists?: { by: string }[] }[];
      notes?: object[];
    };
    return [results.some(({ lists }) => lists?.some(({ by }) => by === "meaning")), notes];
  };
  const message = "The query is not in English, so only keywords were used.";
  const alone = [{ kind: "language", message }];

  expect(await notesFor("Wann wechsle ich das Öl?")).toEqual([false, alone]);
  // A query of two names has no language, but the documents that it finds have one.
  expect(await notesFor("Audi Quattro")).toEqual([false, alone]);
  expect(await notesFor("when do I change the oil?")).toEqual([true, undefined]);
});

test("[search.notes.language] a note of vsearch says that the model does not support the language of the query", async () => {
  const notesFor = async (query: string) => {
    const { body } = await server.rest("POST /vsearch", { query, min_score: 0 });
    return (body as unknown as { notes?: { kind: string }[] }).notes?.map(({ kind }) => kind);
  };

  expect(await notesFor("Wann wechsle ich das Öl?")).toEqual(["language"]);
  expect(await notesFor("when do I change the oil?")).toBeUndefined();
  expect(await notesFor("when do I change the oil? -brakes")).toEqual(["exclusion"]);
});

test("[search.notes.surfaces] notes are data and text for agents, data over REST, and on stderr on the command line", async () => {
  const query = "Wann wechsle ich das Öl?";
  const message = expect.stringContaining("supports only English");
  for (const { over, call } of server.agents) {
    const { content, structuredContent } = await call("vsearch", { query, minScore: 0 });
    expect(content, over).toHaveLength(2);
    expect(content[1], over).toEqual({ type: "text", text: message });
    expect(structuredContent.notes, over).toEqual([{ kind: "language", message }]);
  }
  const { stdout, stderr } = await server.qmd("vsearch", query, "--min-score", "0", "--json");
  expect(Array.isArray(JSON.parse(stdout))).toBe(true);
  expect(stderr).toMatch(/^The embedding model supports only English.*\n$/);
});
