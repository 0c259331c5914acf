import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import { lastCount } from "../../../tests/fixtures/desk-shelf.ts";
import {
  beginSession,
  connect,
  openEndpoint,
  post,
  postModern,
  request,
  streams,
} from "../../../tests/fixtures/mcp-client.ts";
import type { EndpointOptions } from "./endpoint.ts";

const desk = (options: EndpointOptions = {}) => openEndpoint(openDeskLibrary().library, options);

const list = request("tools/list");

test("[house.mcp.plain] a plain POST is answered with plain JSON and no session", async () => {
  const endpoint = desk();
  for (const accept of ["*/*", "application/json", ""]) {
    const { status, headers, message } = await post(endpoint, list, { accept });
    expect(status, accept).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(message.result).toHaveProperty("tools");
  }
});

test("[house.mcp.plain-initialize] a handshake of one word is answered on the plain leg", async () => {
  const endpoint = desk();
  for (const params of [{}, undefined]) {
    const { status, headers, message } = await post(endpoint, request("initialize", params));
    expect(status).toBe(200);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(message.result).toMatchObject({ protocolVersion: "2025-11-25" });
  }
  const wrong = await post(endpoint, request("initialize", { protocolVersion: 5 }));
  expect(wrong.message.error).toMatchObject({ code: -32602 });
});

test("[house.mcp.initialized-alias] the old word for the end of the handshake is understood", async () => {
  const endpoint = desk();
  const silent = await post(endpoint, { jsonrpc: "2.0", method: "initialized" });
  const answered = await post(endpoint, request("initialized"));

  expect(silent.status).toBe(202);
  expect(answered.message).toMatchObject({ id: 1, result: {} });
});

test("[house.mcp.bad-body] a body that is no UTF-8, or nests without end, is refused before it is parsed", async () => {
  const endpoint = desk();
  const send = async (body: Uint8Array | string) => {
    const headers = { "content-type": "application/json" };
    const sent = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body });
    const response = await endpoint.fetch(sent);
    return [response.status, ((await response.json()) as { error: { code: number } }).error.code];
  };
  const call = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"';

  expect(
    await send(Buffer.concat([Buffer.from(call), Buffer.from([0xff]), Buffer.from('"}}')])),
  ).toEqual([400, -32700]);
  expect(await send("[".repeat(1_000_000) + "]".repeat(1_000_000))).toEqual([400, -32700]);
  expect(await send(`{"jsonrpc":"2.0","id":1,"result":${"[".repeat(200_000)}`)).toEqual([
    400, -32700,
  ]);
});

test("[house.mcp.no-shutdown] nobody shuts the server down over HTTP", async () => {
  const endpoint = desk();
  const plain = await post(endpoint, request("shutdown"));
  const modern = await postModern(endpoint, "shutdown");

  expect(plain.message.error?.code).toBe(-32601);
  expect(modern.status).toBe(404);
  expect(modern.message.error?.code).toBe(-32601);
});

test("[house.mcp.stream-without-session] a client that reads streams needs no session either", async () => {
  const { status, headers, message } = await post(desk(), list, streams);

  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(message.result).toHaveProperty("tools");
});

