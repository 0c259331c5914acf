import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: all REST errors have the same format, and a specific status. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({ "notes/lamp.md": "# Lamp\n\nThe lamp is lit at dusk.\n" });
});

afterAll(() => server.close());

async function check(route: string, input: unknown, status: number, message: string | RegExp) {
  const answer = await server.rest(route, input);
  expect(answer, JSON.stringify(answer.body)).toEqual({
    status,
    type: expect.stringMatching(/^application\/json/),
    body: { detail: expect.stringMatching(message), status_code: status },
  });
}

/** Every route with a request body, and a valid body for it. */
const bodies: Record<string, object> = {
  "POST /search": { query: "lamp" },
  "POST /vsearch": { query: "lamp" },
  "POST /query": { query: "lamp" },
  "POST /get": { file: "notes/lamp.md" },
  "POST /multi_get": { pattern: "*.md" },
  "POST /embed": { texts: ["lamp"] },
  "POST /collections/add": { name: "more", path: "/" },
  "PUT /collections/notes": { new_name: "more" },
  "POST /index": {},
  "POST /update": {},
  "POST /contexts/add": { path: "notes", text: "Notes" },
};

test("[search.errors.missing] a missing required parameter is 400 and named", async () => {
  await check("POST /search", {}, 400, "'query'");
  await check("POST /vsearch", {}, 400, "'query'");
  await check("POST /query", {}, 400, "'query'");
  await check("POST /get", {}, 400, "'file'");
  await check("POST /multi_get", {}, 400, "'pattern'");
  await check("POST /embed", {}, 400, "'texts'");
  await check("POST /collections/add", { name: "x" }, 400, "'path'");
  await check("POST /collections/add", { path: "/tmp" }, 400, "'name'");
  await check("PUT /collections/notes", {}, 400, "'new_name'");
  await check("POST /contexts/add", { path: "notes" }, 400, "'text'");
  await check("POST /contexts/add", { text: "Notes" }, 400, "'path'");
  await check("POST /update", { pull: "maybe" }, 400, "'pull'");
});

test.each(Object.entries(bodies))(
  "[search.errors.body] %s refuses a body that is not JSON, not an object or has an unknown field with 400",
  async (route, validBody) => {
    await check(route, '{"query": "lamp"', 400, /JSON/);
    await check(route, "[1]", 400, /object/);
    await check(route, { ...validBody, colour: "red" }, 400, "'colour'");
  },
);

test.each(Object.keys(bodies))(
  "[search.errors.content-type] %s refuses a body without a JSON content type with 415",
  async (route) => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      const answer = await server.rest(route, '{"query":"lamp"}', { "content-type": type });
      expect(answer, type).toMatchObject({ status: 415, body: { status_code: 415 } });
      expect(Object.keys(answer.body)).toEqual(["detail", "status_code"]);
    }
  },
);

test("[search.errors.not-found] an unknown document, collection, context or route is 404", async () => {
  await check("POST /get", { file: "unknown.md" }, 404, /^Document not found: unknown\.md/);
  await check("POST /multi_get", { pattern: "none/*.md" }, 404, /^No files matched pattern/);
  for (const route of ["POST /search", "POST /query"]) {
    await check(route, { query: "lamp", collection: "nots" }, 404, /nots[\s\S]*'notes'/);
  }
  await check("GET /collections/nots", undefined, 404, /^Collection not found: nots/);
  await check("DELETE /collections/nots", undefined, 404, /^Collection not found: nots/);
  await check("PUT /collections/nots", { new_name: "x" }, 404, /^Collection not found: nots/);
  await check("DELETE /contexts/nots", undefined, 404, /^Context not found: nots/);
  await check("GET /serch", undefined, 404, /\/search/);
});

test("[search.errors.method] a known path with a wrong method is 405 and names the allowed one", async () => {
  await check("GET /search", undefined, 405, /POST/);
  await check("POST /status", {}, 405, /GET/);
  await check("DELETE /health", undefined, 405, /GET/);
});

test("[search.errors.too-large] a body over ten megabytes is 413", async () => {
  const query = "x".repeat(10 * 1024 * 1024);
  await check("POST /search", { query }, 413, /10 MB/);
});

test("[search.errors.cli] errors with a REST status have an exit code on the command line", async () => {
  expect(await server.qmd("search")).toMatchObject({ code: 2 });
  expect(await server.qmd("search", "lamp", "-c", "nots")).toMatchObject({ code: 3 });
  expect(await server.qmd("get", "unknown.md")).toMatchObject({ code: 3 });
  expect(await server.qmd("vsearch", "lamp")).toMatchObject({ code: 7 });
  expect(await server.qmd("serch", "lamp")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("search"),
  });
});

const oddStrings = [
  '"',
  '""',
  '"lamp',
  "-",
  "-lamp",
  "*",
  "lamp*",
  "(lamp OR",
  "NEAR(lamp dusk)",
  "title:lamp",
  "lamp AND",
  "^lamp",
  "'; DROP TABLE documents; --",
  "\u0000",
  "\ud800",
  "😀",
  "%",
  "_",
  "\\",
  "a".repeat(10_000),
];

test("[search.errors.never-500] no query, name or pattern causes a server error", async () => {
  for (const text of oddStrings) {
    for (const [route, input] of [
      ["POST /search", { query: text }],
      ["POST /query", { query: text }],
      ["POST /query", { searches: [{ type: "lex", query: text }] }],
      ["POST /search", { query: "lamp", path: text }],
      ["POST /search", { query: "lamp", filter: [text] }],
      ["POST /get", { file: text }],
      ["POST /multi_get", { pattern: text }],
      ["POST /collections/add", { name: text, path: "/nowhere" }],
      ["POST /contexts/add", { path: text, text }],
      [`GET /collections/${encodeURIComponent(text.toWellFormed())}`, undefined],
      [`DELETE /contexts/${encodeURIComponent(text.toWellFormed())}`, undefined],
    ] as const) {
      const { status, body } = await server.rest(route, input);
      const label = `${route} ${JSON.stringify(input)?.slice(0, 80)}: ${JSON.stringify(body)}`;
      expect([200, 400, 404, 405], label).toContain(status);
      if (status !== 200) expect(body, label).toMatchObject({ status_code: status });
    }
  }
  expect((await server.rest("POST /search", { query: "lamp" })).body.results).toHaveLength(1);
});
