import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTlsProxy } from "../../fixtures/http/tls-proxy.ts";
import { chromiumPath, openBrowser, visit, waitForText } from "../browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "../program.ts";

const name = "docs.example.org";
const token = "a-long-and-secret-word";

describe.runIf(chromiumPath)("a person logs in", () => {
  const home = freshHome();
  let browser: Browser;
  let server: Served;

  beforeAll(async () => {
    const library = join(home, "library");
    cpSync(sample, library, { recursive: true });
    const args = ["--root", library, "--allow-host", name];
    [server, browser] = await Promise.all([
      startServer(home, args, { LECTERN_TOKEN: token }),
      openBrowser(`--host-resolver-rules=MAP ${name} 127.0.0.1`),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const linkTo = async (url: string): Promise<string> =>
    (await runProgram(["page-link", "--url", url], { home })).stdout.trim();

  /** Proposes a decision as an agent, which has the token but no page session. */
  const propose = (title: string) =>
    fetch(`${server.url}/tools/propose-decision`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ arguments: { kind: "new", title, rationale: "It was asked for." } }),
    });

  test("[core.http.tls-proxy] behind a TLS proxy a person can open the page by a link and decide", async () => {
    const proxy = await startTlsProxy(server.url, name);
    onTestFinished(proxy.close);
    const { page, consoleErrors } = await visit(browser, await linkTo(proxy.url), {
      ignoreHTTPSErrors: true,
    });
    await waitForText(page, "collection");
    expect(new URL(page.url()).pathname).toBe("/");
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: `__Host-lectern-page-${new URL(proxy.url).port}`,
      domain: name,
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "Strict",
    });

    await page.goto(`${proxy.url}/?view=review`);
    await waitForText(page, "No pending proposals");
    expect((await propose("Lend lanterns by the week")).status).toBe(200);
    // The page is notified by its event stream, through the proxy.
    await waitForText(page, "Lend lanterns by the week");
    await page.keyboard.press("a");
    await waitForText(page, "Accepted:");
    expect(consoleErrors).toEqual([]);
  });

  test("[core.http.page-session] a browser without a link has no access, and a link works once", async () => {
    const proxy = await startTlsProxy(server.url, name);
    onTestFinished(proxy.close);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    expect((await page.goto(proxy.url))?.status()).toBe(401);
    expect((await page.goto(`${proxy.url}/?token=${token}`))?.status()).toBe(401);
    const link = await linkTo(proxy.url);
    expect((await page.goto(link))?.status()).toBe(200);
    await waitForText(page, "collection");
    const other = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    expect((await other.goto(link))?.status()).toBe(401);
  });

  test("[core.http.page-session] a server on another port receives the cookie, but cannot use it", async () => {
    const { page } = await visit(browser, await linkTo(server.url));
    await waitForText(page, "collection");
    let cookie = "";
    const attacker = createServer(({ headers }, answer) => {
      cookie = headers.cookie ?? "";
      answer.end("<!doctype html><title>Other</title>");
    }).listen(0, "127.0.0.1");
    await once(attacker, "listening");
    onTestFinished(() => void attacker.close());
    await page.goto(`http://127.0.0.1:${Object(attacker.address()).port}/`);
    expect(cookie).toContain("lectern-page-");
    const headers = { cookie: cookie, origin: server.url, accept: "text/html" };
    const shell = await fetch(`${server.url}/`, { headers });
    expect(await shell.text()).not.toContain("lectern-page-key");
    const call = await fetch(`${server.url}/page/status`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: '{"arguments":{}}',
    });
    expect(call.status).toBe(401);
    expect((await fetch(`${server.url}/events`, { headers })).status).toBe(401);
  });
});

describe.runIf(chromiumPath)("a person on the same machine", () => {
  test("[core.http.cross-site] a page on another port of this machine cannot run anything", async () => {
    const home = freshHome();
    const [server, browser] = await Promise.all([
      startServer(home, [], { DEBUG: "lectern:http" }),
      openBrowser(),
    ]);
    onTestFinished(async () => {
      await browser.close();
      await server.stop();
    });
    const other = createServer((_asked, answer) => answer.end("<!doctype html><title>x</title>"));
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const page = await (await browser.newContext()).newPage();
    let received = "";
    server.child.stderr?.on("data", (chunk) => {
      received += chunk;
    });
    for (const host of ["127.0.0.1", "localhost"]) {
      await page.goto(`http://${host}:${Object(other.address()).port}/`);
      for (const path of ["/update", "/index", "/tools/close_project", "/mcp"]) {
        const url = `${server.url}${path}`;
        const script = `fetch("${url}", { method: "POST", mode: "no-cors" }).catch(() => "blocked")`;
        expect(await page.evaluate(script)).toBe("blocked");
      }
    }
    const answered = () => [...received.matchAll(/ POST \S+ (\d+) /g)].map(([, status]) => status);
    await expect.poll(answered).toEqual(Array(8).fill("403"));
  });
});
