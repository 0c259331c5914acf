import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { otherUser } from "../../../tests/fixtures/other-user.ts";
import { showFigures } from "../../../tests/journeys/figures.ts";
import { builtProgram } from "../../../tests/programs/build.ts";
import { isAlive, until } from "../../../tests/programs/process.ts";
import { call, lineQueue, request } from "../../../tests/programs/wire.ts";
import type { Admission } from "../../kernel/peers/admission.ts";
import type { LogLevel } from "../../kernel/runtime/log.ts";
import { type Bridge, type BridgeOptions, startBridge } from "./bridge.ts";

const server = [process.execPath, await builtProgram("line-server")];
const stubborn = [process.execPath, await builtProgram("stubborn")];

const opened: Bridge[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bridge) => bridge.close()));
});

/** A bridge on a free port, with the ids of the processes it started. */
async function bridgeTo(command: readonly string[], options: Partial<BridgeOptions> = {}) {
  const pids: number[] = [];
  const logged: string[] = [];
  const write = (_level: LogLevel, message: string, facts: Record<string, unknown> = {}) => {
    logged.push(`${message} ${JSON.stringify(facts)}`);
    if (typeof facts.pid === "number") pids.push(facts.pid);
  };
  const log = Object.assign(write, { trace: () => {} });
  const bridge = await startBridge({ command, port: 0, log, ...options });
  opened.push(bridge);
  const connect = async () => {
    const socket = createConnection({ port: bridge.port, host: "127.0.0.1" });
    socket.on("error", () => {});
    await once(socket, "connect");
    return { socket, closed: once(socket, "close"), ...lineQueue(socket) };
  };
  return { bridge, pids, logged, connect };
}

const gone = (pids: readonly number[], count: number) =>
  until(() => pids.length >= count && !pids.some(isAlive), `${count} processes have ended`);

test("[core.bridge.process] each connection is served by its own process", async () => {
  const { connect, pids } = await bridgeTo(server);
  const clients = await Promise.all([connect(), connect(), connect()]);
  const answers = await Promise.all(
    clients.map(({ socket, answerTo }) => {
      socket.write(call(1, "pid"));
      return answerTo(1);
    }),
  );

  const messages = answers.map(({ result }) => JSON.stringify(result));
  expect(new Set(messages).size).toBe(3);
  for (const pid of pids) expect(messages.join()).toContain(String(pid));
});

test("nothing is started before the first input", async () => {
  const { connect, pids, bridge } = await bridgeTo(server);
  const { socket, closed } = await connect();
  await delay(100);
  socket.end();
  await closed;
  await bridge.close();

  expect(pids).toEqual([]);
});

test("[core.bridge.framing] framing and errors are the same as on stdio", async () => {
  const { connect } = await bridgeTo([...server, "1000"]);
  const { socket, answerTo, lines } = await connect();
  socket.write("not json\n[]\n");
  socket.write(`${"x".repeat(2_000)}\n`);
  socket.write('{\n"jsonrpc":"2.0",\n"id":1,\n"method":"ping"\n}\n');
  await answerTo(1);

  expect(lines).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: 1, result: {} },
  ]);
});

test("a line may arrive in pieces, and its first piece may be incomplete", async () => {
  const { connect } = await bridgeTo(server);
  const { socket, answerTo } = await connect();
  for (const letter of request(1, "ping")) {
    socket.write(letter);
    await delay(1);
  }

  expect(await answerTo(1)).toMatchObject({ result: {} });
});

test("large messages pass unchanged in both directions", async () => {
  const { connect } = await bridgeTo(server);
  const { socket, answerTo } = await connect();
  const text = "x".repeat(8 * 1024 * 1024);
  socket.write(call(1, "echo", { text }));
  const { result } = await answerTo(1);

  expect(JSON.stringify(result).length).toBeGreaterThan(text.length);
});

test("[core.bridge.half-close] requests sent before the client's end of input are answered", async () => {
  const { connect, pids } = await bridgeTo(server);
  const { socket, closed, lines } = await connect();
  socket.end(call(1, "slow", { ms: 300 }) + request(2, "ping"));
  await closed;

  expect(lines).toMatchObject([
    { id: 2, result: {} },
    { id: 1, result: {} },
  ]);
  await gone(pids, 1);
});

const greeting = (name: string) =>
  `const socket = require("node:net").connect(Number(process.argv[1]), "127.0.0.1");
   socket.on("error", () => {}); socket.on("data", (chunk) => process.stdout.write(chunk));
   socket.on("connect", () => socket.${name});`;

