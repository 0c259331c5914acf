import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { lastCount, sampleShelf } from "../../../../tests/fixtures/library/sample-shelf.ts";
import { openSampleShelfLibrary } from "../../../../tests/fixtures/library/sample-shelf-library.ts";
import {
  beginSession,
  connect,
  openEndpoint,
  post,
  postModern,
  request,
  streams,
} from "../../../../tests/fixtures/mcp/mcp-client.ts";
import type { EndpointOptions } from "./endpoint.ts";

const openSampleEndpoint = (options: EndpointOptions = {}) =>
  openEndpoint(openSampleShelfLibrary().library, options);

const list = request("tools/list");

test("[core.mcp.plain] a plain POST is answered with plain JSON and no session", async () => {
  const endpoint = openSampleEndpoint();
  for (const accept of ["*/*", "application/json", ""]) {
    const { status, headers, message } = await post(endpoint, list, { accept });
    expect(status, accept).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(message.result).toHaveProperty("tools");
  }
});

test("[core.mcp.plain-initialize] a minimal initialize is answered for plain requests", async () => {
  const endpoint = openSampleEndpoint();
  for (const params of [{}, undefined]) {
    const { status, headers, message } = await post(endpoint, request("initialize", params));
    expect(status).toBe(200);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(message.result).toMatchObject({ protocolVersion: "2025-11-25" });
  }
  const wrong = await post(endpoint, request("initialize", { protocolVersion: 5 }));
  expect(wrong.message.error).toMatchObject({ code: -32602 });
});

test("[core.mcp.initialized-alias] the old name of the initialized notification is accepted", async () => {
  const endpoint = openSampleEndpoint();
  const silent = await post(endpoint, { jsonrpc: "2.0", method: "initialized" });
  const answered = await post(endpoint, request("initialized"));

  expect(silent.status).toBe(202);
  expect(answered.message).toMatchObject({ id: 1, result: {} });
});

