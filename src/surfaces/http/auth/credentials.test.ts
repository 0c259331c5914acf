import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageHeaders } from "../../../../tests/fixtures/http/page-credential.ts";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import type { Peer } from "../../../kernel/peers/admission.ts";
import { createHttpApp, type HttpAppOptions } from "../http-app.ts";
import type { ConnectionInfo } from "./caller.ts";
import { createLoginCodes, issueLoginCode } from "./login-code.ts";
import { createLoginThrottle } from "./login-throttle.ts";

const at = "http://127.0.0.1:18765";
const secret = "the-secret-of-the-home";
const links = join(mkdtempSync(join(tmpdir(), "lectern-links-")), "login-codes");

/** The app, with requests from the given peers. */
function subject(options: Partial<HttpAppOptions> = {}) {
  const app = createHttpApp({
    app: smallLibrary([finding, failingShelf]),
    mcp: async () => Response.json({ reached: true }),
    secret,
    loginCodes: createLoginCodes(links),
    ...options,
  });
  const ask = (
    kind: Peer["kind"],
    path: string,
    {
      entrance: listener = "tcp",
      at: origin = at,
      ...init
    }: RequestInit & { entrance?: string; at?: string } = {},
  ) => {
    const connectionInfo = {
      listener,
      peer: async () => ({ kind, name: `peer ${kind}` }),
    } as ConnectionInfo;
    return app.request(`${origin}${path}`, init, { connectionInfo });
  };
  return { app, ask };
}

const html = { accept: "text/html" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const decide = (headers: Record<string, string>) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: '{"arguments":{"id":4}}',
});

test("[core.loopback.same-user] our own user is served without a credential, any other is answered 401", async () => {
  const { ask } = subject();
  for (const path of ["/", "/index.html", "/tools", "/folders", "/openapi.json", "/mcp"]) {
    expect([path, (await ask("own", path)).status]).toEqual([path, 200]);
    expect([path, (await ask("allowed", path)).status]).toEqual([path, 200]);
    const refused = await ask("stranger", path);
    expect([path, refused.status, refused.headers.get("set-cookie")]).toEqual([path, 401, null]);
    expect(await refused.text()).toContain("--allow-user");
  }
});

test("[core.loopback.secret] the home's secret authenticates unidentified callers, and a wrong one does not", async () => {
  const { ask } = subject();
  expect((await ask("stranger", "/folders", { headers: bearer(secret) })).status).toBe(200);
  expect((await ask("stranger", "/folders", { headers: bearer(`${secret}x`) })).status).toBe(401);
  const guarded = subject({ token: "s3cret-token" });
  for (const token of [secret, "s3cret-token"]) {
    expect((await guarded.ask("own", "/folders", { headers: bearer(token) })).status).toBe(200);
  }
  expect((await guarded.ask("own", "/folders")).status).toBe(401);
});

test("[core.loopback.socket] the socket in the home needs no credential, even if a token is required", async () => {
  const { ask } = subject({ token: "s3cret-token" });
  expect((await ask("own", "/folders", { entrance: "home" })).status).toBe(200);
});

test("[core.http.health] the reason of a failure is shown only to identified callers", async () => {
  const health = () => ({ status: "unhealthy", model_loaded: false, reason: "no disk" }) as const;
  const { ask } = subject({ health });
  expect(await (await ask("own", "/health")).json()).toMatchObject({ reason: "no disk" });
  const reported = await ask("stranger", "/health", { headers: bearer("wrong") });
  expect([reported.status, await reported.json()]).toEqual([
    503,
    { status: "unhealthy", model_loaded: false },
  ]);
});

test("[core.http.page-session] no credential of an agent opens the page", async () => {
  const open = subject();
  const guarded = subject({ token: "s3cret-token" });
  const code = issueLoginCode(links);
  for (const [{ ask }, kind, path, headers] of [
    [open, "own", "/", bearer(secret)],
    [open, "own", "/", bearer("anything")],
    [open, "own", "/index.html", { "mcp-session-id": "x" }],
    [open, "allowed", "/", {}],
    [open, "stranger", "/", bearer(secret)],
    [guarded, "own", "/", bearer("s3cret-token")],
    [guarded, "own", "/index.html", bearer(secret)],
    [guarded, "stranger", "/", bearer("s3cret-token")],
    [guarded, "stranger", `/login?code=${code}`, bearer("s3cret-token")],
  ] as const) {
    const page = await ask(kind, path, { headers: { ...html, ...headers } });
    expect([path, headers, page.headers.get("set-cookie")]).toEqual([path, headers, null]);
    expect(await page.text()).not.toContain("lectern-page-key");
  }
});

