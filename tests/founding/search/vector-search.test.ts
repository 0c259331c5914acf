import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/**
 * Founding document 004: `vsearch`, `query` and `embed` on an index without vectors, and the
 * arguments that current clients send to `query`.
 */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({
    "notes/alpha.md": "# Alpha\n\nalpha alpha alpha\n",
    "notes/beta.md": "# Beta\n\nbeta beta beta\n",
    "notes/both.md": "# Both\n\nSomething of beta, far from the beginning of all things.\n",
    "notes/gamma.md": "# Gamma\n\ngamma gamma gamma\n",
    "work/alpha.md": "# Alpha at work\n\nalpha alpha alpha\n",
  });
});

afterAll(() => server.close());

const noVectors = "Vector index not found. Run 'qmd embed' first to create embeddings.";
const files = (hits: { file: string }[]): string[] => hits.map(({ file }) => file);

test("[search.vsearch.no-vectors] without vectors it names the command to run: isError, 503, exit code 7", async () => {
  expect(await server.failureOf("vsearch", { query: "how do I begin?" })).toEqual({
    text: noVectors,
    status: 503,
    code: 7,
  });
  expect(await server.failureOf("vsearch", { query: "x", limit: 3, minScore: 0.5 })).toMatchObject({
    text: noVectors,
  });
  expect(await server.failureOf("vsearch", { query: "x", collection: "notes" })).toMatchObject({
    text: noVectors,
  });
});

test("[search.query.keywords-alone] without vectors it searches by keyword and does not fail", async () => {
  const input = { query: "alpha" };
  const hits = await server.resultsOf("query", input);

  expect(hits).toEqual(await server.resultsOf("search", input));
  expect(files(hits).sort()).toEqual(["notes/alpha.md", "work/alpha.md"]);
});

