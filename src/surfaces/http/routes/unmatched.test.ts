import { expect, test } from "vitest";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { createHttpApp } from "../http-app.ts";

const app = createHttpApp({
  app: smallLibrary([finding, failingShelf]),
  mcp: async (request) => new Response(request.method),
});

test("[core.http.not-found] an unknown route is 404 with the closest one", async () => {
  const check = async (path: string, detail: string) => {
    const response = await app.request(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toEqual({ detail, status_code: 404 });
  };

  await check("/fnd", "No route 'GET /fnd'.\nDid you mean 'POST /find'?");
  await check("/folder", "No route 'GET /folder'.\nDid you mean 'GET /folders'?");
  await check("/toolz", "No route 'GET /toolz'.\nDid you mean 'GET /tools'?");
  await check(
    "/completely/elsewhere/and/further",
    "No route 'GET /completely/elsewhere/and/further'.\nGET /openapi.json lists all routes.",
  );
});

test("[core.http.method] a wrong method is 405 and lists the allowed ones", async () => {
  const check = async (method: string, path: string, allow: string) => {
    const response = await app.request(path, { method });
    expect([method, path, response.status]).toEqual([method, path, 405]);
    expect(response.headers.get("allow")).toBe(allow);
    const words = path.startsWith("/tools/") ? { success: false } : { status_code: 405 };
    expect(await response.json()).toMatchObject(words);
  };

  await check("GET", "/find", "POST, OPTIONS");
  await check("POST", "/folders", "GET, HEAD, OPTIONS");
  await check("PATCH", "/folders/x", "PUT, OPTIONS");
  await check("POST", "/notes/a/b/c", "DELETE, OPTIONS");
  await check("DELETE", "/", "GET, HEAD, OPTIONS");
  await check("GET", "/tools/find", "POST, OPTIONS");
});

test("[core.http.method] OPTIONS lists the methods and allows no other origin", async () => {
  const response = await app.request("/find", { method: "OPTIONS" });

  expect([response.status, response.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual(
    [],
  );
  expect((await app.request("/nowhere", { method: "OPTIONS" })).status).toBe(404);
});

test("HEAD is GET without its body", async () => {
  for (const path of ["/", "/health", "/tools", "/folders", "/openapi.json", "/events"]) {
    const response = await app.request(path, { method: "HEAD" });
    expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
  }
});

test("/mcp accepts every method", async () => {
  for (const method of ["GET", "POST", "DELETE", "OPTIONS", "PUT"]) {
    expect(await (await app.request("/mcp", { method })).text()).toBe(method);
  }
});