test("[house.mcp.sessions] a session begins with its handshake and ends with DELETE", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  const at = (method: string) =>
    endpoint.fetch(new Request("http://localhost/mcp", { method, headers: session }));

  expect(session["mcp-session-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect((await post(endpoint, list, session)).message.result).toHaveProperty("tools");
  expect((await at("DELETE")).status).toBe(200);
  expect((await post(endpoint, list, session)).status).toBe(404);
  expect((await at("GET")).status).toBe(404);
});

test("[house.mcp.unknown-session] a session that nobody knows is not found", async () => {
  const { status, message } = await post(desk(), list, { ...streams, "mcp-session-id": "made-up" });

  expect(status).toBe(404);
  expect(message.error?.message).toMatch(/Session not found/);
});

test("[house.mcp.session-idle] a session that is left alone ends; one that is listened to stays", async () => {
  const endpoint = desk({ sessions: { idleMs: 200 } });
  const [alone, heard] = [await beginSession(endpoint), await beginSession(endpoint)];
  const listening = await endpoint.fetch(new Request("http://localhost/mcp", { headers: heard }));
  expect(listening.status).toBe(200);
  await pause(1_000);

  expect((await post(endpoint, list, alone)).status).toBe(404);
  expect((await post(endpoint, list, heard)).status).toBe(200);
  await listening.body?.cancel();
  await pause(1_000);
  expect((await post(endpoint, list, heard)).status).toBe(404);
});

test("[house.mcp.session-cap] the session that was left alone longest makes room for a new one", async () => {
  const endpoint = desk({ sessions: { most: 2 } });
  const first = await beginSession(endpoint);
  const second = await beginSession(endpoint);
  await pause(20);
  await post(endpoint, list, first);
  const third = await beginSession(endpoint);

  expect((await post(endpoint, list, first)).status).toBe(200);
  expect((await post(endpoint, list, second)).status).toBe(404);
  expect((await post(endpoint, list, third)).status).toBe(200);
});

test("[house.mcp.session-flood] whoever begins sessions in a flood ends their own, and nobody else's", async () => {
  const endpoint = desk({ sessions: { most: 20, maxPerClient: 8 } });
  const from = (sender: string) => ({
    ...endpoint,
    fetch: (asked: Request) => endpoint.fetch(asked, sender),
  });
  const [quiet, neighbour, remote] = ["uid 1", "uid 1", "192.0.2.7"].map(from);
  if (!quiet || !neighbour || !remote) throw new Error("There are three.");
  const named = (name: string) => request("initialize", { clientInfo: { name, version: "1" } });
  const begin = async (where: typeof quiet, name: string) => {
    const { headers } = await post(where, named(name), streams);
    return { ...streams, "mcp-session-id": headers.get("mcp-session-id") ?? "" };
  };
  const mine = await begin(quiet, "editor");
  const theirs = await begin(remote, "far editor");
  await post(quiet, list, mine);
  await post(remote, list, theirs);

  // One client in a loop, one that gives itself a new name each time, and one from elsewhere.
  for (let count = 0; count < 40; count++) await begin(neighbour, "loop");
  for (let count = 0; count < 40; count++) await begin(neighbour, `loop ${count}`);
  for (let count = 0; count < 40; count++) {
    const session = await begin(from("192.0.2.8"), `loop ${count}`);
    await post(endpoint, list, session);
  }
  expect((await post(quiet, list, mine)).status).toBe(200);
  expect((await post(remote, list, theirs)).status).toBe(200);
});

test("where every session is in use, a new one has to wait", async () => {
  const endpoint = desk({ sessions: { most: 1 } });
  const session = await beginSession(endpoint);
  const listening = await endpoint.fetch(new Request("http://localhost/mcp", { headers: session }));
  const refused = await post(endpoint, request("initialize", {}), streams);
  await listening.body?.cancel();

  expect(refused.status).toBe(503);
});

test("[house.mcp.isolation] clients that use the same ids never get each other's answers", async () => {
  const endpoint = desk();
  const sessions = await Promise.all(Array.from({ length: 50 }, () => beginSession(endpoint)));
  const said = await Promise.all(
    sessions.map(async (session, at) => {
      const params = { name: "echo", arguments: { words: `client ${at}` } };
      const { message } = await post(endpoint, request("tools/call", params), session);
      return message.result?.structuredContent;
    }),
  );

  expect(said).toEqual(sessions.map((_, at) => ({ said: `client ${at}` })));
});

test("[house.mcp.batch] an array of messages is served for the one version that has them", async () => {
  const endpoint = desk();
  const batch = [request("ping", undefined, 1), request("ping", undefined, 2)];
  const told = await post(endpoint, batch, { "mcp-protocol-version": "2025-03-26" });
  const session = await beginSession(endpoint, "2025-03-26");
  const agreed = await post(endpoint, batch, session);

  for (const { status, messages } of [told, agreed]) {
    expect(status).toBe(200);
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
  }
});

test("[house.mcp.no-batch] elsewhere an array is refused", async () => {
  const endpoint = desk();
  const batch = [request("ping", undefined, 1)];
  const newer = await beginSession(endpoint, "2025-06-18");
  const version = { "mcp-protocol-version": "2025-03-26" };
  const refused = [
    await post(endpoint, batch),
    await post(endpoint, batch, newer),
    await post(endpoint, batch, { "mcp-protocol-version": "2025-11-25" }),
    await post(endpoint, [], version),
    await post(endpoint, [5], version),
  ];
  for (const { status, message } of refused) {
    expect(status).toBe(400);
    expect(message.error?.code).toBe(-32600);
  }
});

test("[house.mcp.bad-body] what is no message is refused and costs its sender only", async () => {
  const endpoint = desk({ inboundLimit: 10_000 });
  const check = async (body: unknown, headers: object, status: number, code: number) => {
    const reply = await post(endpoint, body, { ...headers });
    expect([reply.status, reply.message.error?.code], JSON.stringify(body).slice(0, 80)).toEqual([
      status,
      code,
    ]);
  };
  await check("not json", {}, 400, -32700);
  await check("", {}, 400, -32700);
  await check("{", {}, 400, -32700);
  await check("5", {}, 400, -32600);
  await check("null", {}, 400, -32600);
  await check({}, {}, 400, -32600);
  await check({ jsonrpc: "2.0", id: 7 }, {}, 400, -32600);
  await check({ jsonrpc: "1.0", id: 7, method: "ping" }, {}, 400, -32600);
  await check(list, { "content-type": "text/plain" }, 415, -32600);
  await check(list, { "content-type": "application/x-www-form-urlencoded" }, 415, -32600);
  await check({ ...list, params: { pad: "x".repeat(10_000) } }, {}, 413, -32600);

  expect((await post(endpoint, { jsonrpc: "2.0", id: 7 })).message.id).toBe(7);
  expect((await post(endpoint, list)).status).toBe(200);
});

test("other methods of HTTP are refused with those that are allowed", async () => {
  const endpoint = desk();
  const at = async (method: string) => {
    const { status, headers } = await endpoint.fetch(
      new Request("http://localhost/mcp", { method }),
    );
    return [status, headers.get("allow")];
  };

  expect(await at("PUT")).toEqual([405, "GET, POST, DELETE"]);
  expect(await at("GET")).toEqual([405, "POST"]);
  expect(await at("DELETE")).toEqual([405, "POST"]);
});

test("[house.mcp.no-reserved-codes] no refusal has a code that is kept for others", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  const listen = (accept: string) =>
    endpoint.fetch(new Request("http://localhost/mcp", { headers: { ...session, accept } }));
  const listening = await listen("text/event-stream");
  const refusals = [
    await listen("application/json"),
    await listen("text/event-stream"),
    await endpoint.fetch(
      new Request("http://localhost/mcp", {
        method: "DELETE",
        headers: { ...session, "mcp-protocol-version": "1999-01-01" },
      }),
    ),
  ];
  await listening.body?.cancel();

  expect(refusals.map(({ status }) => status)).toEqual([406, 409, 400]);
  for (const refusal of refusals) {
    expect(await refusal.json()).toMatchObject({ error: { code: -32600 } });
  }
});

