import { expect, test } from "vitest";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { createHttpApp, type HttpAppOptions } from "../http-app.ts";

const app = (options: Partial<HttpAppOptions> = {}) =>
  createHttpApp({
    app: smallLibrary([finding, failingShelf]),
    mcp: async () => Response.json({ reached: true }),
    ...options,
  });

/** One request for every route that is mounted, and one for a path that is not. */
const requests: [method: string, path: string, body?: string][] = [
  ["GET", "/"],
  ["GET", "/index.html"],
  ["GET", "/health"],
  ["GET", "/openapi.json"],
  ["GET", "/tools"],
  ["POST", "/tools/find", '{"arguments":{"query":"x"}}'],
  ["POST", "/find", '{"query":"x"}'],
  ["POST", "/fetch", '{"file":"known.md"}'],
  ["GET", "/folders"],
  ["PUT", "/folders/a", '{"new_name":"b"}'],
  ["DELETE", "/notes/a/b"],
  ["POST", "/count", '{"source_id":1}'],
  ["POST", "/mcp", "{}"],
  ["GET", "/mcp"],
  ["DELETE", "/mcp"],
  ["GET", "/events"],
  ["HEAD", "/"],
  ["OPTIONS", "/find"],
  ["GET", "/nowhere"],
];

async function ask(
  subject: ReturnType<typeof app>,
  [method, path, body]: (typeof requests)[number],
  headers: Record<string, string>,
  origin = "http://localhost:18765",
): Promise<Response> {
  const response = await subject.request(`${origin}${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body }),
  });
  if (path === "/events" && response.ok) await response.body?.cancel();
  return response;
}

test("[core.http.guard] a foreign Host or Origin is refused on every route", async () => {
  const subject = app();
  for (const headers of [
    { host: "evil.example" },
    { host: "evil.example:18765" },
    { host: "localhost.evil.example" },
    { host: "localhost@evil.example" },
    { host: "127.0.0.1.evil.example" },
    { host: "[::2]:18765" },
    { host: "" },
    { origin: "http://evil.example" },
    { origin: "https://localhost.evil.example:18765" },
    { origin: "http://localhost@evil.example" },
    { origin: "http://evil.example@localhost" },
    { origin: "null" },
    { origin: "file://" },
    { origin: "localhost" },
    { host: "localhost", origin: "http://evil.example" },
  ]) {
    for (const request of requests) {
      const response = await ask(subject, request, headers);
      expect([request, headers, response.status]).toEqual([request, headers, 403]);
    }
  }
});

test("[core.http.guard] this machine's own names are accepted, with any port", async () => {
  const subject = app();
  for (const host of ["localhost", "127.0.0.1:8765", "[::1]", "[::1]:18765", "LOCALHOST:1"]) {
    const response = await ask(subject, ["GET", "/health"], { host });
    expect([host, response.status]).toEqual([host, 200]);
  }
});

test("[core.http.own-origin] only the origin that served the request is same-origin: other ports, schemes and names are foreign", async () => {
  const subject = app();
  const at = "http://localhost:18765";
  for (const [origin, status] of [
    [at, 200],
    ["http://localhost:3000", 403],
    ["http://localhost", 403],
    ["http://127.0.0.1:18765", 403],
    ["http://[::1]:18765", 403],
    ["https://localhost:18765", 403],
  ] as const) {
    const response = await ask(subject, ["POST", "/find", '{"query":"x"}'], { origin }, at);
    expect([origin, response.status]).toEqual([origin, status]);
  }
});

test("[core.http.cross-site] a request that a browser marks as cross-site is refused on every route, even without an Origin", async () => {
  const subject = app();
  for (const site of ["cross-site", "same-site"]) {
    for (const request of requests) {
      for (const mode of ["no-cors", "cors", "navigate"]) {
        const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode };
        const response = await ask(subject, request, headers);
        expect([request, headers, response.status]).toEqual([request, headers, 403]);
      }
    }
  }
});

test("[core.http.cross-site] another site may link to the page, and clients without Sec-Fetch headers are served", async () => {
  const link = {
    accept: "text/html",
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  expect((await ask(app(), ["GET", "/"], link)).status).toBe(200);
  expect((await ask(app(), ["GET", "/"], { ...link, "sec-fetch-dest": "iframe" })).status).toBe(
    403,
  );
  expect((await ask(app(), ["POST", "/find", '{"query":"x"}'], link)).status).toBe(403);
  expect((await ask(app(), ["POST", "/find", '{"query":"x"}'], {})).status).toBe(200);
});

test("a request line with another host than the Host header is refused", async () => {
  const response = await ask(
    app(),
    ["GET", "/health"],
    { host: "localhost" },
    "http://evil.example",
  );

  expect(response.status).toBe(403);
});

test("[core.http.guard] a refusal is {detail, status_code}, and a JSON-RPC error on /mcp", async () => {
  const subject = app();
  const plain = await ask(subject, ["GET", "/health"], { origin: "null" });
  const rpc = await ask(subject, ["POST", "/mcp", "{}"], { origin: "null" });

  expect(await plain.json()).toEqual({
    detail: "Origin is not allowed: requests are accepted only from this server's own pages.",
    status_code: 403,
  });
  expect(await rpc.json()).toEqual({
    jsonrpc: "2.0",
    error: {
      code: -32600,
      message: "Origin is not allowed: requests are accepted only from this server's own pages.",
    },
  });
});

test("[core.http.token] with a token, every route requires it and reveals nothing without it", async () => {
  for (const request of requests.filter(([, path]) => path !== "/health")) {
    const subject = app({ token: "s3cret", boundHosts: ["192.0.2.7", "fe80::1"] });
    for (const authorization of ["", "Bearer wrong", "Basic s3cret", "Bearer s3cretx", "Bearer"]) {
      const response = await ask(subject, request, authorization ? { authorization } : {});
      expect([request, response.status]).toEqual([request, 401]);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      expect(await response.text()).not.toContain("s3cret");
    }
    const response = await ask(subject, request, { authorization: "bearer s3cret" });
    expect([request, response.status]).not.toEqual([request, 401]);
  }
});

test("[core.http.token] a token in the URL is ignored", async () => {
  const subject = app({ token: "s3cret" });
  for (const path of ["/?token=s3cret", "/index.html?token=s3cret", "/tools?token=s3cret"]) {
    const response = await ask(subject, ["GET", path], {});
    expect([path, response.status, response.headers.get("set-cookie")]).toEqual([path, 401, null]);
  }
});

test("[core.http.health] health is available without a token, with nothing else", async () => {
  const subject = app({ token: "s3cret" });
  for (const headers of [{}, { authorization: "Bearer wrong" }]) {
    const response = await ask(subject, ["GET", "/health"], headers);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "healthy", model_loaded: false },
    ]);
  }
  expect((await ask(subject, ["POST", "/health"], {})).status).toBe(401);
});

test("[core.http.token] a bound host name is accepted only with a token", async () => {
  const boundHosts = ["192.0.2.7", "fe80::1"];
  const authorization = "Bearer s3cret";
  for (const host of ["192.0.2.7:18765", "[fe80::1]:18765"]) {
    const headers = { host, authorization };
    const open = await ask(app({ boundHosts }), ["GET", "/health"], headers);
    const guarded = await ask(app({ boundHosts, token: "s3cret" }), ["GET", "/health"], headers);
    expect([host, open.status, guarded.status]).toEqual([host, 403, 200]);
  }
});

test("[core.http.content-type] a body without a JSON content type is refused on every route that takes a body", async () => {
  const subject = app();
  const posts = requests.filter(([, , body]) => body);
  expect(posts.length).toBeGreaterThan(5);
  for (const [method, path, body] of posts) {
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "content-type": "application/jsonp" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ]) {
      const response = await subject.request(path, { method, headers, ...(body && { body }) });
      expect([path, headers, response.status]).toEqual([path, headers, 415]);
    }
    const response = await subject.request(path, {
      method,
      headers: { "content-type": "Application/JSON; charset=utf-8" },
      ...(body && { body }),
    });
    expect([path, response.status]).toEqual([path, 200]);
  }
});

test("an empty POST needs no content type", async () => {
  const subject = app();
  for (const headers of [
    {},
    { "content-length": "0", "content-type": "application/x-www-form-urlencoded" },
  ]) {
    const response = await subject.request("/fail", { method: "POST", headers });
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining("'kind'") });
  }
});

const tenMegabytes = 10 * 1024 * 1024;

/** Each route refuses in its own format, whichever check fails. */
const dialects: Record<string, string[]> = {
  "/find": ["detail", "status_code"],
  "/tools/find": ["success", "error", "error_code"],
  "/mcp": ["jsonrpc", "error"],
};

test("[core.http.too-large] a body over 10 MB is refused by its Content-Length", async () => {
  for (const path of ["/find", "/tools/find", "/mcp"]) {
    const response = await app().request(path, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": String(tenMegabytes + 1) },
      body: "{}",
    });
    expect([path, response.status]).toEqual([path, 413]);
    const body = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(dialects[path]);
  }
});

test("[core.http.too-large] a body without a Content-Length is counted as it arrives", async () => {
  for (const path of ["/find", "/tools/find", "/mcp"]) {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    });
    const response = await app().request(request);
    expect([path, response.status]).toEqual([path, 413]);
    expect(sent).toBeLessThan(tenMegabytes + 1024 * 1024);
  }
});

test("a counted body that is small enough reaches MCP completely", async () => {
  const subject = app({ mcp: async (request) => new Response(await request.text()) });
  const body = new Blob(['{"jsonrpc"', ':"2.0"}']).stream();
  const response = await subject.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    duplex: "half",
  });

  expect(await response.text()).toBe('{"jsonrpc":"2.0"}');
});

test("[core.http.headers] every response has nosniff, no-store or no-cache, and denies other origins", async () => {
  const subject = app();
  for (const request of requests) {
    const { headers } = await ask(subject, request, { origin: "http://localhost:18765" });
    expect([request, headers.get("x-content-type-options")]).toEqual([request, "nosniff"]);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toMatch(/^no-(store|cache)$/);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});
