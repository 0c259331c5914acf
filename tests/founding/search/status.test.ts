import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: `status` and `health`. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({
    "docs/a.md": "# A\n",
    "docs/b.md": "# B\n",
    "notes/c.md": "# C\n",
  });
});

afterAll(() => server.close());

/** The expected status, with the keys of the tool result. */
const facts = () => ({
  totalDocuments: 3,
  needsEmbedding: 3,
  hasVectorIndex: false,
  collections: [collection("docs", 2), collection("notes", 1)],
});

const collection = (name: string, documents: number) => ({
  name,
  path: server.pathOf(name),
  pattern: "**/*.{md,mdx,markdown}",
  documents,
  lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

const summary = () =>
  [
    "QMD Index Status:",
    "  Total documents: 3",
    "  Needs embedding: 3",
    "  Vector index: no",
    "  Collections: 2",
    `    - ${server.pathOf("docs")} (2 docs)`,
    `    - ${server.pathOf("notes")} (1 docs)`,
  ].join("\n");

test("[search.status.agent] an agent gets the summary as text and the values as data", async () => {
  for (const { over, call } of server.agents) {
    const { content, structuredContent, isError } = await call("status");
    expect(isError, over).toBeUndefined();
    expect(content, over).toEqual([{ type: "text", text: summary() }]);
    expect(structuredContent, over).toMatchObject(facts());
  }
});

test("[search.status.rest] REST returns the same in snake_case, with the summary as `content`", async () => {
  const { status, body } = await server.rest("GET /status");

  expect(status).toBe(200);
  expect(body).toMatchObject({
    total_documents: 3,
    needs_embedding: 3,
    has_vector_index: false,
    collections: facts().collections.map(({ lastUpdated, ...rest }) => ({
      ...rest,
      last_updated: lastUpdated,
    })),
    content: summary(),
  });
});

test("[search.status.cli] the command line prints the summary, or the values as JSON", async () => {
  const { code, stdout, stderr } = await server.qmd("status");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.replace(/, collection '\w+'/g, "")).toBe(`${summary()}\n`);
  expect(stdout).toContain(`${server.pathOf("docs")} (2 docs), collection 'docs'\n`);
  expect(JSON.parse((await server.qmd("status", "--json")).stdout)).toMatchObject(facts());
});

test("[search.status.curl] the documented curl line works as written", async () => {
  expect(JSON.parse(await server.runLine("curl http://localhost:18765/status"))).toMatchObject({
    total_documents: 3,
    content: expect.stringMatching(/^QMD Index Status:\n {2}Total documents: 3\n/),
  });
});

test("[search.status.parameters] it has no parameters", async () => {
  for (const { over, call } of server.agents) {
    expect((await call("status", { verbose: true })).isError, over).toBe(true);
  }
  expect(await server.rest("GET /status?verbose=1")).toMatchObject({ status: 400 });
});

test("[search.status.current] added and removed documents are counted immediately", async () => {
  server.write("notes/d.md", "# D\n");
  await server.rest("POST /update", {});
  expect((await server.rest("GET /status")).body).toMatchObject({ total_documents: 4 });
  await server.rest("DELETE /collections/notes");
  expect((await server.rest("GET /status")).body).toMatchObject({
    total_documents: 2,
    collections: [{ name: "docs" }],
  });
});

test("[search.health.ready] a ready server is healthy and reports whether a model is loaded", async () => {
  const { status, body } = await server.rest("GET /health");

  expect(status).toBe(200);
  expect(body).toEqual({ status: "healthy", model_loaded: expect.any(Boolean) });
  expect(JSON.parse(await server.runLine("curl http://localhost:18765/health"))).toEqual(body);
});

test("[search.health.unready] a server that cannot search is unhealthy, with 503", async () => {
  const file = join(server.home, "config.json");
  const valid = readFileSync(file);
  writeFileSync(file, "{ this is no configuration");
  try {
    expect((await server.rest("POST /search", { query: "a" })).status).not.toBe(200);
    expect(await server.rest("GET /health")).toMatchObject({
      status: 503,
      body: { status: "unhealthy", model_loaded: expect.any(Boolean) },
    });
  } finally {
    writeFileSync(file, valid);
  }
  expect(await server.rest("GET /health")).toMatchObject({ body: { status: "healthy" } });
});
