import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdLibrary, qmdLibrary } from "./qmd-library.ts";

/** Founding document 004: `status` and `health`. */
let library: QmdLibrary;

beforeAll(async () => {
  library = await qmdLibrary({
    "docs/a.md": "# A\n",
    "docs/b.md": "# B\n",
    "notes/c.md": "# C\n",
  });
});

afterAll(() => library.close());

/** The facts, in the spelling of an agent. */
const facts = () => ({
  totalDocuments: 3,
  needsEmbedding: 3,
  hasVectorIndex: false,
  collections: [collection("docs", 2), collection("notes", 1)],
});

const collection = (name: string, documents: number) => ({
  name,
  path: library.place(name),
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
    `    - ${library.place("docs")} (2 docs)`,
    `    - ${library.place("notes")} (1 docs)`,
  ].join("\n");

test("[search.status.agent] an agent gets the summary as text and the facts as data", async () => {
  for (const { over, call } of library.agents) {
    const { content, structuredContent, isError } = await call("status");
    expect(isError, over).toBeUndefined();
    expect(content, over).toEqual([{ type: "text", text: summary() }]);
    expect(structuredContent, over).toMatchObject(facts());
  }
});

test("[search.status.rest] REST returns the same in snake_case, with the summary as `content`", async () => {
  const { status, body } = await library.rest("GET /status");

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

test("[search.status.cli] the command line prints the summary, or the facts as JSON", async () => {
  const { code, stdout, stderr } = await library.qmd("status");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.replace(/, collection '\w+'/g, "")).toBe(`${summary()}\n`);
  expect(stdout).toContain(`${library.place("docs")} (2 docs), collection 'docs'\n`);
  expect(JSON.parse((await library.qmd("status", "--json")).stdout)).toMatchObject(facts());
});

test("[search.status.curl] the documented curl line works as written", async () => {
  expect(JSON.parse(await library.typed("curl http://localhost:18765/status"))).toMatchObject({
    total_documents: 3,
    content: expect.stringMatching(/^QMD Index Status:\n {2}Total documents: 3\n/),
  });
});

test("[search.status.parameters] it has no parameters", async () => {
  for (const { over, call } of library.agents) {
    expect((await call("status", { verbose: true })).isError, over).toBe(true);
  }
  expect(await library.rest("GET /status?verbose=1")).toMatchObject({ status: 400 });
});

test("[search.status.current] added and removed documents are counted immediately", async () => {
  library.put("notes/d.md", "# D\n");
  await library.rest("POST /update", {});
  expect((await library.rest("GET /status")).body).toMatchObject({ total_documents: 4 });
  await library.rest("DELETE /collections/notes");
  expect((await library.rest("GET /status")).body).toMatchObject({
    total_documents: 2,
    collections: [{ name: "docs" }],
  });
});

test("[search.health.ready] a ready server is healthy and reports whether a model is loaded", async () => {
  const { status, body } = await library.rest("GET /health");

  expect(status).toBe(200);
  expect(body).toEqual({ status: "healthy", model_loaded: expect.any(Boolean) });
  expect(JSON.parse(await library.typed("curl http://localhost:18765/health"))).toEqual(body);
});

test("[search.health.unready] a server that cannot search is unhealthy, with 503", async () => {
  const file = join(library.home, "config.json");
  const good = readFileSync(file);
  writeFileSync(file, "{ this is no configuration");
  try {
    expect((await library.rest("POST /search", { query: "a" })).status).not.toBe(200);
    expect(await library.rest("GET /health")).toMatchObject({
      status: 503,
      body: { status: "unhealthy", model_loaded: expect.any(Boolean) },
    });
  } finally {
    writeFileSync(file, good);
  }
  expect(await library.rest("GET /health")).toMatchObject({ body: { status: "healthy" } });
});