test("[search.query.texts] its text is the same as for search, on every surface", async () => {
  for (const { over, call } of server.agents) {
    const { content } = await call("query", { query: "gamma" });
    expect(content[0]?.text, over).toMatch(
      /^Found 1 result for "gamma":\n\n#[0-9a-f]{6} \d+% notes\/gamma\.md - Gamma$/,
    );
    const empty = await call("query", { query: "xylophone" });
    expect(empty.content[0]?.text, over).toBe('No results found for "xylophone"');
  }
  const { body } = await server.rest("POST /query", { query: "gamma" });
  expect(body.content).toMatch(/^Found 1 result for "gamma"\n\n#[0-9a-f]{6} \d+% notes\/gamma\.md/);
});

test("[search.query.limits] limit, minScore and collection work as in search", async () => {
  expect(await server.resultsOf("query", { query: "alpha", limit: 1 })).toHaveLength(1);
  expect(files(await server.resultsOf("query", { query: "alpha", collection: "work" }))).toEqual([
    "work/alpha.md",
  ]);
  expect(
    await server.resultsOf("query", { query: "alpha xylophone quagga", minScore: 0.9 }),
  ).toEqual([]);
  expect((await server.failureOf("query", { query: "alpha", collection: "wrok" })).status).toBe(
    404,
  );
});

/** The results for agents and REST. The command line has its own syntax for several searches. */
async function answer(input: object): Promise<string[]> {
  const { status, body } = await server.rest("POST /query", input);
  expect(status, body.detail).toBe(200);
  const [overStdio] = server.agents;
  const { structuredContent } = (await overStdio?.call("query", input)) ?? {};
  expect(files(structuredContent?.results ?? [])).toEqual(files(body.results));
  return files(body.results);
}

async function failureMessage(input: object): Promise<string> {
  const { status, body } = await server.rest("POST /query", input);
  expect(status).toBe(400);
  for (const { over, call } of server.agents) {
    expect(await call("query", input), over).toMatchObject({
      isError: true,
      content: [{ text: body.detail }],
    });
  }
  return body.detail;
}

test("[search.query.collections] several collections can be searched together", async () => {
  expect(await answer({ query: "alpha", collections: ["work"] })).toEqual(["work/alpha.md"]);
  expect(await answer({ query: "alpha gamma", collections: ["work", "notes"] })).toHaveLength(3);
  const { status } = await server.rest("POST /query", { query: "alpha", collections: ["nots"] });
  expect(status).toBe(404);
});

test("[search.query.searches] the caller can pass typed searches: lex, vec and hyde", async () => {
  expect(await answer({ searches: [{ type: "lex", query: "gamma" }] })).toEqual(["notes/gamma.md"]);
  const three = ["lex", "vec", "hyde"].map((type) => ({ type, query: "gamma" }));
  expect((await answer({ searches: three }))[0]).toBe("notes/gamma.md");
  expect(await failureMessage({ searches: [{ type: "sql", query: "gamma" }] })).toContain(
    "searches",
  );
  expect(await failureMessage({ searches: [] })).toContain("searches");
  const eleven = Array.from({ length: 11 }, () => ({ type: "lex", query: "gamma" }));
  expect(await failureMessage({ searches: eleven })).toContain("searches");
});

test("[search.query.one-of-two] both or neither of query and searches is an error that names both", async () => {
  const searches = [{ type: "lex", query: "gamma" }];

  for (const input of [{ query: "gamma", searches }, {}]) {
    const message = await failureMessage(input);
    expect(message).toContain("'query'");
    expect(message).toContain("'searches'");
  }
  expect(await server.qmd("query")).toMatchObject({ code: 2 });
});

test("[search.query.options] intent, candidateLimit and rerank are accepted, and scores keep their meaning", async () => {
  const result = await server.rest("POST /query", { query: "alpha" });
  for (const options of [
    { intent: "what the first letter means" },
    { candidate_limit: 40 },
    { rerank: false },
  ]) {
    const { status, body } = await server.rest("POST /query", { query: "alpha", ...options });
    expect(status, body.detail).toBe(200);
    expect(files(body.results).sort()).toEqual(files(result.body.results).sort());
  }
  const { body } = await server.rest("POST /query", { query: "alpha", rerank: false });
  expect(body.results.map(({ score }) => score)).not.toEqual([1, 0.5]);
  expect(
    await server.resultsOf("query", { query: "alpha", candidateLimit: 40, rerank: false }),
  ).toHaveLength(2);
  const none = await server.rest("POST /query", { query: "alpha", candidate_limit: 0 });
  expect(none.body).toMatchObject({ status_code: 400 });
  expect(none.body.detail).toContain("'candidate_limit'");
});

test("[search.query.fusion] several searches are fused by rank, and the first two have double weight", async () => {
  const lex = (...queries: string[]) => queries.map((query) => ({ type: "lex", query }));
  const among = { collections: ["notes"] };
  expect(await answer({ ...among, searches: lex("beta") })).toEqual([
    "notes/beta.md",
    "notes/both.md",
  ]);

  // The second result of a list with double weight ranks before the first of one with single
  // weight.
  const ranked = await answer({ ...among, searches: lex("alpha", "beta", "gamma") });
  expect(ranked.indexOf("notes/both.md")).toBeLessThan(ranked.indexOf("notes/gamma.md"));
  const swapped = await answer({ ...among, searches: lex("alpha", "gamma", "beta") });
  expect(swapped.indexOf("notes/gamma.md")).toBeLessThan(swapped.indexOf("notes/both.md"));
  // A document found by two searches ranks before one found by one.
  expect(
    (await answer({ ...among, searches: lex("alpha", "gamma", "alpha gamma") })).slice(0, 2),
  ).toEqual(expect.arrayContaining(["notes/alpha.md", "notes/gamma.md"]));
  expect(new Set(ranked).size).toBe(ranked.length);
});

test("[search.embed.texts] no texts are 400, over a thousand are 413, with the documented message", async () => {
  const embed = (texts: unknown) => server.rest("POST /embed", { texts });

  expect((await embed([])).body).toEqual({ detail: "Empty texts list", status_code: 400 });
  expect(await embed(Array.from({ length: 1_001 }, () => "x"))).toMatchObject({
    status: 413,
    body: { detail: "Too many texts (1001 > 1000)", status_code: 413 },
  });
  expect(await embed("x")).toMatchObject({ status: 400 });
  expect(await embed([7])).toMatchObject({ status: 400 });
});

test("[search.embed.no-model] /embed returns 503 if and only if /health reports that no model is loaded", async () => {
  const health = await server.rest("GET /health");
  const { status, body } = await server.rest("POST /embed", { texts: ["First text"] });
  const { model_loaded: isLoaded } = health.body as unknown as { model_loaded: boolean };

  expect(status).toBe(isLoaded ? 200 : 503);
  if (!isLoaded) expect(body).toEqual({ detail: "Model not loaded", status_code: 503 });
});
