import { execFile } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { otherUser } from "../../fixtures/other-user.ts";
import { isAlive, startProcess, until } from "../../programs/process.ts";
import { call, lineQueue, request } from "../../programs/wire.ts";
import { showFigures } from "../figures.ts";
import { freshHome, lectern, runProgram } from "../program.ts";

const run = promisify(execFile);

/**
 * Starts `lectern bridge` on a free port, and reads the ids of its child processes from its log.
 */
async function startBridge(args: readonly string[] = [], env: Record<string, string> = {}) {
  const command = [...lectern, "bridge", "--port", "0", "--log-level", "debug", ...args];
  const { child, output, ended } = startProcess(command, { LECTERN_HOME: freshHome(), ...env });
  const portInLog = () => /listens on 127\.0\.0\.1:(\d+)/.exec(output.stderr)?.[1];
  await until(() => portInLog() !== undefined, "the bridge listens");
  const connect = async () => {
    const socket = createConnection({ port: Number(portInLog()), host: "127.0.0.1" });
    socket.on("error", () => {});
    await once(socket, "connect");
    return { socket, closed: once(socket, "close"), ...lineQueue(socket) };
  };
  const pids = () => [...output.stderr.matchAll(/\bpid=(\d+)/g)].map(([, pid]) => Number(pid));
  const stop = async () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { connect, pids, stop, output, port: () => Number(portInLog()) };
}

test("[core.bridge.program] TCP clients are served, each by its own process, and no process remains", async () => {
  const { connect, pids, stop } = await startBridge();
  const clients = await Promise.all([connect(), connect(), connect()]);
  await Promise.all(
    clients.map(async ({ socket, answerTo }) => {
      socket.write(request(1, "initialize", {}));
      expect(await answerTo(1)).toMatchObject({ result: { serverInfo: { name: "lectern" } } });
      socket.write(`not json\n${call(2, "status")}`);
      expect(await answerTo(2)).toMatchObject({ result: { content: expect.any(Array) } });
    }),
  );
  for (const { lines } of clients) expect(lines).toContainEqual(parseError);
  expect(new Set(pids()).size).toBe(3);

  clients[0]?.socket.end();
  clients[1]?.socket.resetAndDestroy();
  await until(() => pids().filter(isAlive).length === 1, "only the third process is left");
  expect(await stop()).toEqual({ code: 0, signal: null });
  expect(pids().filter(isAlive)).toEqual([]);
});

/** Sends a line from a process of another user, and prints everything that it receives. */
const sendLine = `const socket = require("node:net").connect(Number(process.argv[1]), "127.0.0.1");
  socket.on("data", (chunk) => process.stdout.write(chunk));
  socket.on("connect", () => socket.end(process.argv[2]));`;

test.each([
  ["--allow-user", "your own user, root and "],
  ["--open-loopback", "every user of this machine"],
])(
  "[core.loopback.open] with %s the bridge serves another user, and prints which users it serves",
  async (flag, rule) => {
    if (otherUser.skipReason) return showFigures(`NOT RUN: ${otherUser.skipReason}`);
    const { uid } = otherUser;
    const { stdout: name } = await run("id", ["-un", String(uid)]);
    const { port, pids, output, stop } = await startBridge([
      flag,
      ...(flag === "--allow-user" ? [name.trim()] : []),
    ]);
    await until(
      () => output.stderr.includes("Loopback"),
      "the bridge prints which users it serves",
    );
    expect(output.stderr).toContain(rule);
    const { stdout } = await run(
      process.execPath,
      ["-e", sendLine, String(port()), request(1, "ping")],
      { uid, gid: uid, cwd: "/", env: {} },
    );
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(pids().length).toBeGreaterThan(0);
    await stop();
  },
);

test("[core.bridge.http] a browser's request gets error -32700 and runs nothing", async () => {
  const { connect, pids, stop } = await startBridge();
  const { socket, closed, lines } = await connect();
  const body = call(1, "status");
  socket.write(`POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await closed;

  expect(lines).toMatchObject([{ id: null, error: { code: -32700 } }]);
  expect(pids()).toEqual([]);
  await stop();
});

test("[core.bridge.limit] the number of clients is limited", async () => {
  const { connect, stop } = await startBridge(["--max-connections", "2"]);
  for (const { socket, answerTo } of await Promise.all([connect(), connect()])) {
    socket.write(request(1, "ping"));
    await answerTo(1);
  }
  const { closed, lines } = await connect();
  await closed;

  expect(lines).toMatchObject([{ error: { message: expect.stringMatching(/the limit is 2/) } }]);
  await stop();
});

test("[core.bridge.loopback] listening on another address than loopback is rejected", async () => {
  const command = [...lectern, "bridge", "--host", "0.0.0.0"];
  const { output, ended } = startProcess(command, { LECTERN_HOME: freshHome() });

  expect(await ended).toEqual({ code: 2, signal: null });
  expect(output.stderr).toContain("0.0.0.0");
});

const parseError = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };

test("[qualitative.trust.untrusted] answers over the bridge are not trusted, even if the bridge was given a key", async () => {
  const home = freshHome();
  const shell = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(args, { home });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  await shell("project", "policy", "set", "create_folder", "require");
  const trusted = await shell("project", "policy", "trust", "journey", "--json");
  const { key } = JSON.parse(trusted) as { key: string };
  const { connect, stop } = await startBridge(["--root", home], {
    LECTERN_HOME: home,
    LECTERN_CLIENT_KEY: key,
  });
  const { socket, answerTo, lines } = await connect();
  socket.write(
    request(1, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: "journey", version: "1" },
    }),
  );
  await answerTo(1);
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  socket.write(call(2, "create_project", { path: "talks.qda" }));
  expect(await answerTo(2)).toMatchObject({ result: { structuredContent: { success: true } } });
  socket.write(call(3, "create_folder", { name: "C" }));
  expect(await answerTo(3)).toMatchObject({
    result: { structuredContent: { data: { status: "pending_approval" } } },
  });
  expect(JSON.stringify(lines)).not.toContain("elicitation/create");
  socket.end();
  await stop();
});
