import { expect, test } from "vitest";
import { pageHeaders } from "../../../tests/fixtures/page-credential.ts";
import { smallLibrary } from "../../../tests/fixtures/small-library.ts";
import { failingShelf, finding } from "../../../tests/fixtures/small-shelves.ts";
import type { Peer } from "../../kernel/peers/admission.ts";
import { type AppOptions, makeApp } from "./app.ts";
import type { Arrival } from "./caller.ts";
import { countGuesses } from "./guesses.ts";
import { makeLoginCode, openLoginCodes } from "./login-code.ts";

const at = "http://127.0.0.1:18765";
const secret = "the-secret-of-the-home";
const pageSecret = "the-secret-of-links-to-the-page";

/** The app, asked over connections of the given peers. */
function subject(options: Partial<AppOptions> = {}) {
  const app = makeApp({
    library: smallLibrary([finding, failingShelf]),
    mcp: async () => Response.json({ reached: true }),
    secret,
    codes: openLoginCodes(() => pageSecret),
    ...options,
  });
  const ask = (
    kind: Peer["kind"],
    path: string,
    {
      entrance = "tcp",
      at: origin = at,
      ...init
    }: RequestInit & { entrance?: string; at?: string } = {},
  ) => {
    const arrival = { entrance, peer: async () => ({ kind, name: `peer ${kind}` }) } as Arrival;
    return app.request(`${origin}${path}`, init, { arrival });
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

test("[house.loopback.same-user] our own user is served without a credential, anybody else is answered 401", async () => {
  const { ask } = subject();
  for (const path of ["/", "/index.html", "/tools", "/folders", "/openapi.json", "/mcp"]) {
    expect([path, (await ask("own", path)).status]).toEqual([path, 200]);
    expect([path, (await ask("allowed", path)).status]).toEqual([path, 200]);
    const refused = await ask("stranger", path);
    expect([path, refused.status, refused.headers.get("set-cookie")]).toEqual([path, 401, null]);
    expect(await refused.text()).toContain("--allow-user");
  }
});

test("[house.loopback.secret] the home's secret serves whoever cannot be told, and another does not", async () => {
  const { ask } = subject();
  expect((await ask("stranger", "/folders", { headers: bearer(secret) })).status).toBe(200);
  expect((await ask("stranger", "/folders", { headers: bearer(`${secret}x`) })).status).toBe(401);
  const guarded = subject({ token: "s3cret-token" });
  for (const token of [secret, "s3cret-token"]) {
    expect((await guarded.ask("own", "/folders", { headers: bearer(token) })).status).toBe(200);
  }
  expect((await guarded.ask("own", "/folders")).status).toBe(401);
});

test("[house.loopback.socket] the socket in the home needs no credential, even where a token is asked for", async () => {
  const { ask } = subject({ token: "s3cret-token" });
  expect((await ask("own", "/folders", { entrance: "home" })).status).toBe(200);
});

test("[house.http.health] why a server is ill is told to those who are known", async () => {
  const health = () => ({ status: "unhealthy", model_loaded: false, reason: "no disk" }) as const;
  const { ask } = subject({ health });
  expect(await (await ask("own", "/health")).json()).toMatchObject({ reason: "no disk" });
  const told = await ask("stranger", "/health", { headers: bearer("wrong") });
  expect([told.status, await told.json()]).toEqual([
    503,
    { status: "unhealthy", model_loaded: false },
  ]);
});

test("[house.http.page-session] no credential of an agent opens the page", async () => {
  const open = subject();
  const guarded = subject({ token: "s3cret-token" });
  const code = makeLoginCode(pageSecret);
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

test("[house.http.page-session] a link opens the page once, and a session needs its cookie and its key", async () => {
  const { ask } = subject({ token: "s3cret-token" });
  const code = makeLoginCode(pageSecret);
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
    // Whoever has nothing but a cookie, which every port of the host sees, is not told the key.
    expect(await again.text()).not.toContain("lectern-page-key");
  }
  // The library of this test keeps nothing that could be told of the house.
  expect((await ask("stranger", "/house", { headers: own })).status).toBe(500);
  expect((await ask("stranger", "/house", { headers: { cookie } })).status).toBe(401);
  const events = await ask("stranger", `/events?key=${key}`, { headers: { cookie } });
  await events.body?.cancel();
  expect([
    events.status,
    (await ask("stranger", "/events", { headers: { cookie } })).status,
  ]).toEqual([200, 401]);
  // A session is a person at the page, and no way to what programs call.
  for (const path of ["/mcp", "/tools", "/folders", "/openapi.json"]) {
    expect([path, (await ask("stranger", path, { headers: own })).status]).toEqual([path, 401]);
  }
});

test("[house.http.page-session] a session holds for the origin that it was begun at", async () => {
  const { ask } = subject();
  const own = await pageHeaders(await ask("own", "/", { headers: html }), at);
  expect((await ask("own", "/page/say_yes", decide(own))).status).toBe(200);
  const other = "http://127.0.0.1:28765";
  const moved = { ...own, origin: other, cookie: own.cookie.replace("18765", "28765") };
  expect((await ask("own", "/page/say_yes", { ...decide(moved), at: other })).status).toBe(403);
});

test("[house.http.page-session] two pages of one browser share a session, and another browser has its own", async () => {
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

test("[house.http.cookies] cookies are opaque, of this host alone, and secure behind TLS", async () => {
  const { ask } = subject({ token: "s3cret-token", proxyHosts: ["docs.example.org"] });
  const login = (origin: string, headers = {}) =>
    ask("own", `/login?code=${makeLoginCode(pageSecret)}`, { at: origin, headers });
  const cookieOf = async (answer: Response | Promise<Response>) =>
    (await answer).headers.get("set-cookie");
  const plain = await cookieOf(login(at));
  expect(plain).toMatch(/^lectern-page-18765=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const proxied = await cookieOf(login("http://docs.example.org"));
  expect(proxied).toMatch(
    /^__Host-lectern-page-443=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  // A proxy that says it has no TLS is believed, and a caller that is no proxy is not.
  const without = await cookieOf(login("http://docs.example.org", { "x-forwarded-proto": "http" }));
  expect(without).toMatch(/^lectern-page-80=/);
  expect(await cookieOf(login(at, { "x-forwarded-proto": "https" }))).toMatch(
    /^lectern-page-18765=/,
  );
});

test("[house.http.own-origin] behind a proxy the page's origin is https, and no other passes", async () => {
  const { ask } = subject({ token: "s3cret-token", proxyHosts: ["docs.example.org"] });
  const host = "http://docs.example.org";
  const page = await ask("own", `/login?code=${makeLoginCode(pageSecret)}`, { at: host });
  const own = await pageHeaders(page, "https://docs.example.org");
  expect((await ask("own", "/page/say_yes", { ...decide(own), at: host })).status).toBe(200);
  for (const origin of [host, "https://docs.example.org:8443", "https://example.org", at]) {
    const sent = { ...decide({ ...own, origin }), at: host };
    expect([origin, (await ask("own", "/page/say_yes", sent)).status]).toEqual([origin, 403]);
  }
});

test("[house.http.guesses] whoever guesses has to wait, also with the right token, and nobody else has to", async () => {
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
  // The name that a stranger gives itself does not make it another.
  expect(await tried("stranger", "s3cret-token", "192.0.2.1")).toBe(429);
  expect(await tried("own", "s3cret-token")).toBe(200);

  for (let count = 0; count < 11; count++) await tried("own", "guess", "192.0.2.1");
  expect(await tried("own", "s3cret-token", "192.0.2.1")).toBe(429);
  expect(await tried("own", "s3cret-token", "192.0.2.2")).toBe(200);
  const refused = await ask("stranger", "/folders", { headers: bearer("guess") });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("[house.http.guesses] codes of links are guessed as slowly, and waiting helps", () => {
  let now = 0;
  const guesses = countGuesses({ burst: 3, refillMs: 1_000, maxSenders: 5, now: () => now });
  for (let count = 0; count < 3; count++) {
    expect(guesses.waitOf("a")).toBe(0);
    guesses.note("a");
  }
  expect(guesses.waitOf("a")).toBe(1);
  now += 1_000;
  expect(guesses.waitOf("a")).toBe(0);
  // One machine has as many IPv6 addresses as it likes.
  for (let count = 0; count < 3; count++) guesses.note(`2001:db8:1:2::${count}`);
  expect(guesses.waitOf("2001:db8:1:2:ffff::1")).toBe(1);
  expect(guesses.waitOf("2001:db8:1:3::1")).toBe(0);
});

test("[house.http.login-code] a code holds once, for a quarter of an hour, and for its home alone", () => {
  let now = 1_000_000;
  let known: string | undefined = pageSecret;
  const codes = openLoginCodes(
    () => known,
    () => now,
  );
  const code = makeLoginCode(pageSecret, now);
  const [issued, nonce, signature] = code.split(".");
  for (const wrong of [
    "",
    "..",
    code.slice(0, -1),
    `${issued}.x.${signature}`,
    `zzz.${nonce}.${signature}`,
  ]) {
    expect([wrong, codes.redeem(wrong)]).toEqual([wrong, false]);
  }
  expect(codes.redeem(makeLoginCode("another home", now))).toBe(false);
  expect([codes.redeem(code), codes.redeem(code)]).toEqual([true, false]);
  const late = makeLoginCode(pageSecret, now);
  now += 15 * 60_000 + 1;
  expect([codes.redeem(late), codes.redeem(code)]).toEqual([false, false]);
  known = "made anew by the next server";
  expect(codes.redeem(makeLoginCode(pageSecret, now))).toBe(false);
  known = undefined;
  expect(codes.redeem(makeLoginCode(pageSecret, now))).toBe(false);
});