test("[core.http.page-session] a link opens the page once, and a session needs its cookie and its key", async () => {
  const { ask } = subject({ token: "s3cret-token" });
  const code = issueLoginCode(links);
  expect((await ask("stranger", `/login?code=${code}`, { method: "HEAD" })).status).toBe(200);
  const page = await ask("stranger", `/login?code=${code}`, { headers: html });
  const own = await pageHeaders(page, at);
  const { cookie, "x-lectern-page-key": key } = own;
  expect([page.status, key.length]).toEqual([200, 43]);
  expect((await ask("stranger", `/login?code=${code}`)).status).toBe(401);

  expect((await ask("stranger", "/page/say_yes", decide(own))).status).toBe(200);
  for (const headers of [
    { cookie, origin: at },
    { ...own, cookie: "" },
    { ...own, "x-lectern-page-key": "x" },
  ]) {
    expect((await ask("stranger", "/page/say_yes", decide(headers))).status).toBe(401);
  }
  for (const path of ["/", "/index.html"]) {
    const again = await ask("stranger", path, { headers: { ...html, cookie } });
    expect([path, again.status]).toEqual([path, 200]);
    // A cookie alone, which every port of the host receives, does not reveal the key.
    expect(await again.text()).not.toContain("lectern-page-key");
  }
  // The library of this test does not report a state.
  expect((await ask("stranger", "/house", { headers: own })).status).toBe(500);
  expect((await ask("stranger", "/house", { headers: { cookie } })).status).toBe(401);
  const events = await ask("stranger", `/events?key=${key}`, { headers: { cookie } });
  await events.body?.cancel();
  expect([
    events.status,
    (await ask("stranger", "/events", { headers: { cookie } })).status,
  ]).toEqual([200, 401]);
  // A session authorizes the page's routes, not those of programs.
  for (const path of ["/mcp", "/tools", "/folders", "/openapi.json"]) {
    expect([path, (await ask("stranger", path, { headers: own })).status]).toEqual([path, 401]);
  }
});

test("[core.http.page-session] a session is valid only for its origin", async () => {
  const { ask } = subject();
  const own = await pageHeaders(await ask("own", "/", { headers: html }), at);
  expect((await ask("own", "/page/say_yes", decide(own))).status).toBe(200);
  const other = "http://127.0.0.1:28765";
  const moved = { ...own, origin: other, cookie: own.cookie.replace("18765", "28765") };
  expect((await ask("own", "/page/say_yes", { ...decide(moved), at: other })).status).toBe(403);
});

test("[core.http.page-session] two pages of one browser share a session, and another browser has its own", async () => {
  const { ask } = subject();
  const first = await pageHeaders(await ask("own", "/", { headers: html }), at);
  const second = await pageHeaders(
    await ask("own", "/", { headers: { ...html, cookie: first.cookie } }),
    at,
  );
  const other = await pageHeaders(await ask("own", "/", { headers: html }), at);
  expect(second).toEqual(first);
  expect(other.cookie).not.toBe(first.cookie);
  expect(other["x-lectern-page-key"]).not.toBe(first["x-lectern-page-key"]);
});