test("[core.bridge.other-user] a connection from another user's process is closed, and no process is started for it", async () => {
  if (otherUser.skipReason) return showFigures(`NOT RUN: ${otherUser.skipReason}`);
  const { bridge, pids, logged } = await bridgeTo(server);
  const { uid } = otherUser;
  for (const action of [
    `write(${JSON.stringify(call(1, "pid"))})`,
    `end(${JSON.stringify(call(1, "pid"))})`,
    'end("{")',
    'write("x".repeat(43) + "\\n{}\\n")',
  ]) {
    const child = spawn(process.execPath, ["-e", greeting(action), String(bridge.port)], {
      uid,
      gid: uid,
      cwd: "/",
      env: {},
    });
    const output = await text(child.stdout);
    expect([action, JSON.parse(output)]).toEqual([
      action,
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: expect.stringContaining("--allow-user") },
      },
    ]);
  }
  expect(pids).toEqual([]);
  expect(logged.join()).toContain("another user");
});

test("[core.loopback.unidentified] if users cannot be identified, startup shows the home's secret first", async () => {
  const secret = "S".repeat(43);
  const blind: Admission = {
    rule: "secret",
    allowedUsers: [],
    classify: async () => ({ kind: "stranger", name: "127.0.0.1" }),
  };
  const { connect, pids } = await bridgeTo(server, { admission: blind, secret });
  const pieces = await connect();
  for (const piece of [secret.slice(0, 20), secret.slice(20), "\n", request(1, "ping")]) {
    pieces.socket.write(piece);
    await delay(20);
  }
  expect(await pieces.answerTo(1)).toMatchObject({ result: {} });
  const whole = await connect();
  whole.socket.end(`${secret}\r\n${request(1, "ping")}`);
  expect(await whole.answerTo(1)).toMatchObject({ result: {} });
  const started = pids.length;
  for (const wrong of [`${"T".repeat(43)}\n`, secret, request(1, "ping"), `${secret}x\n`]) {
    const { socket, closed, lines } = await connect();
    socket.end(wrong);
    await closed;
    expect([wrong, lines]).toMatchObject([wrong, [{ id: null, error: { code: -32600 } }]]);
  }
  expect(pids.length).toBe(started);
});

test("a short incomplete input is answered by the server", async () => {
  const { connect } = await bridgeTo(server);
  const { socket, closed, lines } = await connect();
  socket.end("GET");
  await closed;

  expect(lines).toMatchObject([{ id: null, error: { code: -32700 } }]);
});

