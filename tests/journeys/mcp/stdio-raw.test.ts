import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonCases } from "../../fixtures/inputs/json-cases.ts";
import { jsonShapes } from "../../fixtures/inputs/json-shapes.ts";
import { startProcess } from "../../programs/process.ts";
import { call, request } from "../../programs/wire.ts";
import { freshHome, lectern } from "../program.ts";

const start = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  startProcess([...lectern, "mcp", ...args], { LECTERN_HOME: freshHome(), ...env });

/** The program's answers to a text on its stdin, and its exit code. */
async function answersTo(text: string, args: readonly string[] = []) {
  const { child, ended, lines, output } = start(args);
  child.stdin.end(text);
  return { ended: await ended, lines, stderr: output.stderr };
}

const clean = { code: 0, signal: null };
const { source: caseSource, cases } = jsonCases();
const { source: shapeSource, shapes } = jsonShapes();

test("[core.stdio.program] each kind of line is answered as specified", async () => {
  const check = async (text: string, expected: object[]) => {
    const { ended, lines } = await answersTo(text);
    expect([text, lines, ended]).toMatchObject([text, expected, clean]);
    expect(lines).toHaveLength(expected.length);
  };

  await check("not json\n", [{ id: null, error: { code: -32700 } }]);
  await check('{"jsonrpc":"2.0","id":7}\n', [{ id: 7, error: { code: -32600 } }]);
  await check(`[${request(1, "ping").trim()}]\n`, [{ id: null, error: { code: -32600 } }]);
  await check(request(1, "initialize", {}), [{ id: 1, result: { protocolVersion: "2025-11-25" } }]);
  await check(request(1, "nope"), [{ id: 1, error: { code: -32601 } }]);
  await check(request(1, "shutdown"), [{ id: 1, result: {} }]);
  await check(request(1, "initialized"), [{ id: 1, result: {} }]);
  await check("\n\r\n  \n", []);
  await check("{bad\n", [{ id: null, error: { code: -32700 } }]);
});

test("[core.stdio.program] a hand-written request over several lines is answered after the end of input", async () => {
  const pretty = JSON.stringify(
    { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    null,
    2,
  );
  const { ended, lines } = await answersTo(`${pretty}\n`);

  expect(lines).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
  expect(ended).toEqual(clean);
});

test("[core.stdio.program] a single call without a handshake is answered", async () => {
  const { ended, lines } = await answersTo(call(1, "status"));

  expect(lines).toMatchObject([{ id: 1, result: { content: expect.any(Array) } }]);
  expect(ended).toEqual(clean);
});

test("[core.stdio.program] shutdown exits with 0 although stdin is open", async () => {
  const { child, ended, lines } = start();
  child.stdin.write(request(1, "initialize", {}) + request(2, "shutdown"));

  expect(await ended).toEqual(clean);
  expect(lines).toMatchObject([
    { id: expect.any(Number), result: {} },
    { id: expect.any(Number), result: {} },
  ]);
});

test("[core.stdio.program] signals and a closed client exit with 0", async () => {
  for (const how of ["SIGINT", "SIGTERM", "close"] as const) {
    const { child, ended, answerTo } = start();
    child.stdin.write(request(1, "initialize", {}));
    await answerTo(1);
    if (how === "close") child.stdin.end();
    else child.kill(how);

    expect([how, await ended]).toEqual([how, clean]);
  }
});

test("[core.stdio.program] stdout has only messages, whatever is logged", async () => {
  for (const args of [[], ["--log-level", "debug"], ["--read-only"]]) {
    const { child, ended, lines, output } = start(args, { DEBUG: "mcp:*,lectern:*" });
    child.stdin.end(request(1, "initialize", {}) + call(2, "status") + request(3, "tools/list"));
    await ended;
    // The queue parses each line, so any other output would have failed.
    expect(lines.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(output.stderr).toContain('"method":"tools/list"');
  }
});

test("[core.stdio.strict-ids] --strict-ids omits an id that could not be read", async () => {
  const { lines } = await answersTo("not json\n", ["--strict-ids"]);

  expect(lines).toEqual([{ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } }]);
});

test("[core.stdio.no-listener] no port is opened", async () => {
  const { child, ended, answerTo } = start();
  child.stdin.write(request(1, "initialize", {}) + call(2, "status"));
  await answerTo(2);

  expect(listeningSockets(Number(child.pid))).toEqual([]);
  child.stdin.end();
  await ended;
});

test(`[core.stdio.hostile] after ${caseSource} in sequence, the program still answers`, async () => {
  const { child, ended, answerTo, lines } = start();
  for (const [index, { bytes }] of cases.entries()) {
    child.stdin.write(bytes);
    child.stdin.write(`\n${request(`after ${index}`, "ping")}`);
    await answerTo(`after ${index}`);
  }
  child.stdin.end();

  expect(await ended).toEqual(clean);
  for (const line of lines) expect(line).toHaveProperty("id");
  const codes = new Set(lines.map(({ error }) => error?.code ?? 0));
  expect([...codes].sort((a, b) => a - b)).toEqual([-32700, -32600, 0]);
});

test(`[core.stdio.hostile] after the large lines of ${shapeSource}, the program still answers`, async () => {
  const { child, ended, answerTo } = start();
  for (const { id, text } of shapes) {
    child.stdin.write(`${text}\n${request(`after ${id}`, "ping")}`);
    expect([id, await answerTo(`after ${id}`)]).toMatchObject([id, { result: {} }]);
  }
  child.stdin.end();

  expect(await ended).toEqual(clean);
});

/** The listening sockets of a process, on Linux. */
function listeningSockets(pid: number): string[] {
  if (process.platform !== "linux") return [];
  const folder = `/proc/${pid}/fd`;
  const sockets = new Set(readdirSync(folder).map((name) => linkAt(`${folder}/${name}`)));
  return ["tcp", "tcp6", "udp", "udp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, , , state, , , , , , inode]) => state !== "01" && sockets.has(`socket:[${inode}]`),
      )
      .map(([, address]) => `${kind} ${address}`),
  );
}

/** The target of a link; undefined if the file descriptor was closed meanwhile. */
function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
