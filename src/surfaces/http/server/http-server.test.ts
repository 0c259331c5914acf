import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { createHttpApp } from "../http-app.ts";
import { createEventStreams } from "../routes/event-stream.ts";
import { type HttpServer, hostNamesOf, type ServeOptions, serveHttp } from "./http-server.ts";

const open: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(options: Partial<ServeOptions> = {}) {
  const library = smallLibrary([finding, failingShelf]);
  const events = createEventStreams(library);
  const app = createHttpApp({
    app: library,
    events,
    mcp: async (request) => Response.json({ bytes: (await request.text()).length }),
  });
  const server = await serveHttp({ app, ports: [0], ...options });
  open.push(server);
  const [address = ""] = server.addresses;
  return { server, library, events, address, port: Number(new URL(address).port) };
}

/** Writes text on a raw connection; the complete response is returned when it closes. */
async function raw(
  port: number,
  words: string,
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(words);
  return { socket, answer: text(socket).catch(() => "") };
}

const json = { "content-type": "application/json" };

test("[core.http.ports] several ports serve the same app", async () => {
  const [one, two] = [await freePort(), await freePort()];
  const { server } = await serve({ ports: [one, two, one] });

  expect(server.addresses).toEqual([one, two].map((port) => `http://127.0.0.1:${port}`));
  for (const address of server.addresses) {
    expect((await fetch(`${address}/health`)).status).toBe(200);
  }
});

test("[core.http.keep-alive] an idle connection stays open for longer than proxies reuse one", async () => {
  const { port } = await serve();
  const { socket, answer } = await raw(port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  socket.end();

  expect(Number(/^keep-alive: timeout=(\d+)/im.exec(await answer)?.[1])).toBeGreaterThan(60);
});

async function freePort(): Promise<number> {
  const { server, port } = await serve();
  await server.close();
  return port;
}

test("[core.http.ports] a port in use is an error that names it and the remedy, and releases the others", async () => {
  const { port } = await serve();
  const other = await freePort();

  await expect(serve({ ports: [other, port] })).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining(String(port)),
    hints: [expect.stringContaining("--port")],
  });
  expect((await serve({ ports: [other] })).port).toBe(other);
});

test("[core.http.loopback] any address other than loopback requires a token", async () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.7", "example.com", ""]) {
    await expect(serve({ host })).rejects.toMatchObject({
      kind: "forbidden",
      hints: [expect.stringMatching(/--token.*LECTERN_TOKEN/)],
    });
  }
  const { server } = await serve({ host: "0.0.0.0", token: "s3cret" });
  expect(server.addresses[0]).toContain("0.0.0.0");
  expect((await serve({ host: "localhost" })).address).toContain("127.0.0.1");
});

test("a wildcard address is reachable on each address of the machine", () => {
  expect(hostNamesOf("192.0.2.7")).toEqual(["192.0.2.7"]);
  expect(hostNamesOf("0.0.0.0")).toContain("127.0.0.1");
});

test("[core.http.guard] the guard works on a real connection: Host, absolute targets, no Host at all", async () => {
  const { port, address } = await serve();
  const ask = async (words: string) => {
    const { answer } = await raw(port, words);
    return (await answer).split("\r\n")[0];
  };

  expect((await fetch(`${address.replace("127.0.0.1", "localhost")}/health`)).status).toBe(200);
  const close = "Connection: close\r\n\r\n";
  expect(await ask(`GET /health HTTP/1.1\r\nHost: [::1]:${port}\r\n${close}`)).toContain("200");
  expect(await ask(`GET /health HTTP/1.1\r\nHost: evil.example\r\n${close}`)).toContain("403");
  expect(
    await ask(`GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n${close}`),
  ).toContain("403");
  expect(
    await ask(`GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${close}`),
  ).toContain("40");
  expect(await ask(`GET /health HTTP/1.1\r\nHost: a b\r\n${close}`)).toContain("400");
  expect(await ask("GET /health HTTP/1.0\r\n\r\n")).toContain("400");
  expect(await ask("NONSENSE\r\n\r\n")).toContain("400");
});

test("[core.http.events] a page receives a change over a real connection, and is removed when it closes", async () => {
  const { address, events, library } = await serve();
  const leaving = new AbortController();
  const response = await fetch(`${address}/events`, { signal: leaving.signal });
  const reader = response.body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);
  expect(await next()).toContain("event: ready");
  expect(events.openPages()).toBe(1);

  await fetch(`${address}/folders/a`, { method: "PUT", headers: json, body: '{"new_name":"b"}' });
  expect(await next()).toBe(
    'event: collections.changed\ndata: {"topic":"collections.changed","about":"b"}\n\n',
  );
  leaving.abort();
  await expect.poll(() => events.openPages()).toBe(0);
  expect(library.logged).toEqual([]);
});

test("[core.http.close] close ends idle connections and streams immediately, and lets running calls finish", async () => {
  const { address, server, events, library } = await serve();
  await (await fetch(`${address}/health`)).text();
  const stream = await fetch(`${address}/events`);
  const begun = new Promise((resolve) => library.subscribe(resolve));
  const running = fetch(`${address}/wait`, { method: "POST", headers: json, body: '{"ms":200}' });
  await begun;
  const started = performance.now();
  const closing = server.close();

  expect(await stream.text()).toContain("event: ready");
  expect(await (await running).json()).toEqual({ waited: true });
  await closing;
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(events.openPages()).toBe(0);
  await expect(fetch(`${address}/health`)).rejects.toThrow();
});