test("[house.mcp.notices-older] a session hears what changed, and of resources only its own", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  await post(endpoint, request("resources/subscribe", { uri: "note://a/b.md" }), session);
  const stream = await endpoint.fetch(new Request("http://localhost/mcp", { headers: session }));
  const announce = (topic: string, uri?: string) =>
    post(endpoint, request("tools/call", { name: "announce", arguments: { topic, uri } }));
  await announce("tools.changed");
  await announce("resource.updated", "note://other.md");
  await announce("resource.updated", "note://a/b.md");
  await post(endpoint, request("resources/unsubscribe", { uri: "note://a/b.md" }), session);
  await announce("resource.updated", "note://a/b.md");
  await announce("prompts.changed");
  await announce("resources.changed");

  const heard: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    heard.push(
      ...[...decoder.decode(chunk).matchAll(/"method":"notifications\/([^"]+)"/g)].map(
        (m) => m[1] ?? "",
      ),
    );
    if (heard.includes("resources/list_changed")) break;
  }
  expect(heard).toEqual([
    "tools/list_changed",
    "resources/updated",
    "prompts/list_changed",
    "resources/list_changed",
  ]);
});

test("[house.mcp.notices-newer] a client of the 2026 era hears what it listens to", async () => {
  const { library } = openDeskLibrary();
  const endpoint = openEndpoint(library);
  const client = await connect(endpoint, "modern");
  const heard: string[] = [];
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    heard.push("tools");
  });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(params.uri);
  });
  const subscription = await client.listen({
    toolsListChanged: true,
    resourceSubscriptions: ["note://a/b.md"],
  });
  const announce = (topic: string, uri?: string) =>
    client.callTool({ name: "announce", arguments: { topic, ...(uri && { uri }) } });
  await announce("resource.updated", "note://other.md");
  await announce("resource.updated", "note://a/b.md");
  await announce("tools.changed");

  await expect.poll(() => heard, { timeout: 5_000 }).toEqual(["note://a/b.md", "tools"]);
  await subscription.close();
});

test("a subscription without a session is refused, and says what is missing", async () => {
  const endpoint = desk();
  const known = await post(endpoint, request("resources/subscribe", { uri: "note://a/b.md" }));
  const unknown = await post(endpoint, request("resources/subscribe", { uri: "nobody://x" }));

  expect(known.message.error).toMatchObject({
    code: -32600,
    message: expect.stringContaining("needs a session"),
  });
  expect(unknown.message.error).toMatchObject({ code: -32602, message: "Resource not found" });
});

test("[house.mcp.disconnect] who hangs up ends the call, in the newer era and on the plain leg", async () => {
  const endpoint = desk();
  const server = createServer(getRequestListener((asked) => endpoint.fetch(asked)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  const overSocket = {
    ...endpoint,
    fetch: (asked: Request) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: "POST",
        headers: asked.headers,
        body: asked.body,
        duplex: "half",
        signal: hangUp.signal,
      }),
  };
  let hangUp = new AbortController();
  const params = { name: "count", arguments: { to: 2_000, pauseMs: 5 } };
  const callers = [
    () => post(overSocket, request("tools/call", params)),
    () => post(overSocket, request("tools/call", params), streams),
    () => postModern(overSocket, "tools/call", params),
  ];
  for (const calling of callers) {
    hangUp = new AbortController();
    lastCount.aborted = false;
    const asked = calling().catch((error: Error) => error.name);
    await pause(200);
    hangUp.abort();
    expect(await asked).toBe("AbortError");
    await expect.poll(() => lastCount.aborted, { timeout: 5_000 }).toBe(true);
  }
});

test("[house.mcp.trace] the wire can be read along with DEBUG=mcp:protocol", async () => {
  const { library, logged } = openDeskLibrary({ env: { DEBUG: "mcp:protocol" } });
  await post(openEndpoint(library), list);

  expect(logged.some((line) => /mcp:protocol <- .*tools\/list/.test(line))).toBe(true);
  expect(logged.some((line) => /mcp:protocol -> .*"name":"echo"/.test(line))).toBe(true);
});
