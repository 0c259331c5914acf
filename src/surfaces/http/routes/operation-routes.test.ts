import { expect, test } from "vitest";
import * as z from "zod";
import { pageHeaders } from "../../../../tests/fixtures/http/page-credential.ts";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { type FailureKind, failureKinds } from "../../../kernel/failure.ts";
import type { Effect } from "../../../kernel/operation.ts";
import { createHttpApp } from "../http-app.ts";

const mcp = async () => new Response();

function subject() {
  const library = smallLibrary([finding, failingShelf], { LECTERN_TOOL_TIMEOUT_MS: "5000" });
  const app = createHttpApp({ app: library, mcp });
  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const response = await app.request(path, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  return { app, library, send };
}

const statuses: Record<FailureKind, number> = {
  invalid: 400,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  unavailable: 503,
  internal: 500,
};

for (const kind of failureKinds) {
  test(`[core.http.failures] ${kind} answers ${statuses[kind]} on a route and under /tools`, async () => {
    const { send } = subject();
    const rest = await send("POST", "/fail", { kind });
    const tool = await send("POST", "/tools/fail", { arguments: { kind } });
    const code = kind === "internal" ? "INTERNAL_ERROR" : `THING/${kind.toUpperCase()}`;
    const words = `It is ${kind}.\nDo otherwise.`;

    expect(rest).toMatchObject({
      status: statuses[kind],
      body: { detail: words, status_code: statuses[kind] },
    });
    expect(Object.keys(Object(rest.body))).toEqual(["detail", "status_code"]);
    expect(tool).toMatchObject({
      status: statuses[kind],
      body: { success: false, error: words, error_code: code },
    });
    expect(Object.keys(Object(tool.body))).toEqual(["success", "error", "error_code"]);
  });
}

test("[core.http.internal] an unexpected error is one line for the caller and a log entry for the operator", async () => {
  const { send, library } = subject();
  const rest = await send("POST", "/fail", { kind: "unforeseen" });
  const tool = await send("POST", "/tools/fail", { arguments: { kind: "unforeseen" } });

  expect(rest.body).toEqual({ detail: "Internal error", status_code: 500 });
  expect(tool.body).toEqual({
    success: false,
    error: "Internal error",
    error_code: "INTERNAL_ERROR",
  });
  expect(library.logged.join("")).toContain("secret at /home/somebody");
  expect((await send("POST", "/find", { query: "x" })).status).toBe(200);
});

test("[core.http.internal] an error in the surface itself is caught, logged with an id and not exposed", async () => {
  const library = smallLibrary([]);
  const app = createHttpApp({
    app: library,
    mcp: async () => {
      throw new Error("secret");
    },
  });
  const response = await app.request("/mcp", { method: "POST" });

  expect([response.status, await response.json()]).toEqual([
    500,
    { jsonrpc: "2.0", error: { code: -32603, message: "Internal error" } },
  ]);
  expect(library.logged.join("")).toMatch(/request failed id="[\w-]{36}".*secret/);
});

test("a call that has to ask first says so", async () => {
  const { send } = subject();
  const { status, body } = await send("POST", "/fail", { kind: "asking" });

  expect(status).toBe(409);
  expect(Object(body).detail).toContain("Are you sure?");
});

test("[core.http.content] search routes return snake_case data and the presented text as `content`", async () => {
  const { send } = subject();
  const { body } = await send("POST", "/find", { query: "meeting", min_score: 0.5, limit: 2 });

  expect(body).toEqual({
    results: [
      { docid: "#abc123", last_updated: "now", tag_counts: { someTag: { times_seen: 2 } } },
    ],
    total_found: 1,
    asked: { query: "meeting", minScore: 0.5, limit: 2 },
    content: 'Found 1 for "meeting"\n(program)',
  });
});

test("[core.http.content] content is null without text, and absent without a presentation", async () => {
  const { send } = subject();

  expect((await send("POST", "/fetch", { file: "known.md" })).body).toEqual({
    document: { uri: "qmd://known.md", mimeType: "text/markdown" },
    content: null,
  });
  expect(Object(await send("GET", "/folders")).body).not.toHaveProperty("content");
});

test("[core.http.casing] nested keys are accepted in both spellings, and data keys unchanged", async () => {
  const { send } = subject();
  const { body } = await send("POST", "/find", {
    query: "x",
    minScore: 1,
    filters: [{ field_name: "a", is: { inner_key: 1 } }],
    labels: { some_label: "kept" },
  });

  expect(Object(body).asked).toMatchObject({
    minScore: 1,
    filters: [{ fieldName: "a", is: { inner_key: 1 } }],
    labels: { some_label: "kept" },
  });
});

test("[core.http.not-found] the error for a missing document has exactly the founding document's text", async () => {
  const { send } = subject();

  expect((await send("POST", "/fetch", { file: "unknown.md" })).body).toEqual({
    detail: "Document not found: unknown.md\n\nDid you mean one of these?\n  - known.md",
    status_code: 404,
  });
});

test("other dialects keep their declared keys", async () => {
  const { send } = subject();

  expect((await send("POST", "/count", { source_id: 3, wordList: ["a"] })).body).toEqual({
    source_id: 3,
    wordCount: 1,
  });
  expect((await send("POST", "/count", { source_id: 3, word_list: ["a"] })).status).toBe(400);
});

test("[core.http.unknown-field] an unknown field is refused, and the closest name is suggested", async () => {
  const { send } = subject();
  const check = async (method: string, path: string, body: unknown, detail: string) => {
    expect(await send(method, path, body)).toMatchObject({
      status: 400,
      body: { detail, status_code: 400 },
    });
  };

  const known = "known are query, limit, min_score, filters, labels";
  await check(
    "POST",
    "/find",
    { query: "x", min_scores: 1 },
    `Unknown parameter 'min_scores': did you mean 'min_score'? ${known}`,
  );
  await check(
    "POST",
    "/find",
    { query: "x", constructor: 1 },
    `Unknown parameter 'constructor': ${known}`,
  );
  await check(
    "POST",
    "/find",
    '{"query":"x","__proto__":{"limit":1}}',
    `Unknown parameter '__proto__': ${known}`,
  );
  await check(
    "GET",
    "/folders?limt=1",
    undefined,
    "Unknown parameter 'limt': did you mean 'limit'? known are name_part, limit, deep, kind, id",
  );
  await check(
    "DELETE",
    "/notes/a?deep=1",
    undefined,
    "Unknown parameter 'deep': known are path, times",
  );
});

test("[core.http.bad-input] an invalid field is named in the spelling of the REST API", async () => {
  const { send } = subject();
  const detail = async (method: string, path: string, body?: unknown) => {
    const { status, body: said } = await send(method, path, body);
    expect(status).toBe(400);
    return Object(said).detail;
  };

  expect(await detail("PUT", "/folders/a", {})).toContain("Missing parameter 'new_name'");
  expect(await detail("POST", "/find", { query: "x", min_score: 7 })).toContain("'min_score'");
  expect(await detail("POST", "/find", {})).toContain("Missing parameter 'query'");
  expect(await detail("POST", "/find", "{bad")).toContain("The body is not valid JSON");
  expect(await detail("POST", "/find", "[]")).toContain("must be a JSON object");
  expect(await detail("POST", "/find?query=x", {})).toContain("in the body, not after a '?'");
  expect(await detail("GET", "/folders?limit=many")).toContain("'limit'");
  expect(await detail("GET", "/folders?limit=1&limit=2")).toContain("'limit'");
  expect(await detail("PUT", "/folders/a", { name: "b", new_name: "c" })).toContain(
    "'name' is already part of the path",
  );
});

test("a query string is parsed by the schema: numbers, flags, repeated keys, both spellings", async () => {
  const { send } = subject();
  const { body } = await send(
    "GET",
    "/folders?name_part=a%20b&limit=3&deep&kind=open&kind=shut&id=12",
  );

  expect(Object(body).asked).toEqual({
    namePart: "a b",
    limit: 3,
    deep: true,
    kind: ["open", "shut"],
    id: 12,
  });
});

test("[core.http.path] a path segment is decoded once, and a greedy tail keeps its slashes", async () => {
  const { send } = subject();
  const renamed = async (segment: string) =>
    Object((await send("PUT", `/folders/${segment}`, { new_name: "z" })).body).old_name;
  const removed = async (tail: string) =>
    Object((await send("DELETE", `/notes/${tail}`)).body).path;

  expect(await renamed("a%20b")).toBe("a b");
  expect(await renamed("a%2Fb")).toBe("a/b");
  expect(await renamed("a%252Fb")).toBe("a%2Fb");
  expect(await renamed("%C3%A9t%C3%A9")).toBe("été");
  expect(await removed("a/b.md")).toBe("a/b.md");
  expect(await removed("%2Fhome%2Fdocs")).toBe("/home/docs");
  expect(await removed("/home/docs")).toBe("/home/docs");
  expect(await removed("a/b?times=2")).toBe("a/b");
  expect((await send("DELETE", "/notes/%E0%A4%A")).body).toMatchObject({ status_code: 400 });
});

test("[core.http.decides] a person's decision is accepted only from the web app's own page", async () => {
  const { app, send, library } = subject();
  const page = await app.request("http://localhost:18765/", { headers: { accept: "text/html" } });
  const setCookie = page.headers.get("set-cookie") ?? "";
  const origin = "http://localhost:18765";
  const own = await pageHeaders(page, origin);
  const { cookie, "x-lectern-page-key": key } = own;
  const decide = (headers: Record<string, string>) =>
    send("POST", "http://localhost:18765/proposals/4/yes", {}, headers);

  expect(setCookie).toMatch(/; HttpOnly/);
  expect(setCookie).toMatch(/; SameSite=Strict/);
  for (const headers of [
    {},
    { cookie },
    { origin },
    { cookie, origin },
    { origin, "x-lectern-page-key": key },
    { cookie, "x-lectern-page-key": key },
    { ...own, "x-lectern-page-key": `${key}x` },
    { ...own, "x-lectern-page-key": "" },
    { ...own, cookie: `${cookie}x` },
    { ...own, origin: "http://localhost:3000" },
    { ...own, origin: "http://127.0.0.1:18765" },
    { ...own, origin: "https://localhost:18765" },
    { ...own, "sec-fetch-site": "same-site" },
    { ...own, "sec-fetch-site": "cross-site" },
  ]) {
    expect([headers, (await decide(headers)).status]).toEqual([headers, 403]);
  }
  expect(library.actors).toEqual([]);
  expect((await decide(own)).body).toEqual({ id: 4 });
  const decided = await decide({ ...own, "sec-fetch-site": "same-origin" });
  expect(decided.status).toBe(200);
  expect(library.actors.map(({ surface }) => surface)).toEqual(["web", "web"]);
});

test("[core.http.page-calls] only the page can call every operation by name", async () => {
  const { app, send, library } = subject();
  const origin = "http://localhost:18765";
  const page = await app.request(`${origin}/`, { headers: { accept: "text/html" } });
  const ask = (name: string, body: object, headers: Record<string, string>) =>
    send("POST", `${origin}/page/${name}`, body, headers);
  const own = await pageHeaders(page, origin);
  const { cookie } = own;

  expect(await ask("say_yes", { arguments: { id: 4 } }, own)).toMatchObject({
    status: 200,
    body: { data: { id: 4 } },
  });
  for (const headers of [
    {},
    { cookie },
    { origin },
    { cookie, origin },
    { ...own, "sec-fetch-site": "cross-site" },
  ]) {
    expect((await ask("say_yes", { arguments: { id: 4 } }, headers)).status).toBe(403);
  }
  expect((await ask("say_yes", { id: 4 }, own)).body).toMatchObject({ status_code: 400 });
  expect((await ask("nothing", {}, own)).status).toBe(404);
  expect(library.actors.map(({ surface }) => surface)).toEqual(["web"]);
  expect((await ask("say_yes", { arguments: { id: "x" } }, own)).status).toBe(400);
});

test("[core.http.decides] no data route exposes the page's credential", async () => {
  const { app } = subject();
  for (const path of ["/", "/health", "/tools", "/openapi.json", "/folders", "/nowhere", "/mcp"]) {
    const response = await app.request(path);
    expect([path, response.headers.get("set-cookie")]).toEqual([path, null]);
  }
});

test("a call knows its client, and ends when the sender disconnects", async () => {
  const { app, library } = subject();
  const received: (string | undefined)[] = [];
  library.subscribe(({ about }) => received.push(about));
  const leaving = new AbortController();
  const request = new Request("http://localhost/wait", {
    method: "POST",
    signal: leaving.signal,
    headers: { "user-agent": `curl/8 ${"x".repeat(1_000)}` },
  });
  const answer = app.request(request);
  await expect.poll(() => received).toEqual(["begun"]);
  leaving.abort();

  expect(await (await answer).json()).toEqual({ waited: false });
  expect(received).toEqual(["begun", "left"]);
  expect(library.actors[0]?.surface).toBe("http");
  expect(library.actors[0]?.client).toHaveLength(200);
});

test("[core.http.get-is-safe] a definition that would let GET change data fails at startup", () => {
  const shelfWith = (effect: Effect, http: "GET /x" | "GET /health" | "POST /x/{odd}") => ({
    ...finding,
    operations: [
      {
        name: "x",
        title: "X",
        summary: "X.",
        input: z.object({}),
        output: z.object({}),
        effect,
        expose: { http },
        example: {},
        run: () => ({}),
      },
    ],
  });
  const start =
    (...row: Parameters<typeof shelfWith>) =>
    () =>
      createHttpApp({ app: smallLibrary([shelfWith(...row)]), mcp });

  expect(start("reads", "GET /x")).not.toThrow();
  expect(start("writes", "GET /x")).toThrow("must not be a GET");
  expect(start("deletes", "GET /x")).toThrow("must not be a GET");
  expect(start("reads", "GET /health")).toThrow("Two routes have the same path");
  expect(start("reads", "POST /x/{odd}")).toThrow("has no input 'odd'");
});

test("DEBUG=lectern:* traces each request in one line", async () => {
  const app = smallLibrary([finding], { DEBUG: "lectern:*" });
  await createHttpApp({ app, mcp }).request("/health");

  expect(app.logged.join("")).toMatch(/lectern:http GET \/health 200 [\d.]+ ms\n$/);
});