test("[core.http.close] close does not wait for an endless call or a slow sender", async () => {
  const { address, port, server, library } = await serve({ limits: { closeTimeout: 100 } });
  const begun = new Promise((resolve) => library.subscribe(resolve));
  const running = fetch(`${address}/wait`, { method: "POST" }).catch(() => "cut");
  await begun;
  const { answer } = await raw(port, "POST /find HTTP/1.1\r\nHost: localhost\r\n");
  await server.close();

  expect(await running).toBe("cut");
  await answer;
});

test("[core.http.slow] slow headers and slow bodies time out, and other clients are served meanwhile", async () => {
  const { port, address, library } = await serve({
    limits: { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30 },
  });
  const slowHeaders = await raw(port, "POST /find HTTP/1.1\r\nHost: localhost\r\n");
  const slowBody = await raw(
    port,
    'POST /find HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"qu',
  );
  const slowMcp = await raw(
    port,
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
  );

  expect((await fetch(`${address}/health`)).status).toBe(200);
  expect(await slowHeaders.answer).toContain("408");
  expect(await slowBody.answer).toContain("408");
  expect(await slowMcp.answer).toContain("408");
  expect((await fetch(`${address}/health`)).status).toBe(200);
  expect(library.logged).toEqual([]);
});

test("[core.http.slow] a call ends when its sender disconnects", async () => {
  const { port, library } = await serve();
  const received: (string | undefined)[] = [];
  library.subscribe(({ about }) => received.push(about));
  const { socket } = await raw(
    port,
    "POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
  );
  await expect.poll(() => received).toEqual(["begun"]);
  socket.destroy();

  await expect.poll(() => received).toEqual(["begun", "left"]);
});

test("[core.http.too-large] 413 arrives over a real connection, by length and by count", async () => {
  const { address } = await serve();
  const large = Buffer.alloc(10 * 1024 * 1024 + 1, " ");
  const exact = Buffer.concat([Buffer.alloc(10 * 1024 * 1024 - 2, " "), Buffer.from("{}")]);
  for (const path of ["/find", "/mcp"]) {
    const stated = await fetch(`${address}${path}`, { method: "POST", headers: json, body: large });
    expect([path, stated.status]).toEqual([path, 413]);
    const counted = await fetch(`${address}${path}`, {
      method: "POST",
      headers: json,
      body: new Blob([large]).stream(),
      duplex: "half",
    });
    expect([path, counted.status]).toEqual([path, 413]);
  }
  const fits = await fetch(`${address}/mcp`, { method: "POST", headers: json, body: exact });
  expect(await fits.json()).toEqual({ bytes: 10 * 1024 * 1024 });
});

test("[core.http.too-large] 413 arrives even if the sender asks to close the connection", async () => {
  const { port } = await serve();
  const body = Buffer.alloc(11 * 1024 * 1024, " ");
  const head = `POST /find HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(port, "127.0.0.1");
  const problems: string[] = [];
  socket.on("error", ({ message }) => problems.push(message));
  socket.write(head);
  // A client that reads nothing until it has sent everything.
  await new Promise((resolve) => socket.write(body, resolve));
  const [answer] = problems.length > 0 ? [problems[0]] : await once(socket, "data");
  socket.destroy();

  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  expect(problems).toEqual([]);
});

test("[core.http.limits] headers over 16 KB are refused, and the number of connections is limited", async () => {
  const { address, port } = await serve({ limits: { maxConnections: 3 } });
  const large = await fetch(`${address}/health`, { headers: { "x-large": "x".repeat(17_000) } });
  expect(large.status).toBe(431);

  const held: Socket[] = [];
  for (let count = 0; count < 6; count++) held.push((await raw(port, "")).socket);
  await expect.poll(() => held.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(3);
  for (const socket of held) socket.destroy();
  await expect
    .poll(() =>
      fetch(`${address}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

test("[core.http.connection-limit] connections without a complete request are closed to make room for others", async () => {
  const { address, port } = await serve({ limits: { maxConnections: 4 } });
  const stream = await fetch(`${address}/events`);
  const unfinished = [
    "",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
  ];
  const held: Socket[] = [];
  for (let count = 0; count < 12; count++) {
    held.push((await raw(port, unfinished[count % 3] ?? "")).socket);
    const answer = await fetch(`${address}/health`, { headers: { connection: "close" } });
    expect([count, answer.status]).toEqual([count, 200]);
  }
  expect(held.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(4);
  // An active response, such as a page's event stream, is never cut off.
  const reader = stream.body?.getReader();
  expect(await reader?.read()).toMatchObject({ done: false });
  for (const socket of held) socket.destroy();
  await reader?.cancel();
});

test("another program on the port is not disturbed", async () => {
  const stranger = createServer().listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const port = Object(stranger.address()).port;

  await expect(serve({ ports: [port] })).rejects.toMatchObject({ code: "port-in-use" });
  expect(stranger.listening).toBe(true);
  stranger.close();
});