test("[core.mcp.bad-body] a body that is not UTF-8, is nested too deeply or has too many names is refused before it is parsed", async () => {
  const endpoint = openSampleEndpoint();
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
  const params = Array.from({ length: 50_001 }, (_, at) => `"${at}":1`).join(",");
  expect(await send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{${params}}}`)).toEqual([
    400, -32700,
  ]);
});

test("[core.mcp.no-shutdown] shutdown is not available over HTTP", async () => {
  const endpoint = openSampleEndpoint();
  const plain = await post(endpoint, request("shutdown"));
  const modern = await postModern(endpoint, "shutdown");

  expect(plain.message.error?.code).toBe(-32601);
  expect(modern.status).toBe(404);
  expect(modern.message.error?.code).toBe(-32601);
});

test("[core.mcp.stream-without-session] a client that accepts streams needs no session either", async () => {
  const { status, headers, message } = await post(openSampleEndpoint(), list, streams);

  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(message.result).toHaveProperty("tools");
});

test("[core.mcp.sessions] a session starts with the handshake and ends with DELETE", async () => {
  const endpoint = openSampleEndpoint();
  const session = await beginSession(endpoint);
  const at = (method: string) =>
    endpoint.fetch(new Request("http://localhost/mcp", { method, headers: session }));

  expect(session["mcp-session-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect((await post(endpoint, list, session)).message.result).toHaveProperty("tools");
  expect((await at("DELETE")).status).toBe(200);
  expect((await post(endpoint, list, session)).status).toBe(404);
  expect((await at("GET")).status).toBe(404);
});

test("[core.mcp.unknown-session] an unknown session is not found", async () => {
  const { status, message } = await post(openSampleEndpoint(), list, {
    ...streams,
    "mcp-session-id": "made-up",
  });

  expect(status).toBe(404);
  expect(message.error?.message).toMatch(/Session not found/);
});

test("[core.mcp.session-idle] an idle session times out, a session with an open stream does not", async () => {
  const endpoint = openSampleEndpoint({ sessions: { idleMs: 600 } });
  const [idle, active] = [await beginSession(endpoint), await beginSession(endpoint)];
  const listening = await endpoint.fetch(new Request("http://localhost/mcp", { headers: active }));
  expect(listening.status).toBe(200);
  await pause(2_000);

  expect((await post(endpoint, list, idle)).status).toBe(404);
  expect((await post(endpoint, list, active)).status).toBe(200);
  await listening.body?.cancel();
  await pause(2_000);
  expect((await post(endpoint, list, active)).status).toBe(404);
});

test("[core.mcp.session-cap] the session idle longest is closed to make room for a new one", async () => {
  const endpoint = openSampleEndpoint({ sessions: { maxSessions: 2 } });
  const first = await beginSession(endpoint);
  const second = await beginSession(endpoint);
  await pause(20);
  await post(endpoint, list, first);
  const third = await beginSession(endpoint);

  expect((await post(endpoint, list, first)).status).toBe(200);
  expect((await post(endpoint, list, second)).status).toBe(404);
  expect((await post(endpoint, list, third)).status).toBe(200);
});

test("[core.mcp.session-flood] a client that opens too many sessions closes its own oldest, and no other client's", async () => {
  const endpoint = openSampleEndpoint({ sessions: { maxSessions: 20, maxPerClient: 8 } });
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

  // One client in a loop, one with a new name each time, and a remote one.
  for (let count = 0; count < 40; count++) await begin(neighbour, "loop");
  for (let count = 0; count < 40; count++) await begin(neighbour, `loop ${count}`);
  for (let count = 0; count < 40; count++) {
    const session = await begin(from("192.0.2.8"), `loop ${count}`);
    await post(endpoint, list, session);
  }
  expect((await post(quiet, list, mine)).status).toBe(200);
  expect((await post(remote, list, theirs)).status).toBe(200);
});

test("if every session is in use, a new one has to wait", async () => {
  const endpoint = openSampleEndpoint({ sessions: { maxSessions: 1 } });
  const session = await beginSession(endpoint);
  const listening = await endpoint.fetch(new Request("http://localhost/mcp", { headers: session }));
  const refused = await post(endpoint, request("initialize", {}), streams);
  await listening.body?.cancel();

  expect(refused.status).toBe(503);
});

test("[core.fair-queue.senders] a call knows its sender and connection on every transport, whatever its headers say", async () => {
  const shelf = sampleShelf();
  const seen: string[][] = [];
  const operations = shelf.operations.map((operation): typeof operation => ({
    ...operation,
    run(input, state, call) {
      seen.push([call.sender, call.peer]);
      return operation.run(input, state, call);
    },
  }));
  const { fetch } = openEndpoint(
    openSampleShelfLibrary({ shelves: [{ ...shelf, operations }] }).library,
  );
  const endpoint = {
    fetch: (asked: Request) => fetch(asked, "7", "uid 1"),
    close: async () => undefined,
  };
  const params = { name: "echo", arguments: { words: "hello" } };
  const session = await beginSession(endpoint);
  await post(endpoint, request("tools/call", params), session);
  await post(endpoint, request("tools/call", params), { "lectern-sender": "x" });
  await postModern(endpoint, "tools/call", params);

  expect(seen).toEqual([
    ["uid 1", `mcp ${session["mcp-session-id"]}`],
    ["uid 1", "mcp 7"],
    ["uid 1", "mcp 7"],
  ]);
});

test("[core.mcp.isolation] clients that use the same request ids never receive each other's answers", async () => {
  const endpoint = openSampleEndpoint();
  const sessions = await Promise.all(Array.from({ length: 50 }, () => beginSession(endpoint)));
  const outputs = await Promise.all(
    sessions.map(async (session, at) => {
      const params = { name: "echo", arguments: { words: `client ${at}` } };
      const { message } = await post(endpoint, request("tools/call", params), session);
      return message.result?.structuredContent;
    }),
  );

  expect(outputs).toEqual(sessions.map((_, at) => ({ said: `client ${at}` })));
});

test("[core.mcp.batch] a batch is accepted only in the protocol version that defines it", async () => {
  const endpoint = openSampleEndpoint();
  const batch = [request("ping", undefined, 1), request("ping", undefined, 2)];
  const reported = await post(endpoint, batch, { "mcp-protocol-version": "2025-03-26" });
  const session = await beginSession(endpoint, "2025-03-26");
  const agreed = await post(endpoint, batch, session);

  for (const { status, messages } of [reported, agreed]) {
    expect(status).toBe(200);
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
  }
});

test("[core.mcp.no-batch] in other versions a batch is refused", async () => {
  const endpoint = openSampleEndpoint();
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

test("[core.mcp.bad-body] an invalid message is refused and affects only its sender", async () => {
  const endpoint = openSampleEndpoint({ inboundLimit: 10_000 });
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

test("other HTTP methods are refused with the allowed ones", async () => {
  const endpoint = openSampleEndpoint();
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

test("[core.mcp.no-reserved-codes] no refusal uses a reserved error code", async () => {
  const endpoint = openSampleEndpoint();
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

test("[core.mcp.notices-older] a session receives list changes, and updates only of resources it subscribed to", async () => {
  const endpoint = openSampleEndpoint();
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

  const received: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    received.push(
      ...[...decoder.decode(chunk).matchAll(/"method":"notifications\/([^"]+)"/g)].map(
        (m) => m[1] ?? "",
      ),
    );
    if (received.includes("resources/list_changed")) break;
  }
  expect(received).toEqual([
    "tools/list_changed",
    "resources/updated",
    "prompts/list_changed",
    "resources/list_changed",
  ]);
});

test("[core.mcp.notices-newer] a client of the 2026 era receives the notifications it listens to", async () => {
  const { library } = openSampleShelfLibrary();
  const endpoint = openEndpoint(library);
  const client = await connect(endpoint, "modern");
  const received: string[] = [];
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    received.push("tools");
  });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    received.push(params.uri);
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

  await expect.poll(() => received).toEqual(["note://a/b.md", "tools"]);
  await subscription.close();
});

test("a subscription without a session is refused, and the message says what is missing", async () => {
  const endpoint = openSampleEndpoint();
  const known = await post(endpoint, request("resources/subscribe", { uri: "note://a/b.md" }));
  const unknown = await post(endpoint, request("resources/subscribe", { uri: "nobody://x" }));

  expect(known.message.error).toMatchObject({
    code: -32600,
    message: expect.stringContaining("needs a session"),
  });
  expect(unknown.message.error).toMatchObject({ code: -32602, message: "Resource not found" });
});

test("[core.mcp.disconnect] a client that disconnects ends the call, in the 2026 era and for plain requests", async () => {
  const endpoint = openSampleEndpoint();
  const server = createServer(getRequestListener((asked) => endpoint.fetch(asked)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A listening server always has an address with a port.
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
  const params = { name: "count", arguments: { to: 100_000, pauseMs: 5 } };
  const callers = [
    () => post(overSocket, request("tools/call", params)),
    () => post(overSocket, request("tools/call", params), streams),
    () => postModern(overSocket, "tools/call", params),
  ];
  for (const calling of callers) {
    hangUp = new AbortController();
    lastCount.counted = 0;
    lastCount.aborted = false;
    const asked = calling().catch((error: Error) => error.name);
    await expect.poll(() => lastCount.counted).toBeGreaterThan(0);
    hangUp.abort();
    expect(await asked).toBe("AbortError");
    await expect.poll(() => lastCount.aborted).toBe(true);
  }
});

test("[core.mcp.trace] DEBUG=mcp:protocol traces the messages", async () => {
  const { library, logged } = openSampleShelfLibrary({ env: { DEBUG: "mcp:protocol" } });
  await post(openEndpoint(library), list);

  expect(logged.some((line) => /mcp:protocol <- .*tools\/list/.test(line))).toBe(true);
  expect(logged.some((line) => /mcp:protocol -> .*"name":"echo"/.test(line))).toBe(true);
});
