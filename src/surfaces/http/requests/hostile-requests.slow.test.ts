import { mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { badPaths } from "../../../../tests/fixtures/inputs/bad-paths.ts";
import { jsonCases } from "../../../../tests/fixtures/inputs/json-cases.ts";
import { naughtyStrings } from "../../../../tests/fixtures/inputs/naughty-strings.ts";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { createHttpApp } from "../http-app.ts";
import { type HttpServer, serveHttp } from "../server/http-server.ts";

const library = smallLibrary([finding, failingShelf]);
let server: HttpServer;
let address = "";

beforeAll(async () => {
  const web = mkdtempSync(join(tmpdir(), "lectern-web-"));
  writeFileSync(join(web, "index.html"), "<!doctype html>");
  const app = createHttpApp({ app: library, mcp: async () => Response.json({}), web });
  server = await serveHttp({ app, ports: [0] });
  address = server.addresses[0] ?? "";
});

afterAll(() => server.close());

const headers = { "content-type": "application/json" };
const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${address}${path}`, { method: "POST", headers, body });

/** Any request gets a JSON response without a server error, and the next request is served. */
async function expectCalm(response: Response, sent: string): Promise<unknown> {
  expect([sent, response.status]).not.toEqual([sent, 500]);
  return response.json();
}

const json = jsonCases();

test(`[core.http.hostile] ${json.source}, sent to a route and to a tool, are answered in JSON`, async () => {
  for (const { name, bytes } of json.cases) {
    const body = new Uint8Array(bytes);
    await expectCalm(await post("/find", body), name);
    expect(await expectCalm(await post("/tools/find", body), name)).toHaveProperty("success");
  }
  expect(library.logged).toEqual([]);
});

const naughty = naughtyStrings();

test(`[core.http.hostile] ${naughty.source} round-trip as values, in queries and paths`, async () => {
  for (const words of naughty.strings) {
    // A lone surrogate has no UTF-8 encoding, so it can be sent only in JSON.
    const sent = Buffer.from(words).toString("utf8");
    const found = await post("/find", JSON.stringify({ query: `x${words}` }));
    expect(await expectCalm(found, words)).toMatchObject({ asked: { query: `x${words}` } });

    const listed = await fetch(`${address}/folders?name_part=${encodeURIComponent(sent)}`);
    expect(await expectCalm(listed, words)).toMatchObject({ asked: { namePart: sent } });

    const removed = await fetch(`${address}/notes/x${encodeURIComponent(sent)}`, {
      method: "DELETE",
    });
    expect(await expectCalm(removed, words)).toMatchObject({ path: `x${sent}` });

    await expectCalm(await post("/find", JSON.stringify({ query: "x", [words]: 1 })), words);
    await expectCalm(await post(`/tools/${encodeURIComponent(sent)}`, "{}"), words);
  }
  expect(library.logged).toEqual([]);
});

test(`[core.http.hostile] bad paths (${badPaths.origin}), sent raw as the target, reach no file`, async () => {
  const { port } = new URL(address);
  const ask = async (target: string): Promise<string> => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
  const tried = async (path: string): Promise<void> => {
    // Raw bytes that end the request line start another request, not another path.
    const target = `/${path.replace(/[\s\0]/g, (letter) => encodeURIComponent(letter))}`;
    const answer = await ask(target);
    expect([path, /^HTTP\/1\.1 (200|400|403|404|405|431) /.test(answer)]).toEqual([path, true]);
    expect(answer).not.toMatch(/root:|\[extensions\]/);
  };
  for (let at = 0; at < badPaths.lines.length; at += 50) {
    await Promise.all(badPaths.lines.slice(at, at + 50).map(tried));
  }
  expect(library.logged).toEqual([]);
});
