import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { builtProgram } from "../../../../tests/programs/build.ts";
import { isAlive, startProcess, until } from "../../../../tests/programs/process.ts";
import { call, request } from "../../../../tests/programs/wire.ts";

const program = await builtProgram("line-server");
const start = (...words: string[]) => startProcess([process.execPath, program, ...words]);

const mebibyte = 1024 * 1024;

test("[core.stdio.drain] at the end of input a running call is answered, then the process exits with 0", async () => {
  const { child, ended, lines } = start();
  child.stdin.end(call(1, "slow", { ms: 400 }));

  expect(await ended).toEqual({ code: 0, signal: null });
  expect(lines).toMatchObject([{ id: 1, result: { content: [{ text: "done" }] } }]);
});

test("[core.stdio.shutdown] shutdown exits with 0 although input is open", async () => {
  const { child, ended, lines } = start();
  child.stdin.write(call(1, "slow", { ms: 300 }) + request(2, "shutdown"));

  expect(await ended).toEqual({ code: 0, signal: null });
  expect(lines).toMatchObject([
    { id: 2, result: {} },
    { id: 1, result: {} },
  ]);
});

test("[core.stdio.clean-stdout] output printed by a library goes to stderr", async () => {
  const { child, ended, lines, output } = start();
  child.stdin.end(call(1, "print"));
  await ended;

  expect(lines).toMatchObject([{ id: 1 }]);
  expect(output.stderr).toContain("printed by console.log");
  expect(output.stderr).toContain("printed by process.stdout");
});

test("[core.stdio.signals] a signal cancels the running call and exits with 0", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const { child, ended, answerTo } = start();
    child.stdin.write(call(1, "slow", { ms: 60_000 }) + request(2, "ping"));
    await answerTo(2);
    child.kill(signal);

    expect([signal, await ended]).toEqual([signal, { code: 0, signal: null }]);
  }
});

test("[core.stdio.signals] a signal ends the process even if its output is not read", async () => {
  const { child, ended, answerTo } = start();
  child.stdin.write(request(1, "ping"));
  await answerTo(1);
  child.stdout.pause();
  for (let id = 2; id < 12; id++)
    child.stdin.write(call(id, "echo", { text: "x".repeat(mebibyte) }));
  await delay(300);
  child.kill("SIGTERM");
  const exit = once(child, "exit");
  expect((await exit)[0]).toBe(0);
  child.stdout.resume();
  await ended;
});

test("[core.stdio.broken-pipe] a client that stops reading ends the process silently", async () => {
  const { child, ended, output, answerTo } = start();
  child.stdin.write(request(1, "ping"));
  await answerTo(1);
  child.stdout.destroy();
  child.stdin.write(call(2, "echo", { text: "x" }) + call(3, "slow", { ms: 60_000 }));

  expect(await ended).toEqual({ code: 0, signal: null });
  expect(output.stderr).not.toMatch(/EPIPE|Error/);
});

test("[core.stdio.orphan] a server whose parent was killed exits", async () => {
  const parent = spawn(
    process.execPath,
    [
      "--eval",
      `const { spawn } = require("node:child_process");
       const child = spawn(process.execPath, process.argv.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
       child.stdout.once("data", () => process.stdout.write(String(child.pid)));
       child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\\n');`,
      program,
    ],
    { stdio: ["pipe", "pipe", "ignore"] },
  );
  const [pid] = await once(parent.stdout, "data");
  expect(isAlive(Number(pid))).toBe(true);
  parent.kill("SIGKILL");

  await until(() => !isAlive(Number(pid)), "the orphan has ended");
});

test("[core.stdio.multi-line] a multi-line message is answered even if the process was busy", async () => {
  const { child, ended, answerTo, lines } = start();
  child.stdin.write(request(1, "ping"));
  await answerTo(1);
  const [first, rest] = ['{"jsonrpc":"2.0",\n', '"id":3,\n"method":"ping"}\n'];
  child.stdin.write(call(2, "block", { after: 100, ms: 700 }));
  child.stdin.write(first);
  await delay(200);
  child.stdin.write(rest);
  await answerTo(3);

  expect(lines).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, result: {} }]);
  child.stdin.end();
  await ended;
});

test("[core.stdio.multi-line] an unfinished message is answered -32700 after 250 ms", async () => {
  const { child, ended, next, lines } = start();
  child.stdin.write('{"jsonrpc":"2.0",\n');
  await next((line) => line.error?.code === -32700);
  child.stdin.end();
  await ended;

  expect(lines).toHaveLength(1);
});

test("[core.stdio.limit] 64 MiB plus one byte is refused within bounded memory, 64 MiB is served", async () => {
  const { child, ended, answerTo, lines, next } = start();
  const memory = async (id: string) => {
    child.stdin.write(call(id, "memory"));
    const { result } = await answerTo(id);
    const [block] = (result?.content ?? []) as { text: string }[];
    return Number(block?.text);
  };
  const before = await memory("before");
  await pipeline(letters(64 * mebibyte + 1), child.stdin, { end: false });
  child.stdin.write("\n");
  await next((line) => line.error?.code === -32600);
  await pipeline(letters(300 * mebibyte), child.stdin, { end: false });
  child.stdin.write("\n");
  const after = await memory("after");

  expect(lines.filter((line) => line.error)).toMatchObject([
    { id: null, error: { code: -32600, message: expect.stringMatching(/67108864 bytes/) } },
    { id: null, error: { code: -32600 } },
  ]);
  // The buffered line, and chunks that are not garbage-collected yet.
  expect((after - before) / mebibyte).toBeLessThan(64 + 96);

  const line = request(7, "ping", { text: "" }).trimEnd();
  const padding = "x".repeat(64 * mebibyte - line.length);
  child.stdin.end(`${line.replace('"text":""', `"text":"${padding}"`)}\n`);
  expect(await answerTo(7)).toMatchObject({ result: {} });
  expect(await ended).toEqual({ code: 0, signal: null });
});

test("[core.stdio.limit] sixty million open brackets are refused and the next line is served", async () => {
  const { child, ended, answerTo, lines } = start();
  child.stdin.write("[".repeat(60 * mebibyte));
  child.stdin.write(`\n${call(1, "memory")}`);
  const { result } = await answerTo(1);
  const [block] = (result?.content ?? []) as { text: string }[];

  expect(lines[0]).toMatchObject({ id: null, error: { code: -32700 } });
  expect(Number(block?.text) / mebibyte).toBeLessThan(800);
  child.stdin.end();
  await ended;
});

function letters(count: number): Readable {
  const page = Buffer.alloc(mebibyte, "x");
  return Readable.from(
    (function* () {
      for (let left = count; left > 0; left -= page.length) yield page.subarray(0, left);
    })(),
  );
}
