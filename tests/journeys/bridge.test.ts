import { once } from "node:events";
import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { isAlive, startProcess, until } from "../programs/process.ts";
import { call, lineQueue, request } from "../programs/wire.ts";
import { freshHome, lectern, runProgram } from "./program.ts";

/** `lectern bridge` on a free port, with the numbers of its children read from its log. */
async function startBridge(words: readonly string[] = [], env: Record<string, string> = {}) {
  const command = [...lectern, "bridge", "--port", "0", "--log-level", "debug", ...words];
  const { child, said, ended } = startProcess(command, { LECTERN_HOME: freshHome(), ...env });
  const heard = () => /listens on 127\.0\.0\.1:(\d+)/.exec(said.stderr)?.[1];
  await until(() => heard() !== undefined, "the bridge listens");
  const connect = async () => {
    const socket = createConnection({ port: Number(heard()), host: "127.0.0.1" });
    socket.on("error", () => {});
    await once(socket, "connect");
    return { socket, closed: once(socket, "close"), ...lineQueue(socket) };
  };
  const pids = () => [...said.stderr.matchAll(/\bpid=(\d+)/g)].map(([, pid]) => Number(pid));
  const stop = async () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { connect, pids, stop };
}

test("[house.bridge.program] clients over TCP are served, each by its own process, and none is left", async () => {
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

test("[house.bridge.http] a browser's request is answered -32700 and nothing runs", async () => {
  const { connect, pids, stop } = await startBridge();
  const { socket, closed, lines } = await connect();
  const body = call(1, "status");
  socket.write(`POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await closed;

  expect(lines).toMatchObject([{ id: null, error: { code: -32700 } }]);
  expect(pids()).toEqual([]);
  await stop();
});

test("[house.bridge.limit] the number of clients is bounded", async () => {
  const { connect, stop } = await startBridge(["--max-connections", "2"]);
  for (const { socket, answerTo } of await Promise.all([connect(), connect()])) {
    socket.write(request(1, "ping"));
    await answerTo(1);
  }
  const { closed, lines } = await connect();
  await closed;

  expect(lines).toMatchObject([{ error: { message: expect.stringMatching(/at most 2/) } }]);
  await stop();
});

test("[house.bridge.loopback] another host than this machine is refused", async () => {
  const command = [...lectern, "bridge", "--host", "0.0.0.0"];
  const { said, ended } = startProcess(command, { LECTERN_HOME: freshHome() });

  expect(await ended).toEqual({ code: 2, signal: null });
  expect(said.stderr).toContain("0.0.0.0");
});

const parseError = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };

test("[qualitative.trust.untrusted] whoever connects to the bridge is trusted with no answer, though the bridge was given a key", async () => {
  const home = freshHome();
  const shell = async (...words: string[]) => {
    const { code, stdout, stderr } = await runProgram(words, { home });
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
