import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { createHttpApp } from "../http-app.ts";

const app = (web?: string) =>
  createHttpApp({ app: smallLibrary([finding]), mcp: async () => new Response(), web });

function webFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-web-"));
  writeFileSync(join(folder, "..", "lectern-outside.txt"), "outside");
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>The app</title>");
  writeFileSync(join(folder, "assets", "index-BxK3a9Zd.js"), "export {}");
  writeFileSync(join(folder, "assets", "style-a1b2c3d4.css"), "body {}");
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  symlinkSync(join(folder, "..", "lectern-outside.txt"), join(folder, "link.txt"));
  return folder;
}

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

test("[core.http.welcome] GET / returns the server's identity and links to programs", async () => {
  for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.9", ""]) {
    const response = await app().request("/", { headers: { ...(accept && { accept }) } });
    expect(await response.json()).toEqual({
      name: "lectern",
      title: "Lectern",
      version: "0.0.0",
      description: expect.any(String),
      endpoints: {
        mcp: "/mcp",
        tools: "/tools",
        openapi: "/openapi.json",
        events: "/events",
        health: "/health",
      },
      shelves: [{ name: "finding", guide: "Call find first." }],
    });
  }
});

test("[core.http.welcome] GET / returns the web app to a browser, or a page with links", async () => {
  const built = await app(webFolder()).request("/", { headers: browser });
  const unbuilt = await app().request("/", { headers: browser });
  const missing = await app("/no/such/folder").request("/", { headers: browser });

  expect(await built.text()).toContain("The app");
  expect(await unbuilt.text()).toContain('href="/openapi.json"');
  expect(missing.status).toBe(200);
  for (const { headers } of [built, unbuilt]) {
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("content-security-policy")).not.toContain("script-src");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("vary")).toMatch(/accept/i);
    expect(headers.get("set-cookie")).toContain("lectern-page-80=");
  }
});

test("[core.http.static] web app files have their content type, and hashed files are cached forever", async () => {
  const subject = app(webFolder());
  const script = await subject.request("/assets/index-BxK3a9Zd.js");
  const icon = await subject.request("/icon.svg");

  expect(script.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(script.headers.get("cache-control")).toContain("immutable");
  expect(script.headers.get("set-cookie")).toBeNull();
  expect(icon.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
  expect(icon.headers.get("cache-control")).toBe("no-cache");
  const etag = icon.headers.get("etag") ?? "";
  const again = await subject.request("/icon.svg", { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect((await subject.request("/icon.svg", { method: "POST" })).status).toBe(405);
});

test("[core.http.static] only the listed files are served: no traversal, no link, no new file", async () => {
  const folder = webFolder();
  const subject = app(folder);
  writeFileSync(join(folder, "later.txt"), "later");
  for (const path of [
    "/../lectern-outside.txt",
    "/..%2flectern-outside.txt",
    "/%2e%2e/lectern-outside.txt",
    "/assets/..%5c..%5clectern-outside.txt",
    "/assets/../../lectern-outside.txt",
    "//lectern-outside.txt",
    "/link.txt",
    "/later.txt",
    "/assets",
    "/assets/",
    "/icon.svg%00.txt",
  ]) {
    const response = await subject.request(path);
    expect([path, response.status]).toEqual([path, 404]);
  }
  rmSync(join(folder, "icon.svg"));
  expect((await subject.request("/icon.svg")).status).toBe(404);
});

test("[core.http.health] /health reports status and model, and the reason for a failure only to identified callers", async () => {
  const library = smallLibrary([]);
  const mcp = async () => new Response();
  const well = await createHttpApp({ app: library, mcp }).request("/health");
  const ill = await createHttpApp({
    app: library,
    mcp,
    health: () => ({ status: "unhealthy", model_loaded: true }),
  }).request("/health");

  expect([well.status, await well.json()]).toEqual([
    200,
    { status: "healthy", model_loaded: false },
  ]);
  expect([ill.status, await ill.json()]).toEqual([
    503,
    { status: "unhealthy", model_loaded: true },
  ]);
});