test("[core.bridge.http] a connection that starts like HTTP or TLS is closed without running anything", async () => {
  const { connect, pids } = await bridgeTo(server);
  const body = call(1, "echo");
  const openings = [
    `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    "GET / HTTP/1.1\r\n\r\n",
    Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05]),
  ];
  for (const opening of openings) {
    const { socket, closed, lines } = await connect();
    socket.write(opening);
    await closed;
    expect(lines).toMatchObject([{ id: null, error: { code: -32700 } }]);
  }

  expect(pids).toEqual([]);
});

test("[core.bridge.limit] a connection over the limit is refused with a message, and accepted after another ends", async () => {
  const { connect, pids } = await bridgeTo(server, { maxConnections: 2 });
  const [first, second] = await Promise.all([connect(), connect()]);
  for (const client of [first, second]) {
    client?.socket.write(request(1, "ping"));
    await client?.answerTo(1);
  }
  const third = await connect();
  await third.closed;
  expect(third.lines).toMatchObject([
    { id: null, error: { code: -32603, message: expect.stringMatching(/limit is 2/) } },
  ]);

  first?.socket.destroy();
  await expect.poll(() => pids.filter(isAlive)).toHaveLength(1);
  const fourth = await connect();
  fourth.socket.write(request(1, "ping"));
  expect(await fourth.answerTo(1)).toMatchObject({ result: {} });
});

test("[core.bridge.silent-client] a silent client is disconnected to make room for a new one", async () => {
  const { connect, pids } = await bridgeTo(server, { maxConnections: 2 });
  const spoken = await connect();
  spoken.socket.write(request(1, "ping"));
  await spoken.answerTo(1);
  const silent = await connect();
  const third = await connect();
  await silent.closed;
  third.socket.write(request(1, "ping"));
  expect(await third.answerTo(1)).toMatchObject({ result: {} });
  spoken.socket.write(request(2, "ping"));
  expect(await spoken.answerTo(2)).toMatchObject({ result: {} });

  expect(pids).toHaveLength(2);
});

test("[core.bridge.idle] an idle connection is closed, and its process ends", async () => {
  const { connect, pids } = await bridgeTo(server, { idleMs: 5_000 });
  const silent = await connect();
  const spoken = await connect();
  spoken.socket.write(request(1, "ping"));
  await spoken.answerTo(1);
  await Promise.all([silent.closed, spoken.closed]);

  await gone(pids, 1);
});

test("[core.bridge.no-orphan] broken connections leave no process behind", async () => {
  const { connect, pids } = await bridgeTo(server);
  const leave: ((socket: Socket) => void)[] = [
    (socket) => socket.destroy(),
    (socket) => socket.resetAndDestroy(),
  ];
  const clients = await Promise.all(Array.from({ length: 24 }, connect));
  await Promise.all(
    clients.map(async ({ socket, answerTo }, index) => {
      socket.write(call(1, "slow", { ms: 1_000 }) + request(2, "ping"));
      // Some disconnect while their server starts, some while it works.
      if (index % 3 > 0) await answerTo(2);
      leave[index % 2]?.(socket);
    }),
  );

  await gone(pids, 16);
  await delay(500);
  await gone(pids, 16);
});

test("[core.bridge.no-orphan] a reset ends a running process", async () => {
  const { connect, pids } = await bridgeTo(server);
  const { socket, answerTo } = await connect();
  socket.write(call(1, "slow", { ms: 60_000 }) + request(2, "ping"));
  await answerTo(2);
  socket.resetAndDestroy();

  await gone(pids, 1);
});

test("[core.bridge.no-orphan] a process that ignores everything is killed", async () => {
  const { connect, pids } = await bridgeTo(stubborn, { drainMs: 200 });
  const { socket, next } = await connect();
  socket.write("{");
  await next((line) => line.method === "notifications/stubborn");
  socket.end();

  await gone(pids, 1);
});

test("[core.bridge.no-orphan] closing the bridge ends every process, even unresponsive ones", async () => {
  for (const command of [server, stubborn]) {
    const { connect, pids, bridge } = await bridgeTo(command);
    const clients = await Promise.all([connect(), connect(), connect()]);
    for (const { socket } of clients) socket.write(request(1, "ping"));
    await until(() => pids.length === 3, "three servers were started");
    await bridge.close();

    expect(pids.filter(isAlive)).toEqual([]);
    await Promise.all(clients.map(({ closed }) => closed));
  }
});

test("[core.bridge.process-ends] when the process ends, its remaining output is delivered and the socket is closed", async () => {
  const { connect } = await bridgeTo(server);
  const { socket, closed, lines } = await connect();
  socket.write(call(1, "slow", { ms: 200 }) + request(2, "shutdown"));
  await closed;

  expect(lines).toMatchObject([
    { id: 2, result: {} },
    { id: 1, result: {} },
  ]);
});

test("a process that cannot be started fails only its own connection", async () => {
  const { connect } = await bridgeTo(["lectern-is-not-installed-under-this-name"]);
  for (let count = 0; count < 2; count++) {
    const { socket, closed, lines } = await connect();
    socket.write(request(1, "ping"));
    await closed;
    expect(lines).toMatchObject([{ id: null, error: { code: -32603 } }]);
    expect(JSON.stringify(lines)).not.toContain("lectern-is-not");
  }
});

test("a process's stderr is logged with its connection number", async () => {
  const { connect, logged } = await bridgeTo(server);
  const { socket, answerTo } = await connect();
  socket.write(call(1, "print"));
  await answerTo(1);

  await until(
    () => logged.some((line) => line === 'printed by console.log {"connection":1}'),
    "the line was logged",
  );
});

test("[core.bridge.loopback] only clients on this machine are served", async () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.5", "example.org", ""]) {
    await expect(bridgeTo(server, { host })).rejects.toMatchObject({ kind: "invalid" });
  }
  const { bridge } = await bridgeTo(server, { host: "localhost" });
  expect(bridge.address).toMatch(/^(127\.0\.0\.1|\[::1\]):\d+$/);
});

test("a port in use is named", async () => {
  const { bridge } = await bridgeTo(server);
  const { port } = bridge;

  await expect(bridgeTo(server, { port })).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining(String(port)),
  });
});