test("[core.http.cookies] cookies are opaque, limited to this host, and secure behind TLS", async () => {
  const { ask } = subject({ token: "s3cret-token", proxyHosts: ["docs.example.org"] });
  const login = (origin: string, headers = {}) =>
    ask("own", `/login?code=${issueLoginCode(links)}`, { at: origin, headers });
  const cookieOf = async (answer: Response | Promise<Response>) =>
    (await answer).headers.get("set-cookie");
  const plain = await cookieOf(login(at));
  expect(plain).toMatch(/^lectern-page-18765=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const proxied = await cookieOf(login("http://docs.example.org"));
  expect(proxied).toMatch(
    /^__Host-lectern-page-443=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  // X-Forwarded-Proto is used only if it comes from a trusted proxy.
  const without = await cookieOf(login("http://docs.example.org", { "x-forwarded-proto": "http" }));
  expect(without).toMatch(/^lectern-page-80=/);
  expect(await cookieOf(login(at, { "x-forwarded-proto": "https" }))).toMatch(
    /^lectern-page-18765=/,
  );
});

test("[core.http.own-origin] behind a proxy the page's origin is https, and no other is accepted", async () => {
  const { ask } = subject({ token: "s3cret-token", proxyHosts: ["docs.example.org"] });
  const host = "http://docs.example.org";
  const page = await ask("own", `/login?code=${issueLoginCode(links)}`, { at: host });
  const own = await pageHeaders(page, "https://docs.example.org");
  expect((await ask("own", "/page/say_yes", { ...decide(own), at: host })).status).toBe(200);
  for (const origin of [host, "https://docs.example.org:8443", "https://example.org", at]) {
    const sent = { ...decide({ ...own, origin }), at: host };
    expect([origin, (await ask("own", "/page/say_yes", sent)).status]).toEqual([origin, 403]);
  }
});

test("[core.http.guesses] a client that guesses is throttled, even with the right token; others are not", async () => {
  const { ask } = subject({ token: "s3cret-token", proxyHosts: ["docs.example.org"] });
  const tried = async (kind: Peer["kind"], token: string, from = "") =>
    (
      await ask(kind, "/folders", {
        at: "http://docs.example.org",
        headers: { ...bearer(token), ...(from && { "x-forwarded-for": `198.51.100.1, ${from}` }) },
      })
    ).status;
  for (let count = 0; count < 10; count++)
    expect(await tried("stranger", `guess ${count}`)).toBe(401);
  expect(await tried("stranger", "another")).toBe(429);
  expect(await tried("stranger", "s3cret-token")).toBe(429);
  // Another client name does not make it another client.
  expect(await tried("stranger", "s3cret-token", "192.0.2.1")).toBe(429);
  expect(await tried("own", "s3cret-token")).toBe(200);

  for (let count = 0; count < 11; count++) await tried("own", "guess", "192.0.2.1");
  expect(await tried("own", "s3cret-token", "192.0.2.1")).toBe(429);
  expect(await tried("own", "s3cret-token", "192.0.2.2")).toBe(200);
  const refused = await ask("stranger", "/folders", { headers: bearer("guess") });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("[core.http.guesses] login codes are throttled the same way, and waiting helps", () => {
  let now = 0;
  const guesses = createLoginThrottle({ burst: 3, refillMs: 1_000, maxSenders: 5, now: () => now });
  for (let count = 0; count < 3; count++) {
    expect(guesses.waitSeconds("a")).toBe(0);
    guesses.recordFailure("a");
  }
  expect(guesses.waitSeconds("a")).toBe(1);
  now += 1_000;
  expect(guesses.waitSeconds("a")).toBe(0);
  // One machine can use any number of IPv6 addresses.
  for (let count = 0; count < 3; count++) guesses.recordFailure(`2001:db8:1:2::${count}`);
  expect(guesses.waitSeconds("2001:db8:1:2:ffff::1")).toBe(1);
  expect(guesses.waitSeconds("2001:db8:1:3::1")).toBe(0);
});

test.each([
  ["2001:db8::1", ["2001:db8:0:0:ffff::1", "2001:0DB8::5:6:7:8", "2001:db8::2%eth0"]],
  ["fe80::1%eth0", ["fe80::ffff:2", "fe80:0:0:0:1:2:3:4"]],
  ["::ffff:192.0.2.1", ["192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:ffff:192.0.2.1"]],
])(
  "[core.http.guesses] guesses from %s count for its network, however it is written",
  (sender, same) => {
    const guesses = createLoginThrottle({ burst: 1, refillMs: 60_000, now: () => 0 });
    guesses.recordFailure(sender);
    for (const other of same)
      expect([other, guesses.waitSeconds(other) > 0]).toEqual([other, true]);
    for (const other of [
      "2001:db8:0:1::1",
      "fe80:0:0:1::1",
      "192.0.2.2",
      "::ffff:192.0.2.2",
      "::1",
    ])
      expect([other, guesses.waitSeconds(other)]).toEqual([other, 0]);
  },
);

test("[core.http.login-code] a code works once, for fifteen minutes, and only for its home", () => {
  let now = Date.now();
  const codes = createLoginCodes(links, () => now);
  const code = issueLoginCode(links);
  // File names in the folder are not valid codes, and paths are rejected.
  for (const wrong of ["", "..", "../secret", code.slice(0, -1), ...readdirSync(links)]) {
    expect([wrong, codes.redeem(wrong)]).toEqual([wrong, false]);
  }
  expect(codes.redeem(issueLoginCode(`${links}-of-another-home`))).toBe(false);
  expect([codes.redeem(code), codes.redeem(code)]).toEqual([true, false]);
  expect(createLoginCodes(links).redeem(code)).toBe(false);
  const late = issueLoginCode(links);
  now += 15 * 60_000 + 1_000;
  expect([codes.redeem(late), codes.redeem(code)]).toEqual([false, false]);
});
