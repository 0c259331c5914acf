import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createCatalogue } from "../../../src/kernel/operations/catalogue.ts";
import { shelves } from "../../../src/shelves.ts";
import { argsFor } from "../../contract/surface-clients.ts";
import { typed } from "../../programs/typed-command.ts";
import {
  builtFile,
  type Ended,
  freshHome,
  lectern,
  runProgram,
  type Served,
  sample,
  startServer,
} from "../program.ts";

const home = freshHome();
/** Whoever asks a server needs no home of its own. */
const elsewhere = freshHome();
let served: Served;
let port: string;

beforeAll(async () => {
  for (const name of ["handbook", "notes"]) {
    const added = await runProgram(["collection", "add", join(sample, name)], { home });
    expect(added.code, added.stderr).toBe(0);
  }
  served = await startServer(home, ["--root", sample]);
  port = new URL(served.url).port;
});

afterAll(async () => {
  await served.stop();
  for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

/**
 * Both begin in the library of the examples. A server is given the whole path of what was typed; how
 * long a call took, and when, is not compared.
 */
const comparable = async (ended: Promise<Ended>) => {
  const { stdout, ...rest } = await ended;
  const times = /(?<="executionTime"+:)\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  const asTyped = stdout.replaceAll(`${sample}/`, "").replaceAll(sample, ".");
  return { ...rest, stdout: asTyped.replaceAll(times, "…") };
};
/** Hundreds of commands are compared, so these have no process of their own. */
const here = (...words: string[]) => comparable(typed(words, { home, cwd: sample }));
const there = (...words: string[]) =>
  comparable(
    typed([...words, "--mode", "server", "--port", port], { home: elsewhere, cwd: sample }),
  );

const reading = createCatalogue(shelves).entries.flatMap(({ operation }) => {
  const { expose, example, effect } = operation;
  if (effect !== "reads" || !expose.cli || !expose.http) return [];
  // Of several spellings, the first.
  return [argsFor(expose.cli.replace(/\|[^\s<[]+/g, ""), example)];
});

test.each(reading.map((words) => [words.join(" "), words] as const))(
  "[search.cli.server-mode] '%s' prints the same by a server, byte by byte",
  { timeout: 30_000 },
  async (_line, words) => {
    for (const form of [[], ["--json"], ["--csv"]]) {
      const { stdout, ...ended } = await here(...words, ...form);
      // A route tells a failure in words and by its kind; the code within its JSON stays behind.
      const isFailure = form[0] === "--json" && stdout.startsWith('{"error":{"code":');
      expect(await there(...words, ...form)).toEqual({
        ...ended,
        stdout: isFailure ? expect.stringContaining('{"error":{"code":') : stdout,
      });
    }
  },
);

test("[search.cli.server-mode] errors have the same text and the same exit code", async () => {
  for (const words of [
    ["get", "handbook/welcom.md"],
    ["collection", "show", "nots"],
    ["search", "x", "-c", "nots"],
    ["multi-get", "nothing/*.md"],
  ]) {
    const ended = await there(...words);
    expect(ended.code).toBe(3);
    expect(ended).toEqual(await here(...words));
  }
});

test("[search.cli.server-mode] changes are made by the server", async () => {
  const folder = join(elsewhere, "papers");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a letter.md"), "# Letter\n\nA zeppelin.\n");
  expect(await there("collection", "add", folder)).toMatchObject({
    code: 0,
    stdout: "Added collection 'papers' with 1 document\n",
  });
  expect((await here("search", "zeppelin")).stdout).toContain("papers/a letter.md");
  expect(await there("context", "add", "papers", "Old", "letters")).toMatchObject({ code: 0 });
  expect((await there("search", "zeppelin", "--files")).stdout).toMatch(
    /^#[0-9a-f]{6},[\d.]+,qmd:\/\/papers\/a%20letter\.md,"Old letters"\n$/,
  );
  expect(await there("collection", "rename", "papers", "old papers")).toMatchObject({ code: 0 });
  expect(await there("collection", "remove", "old papers")).toMatchObject({ code: 0 });
  expect((await here("collection", "list")).stdout).not.toContain("papers");
});

test("[search.cli.server-mode] nothing is opened locally", async () => {
  expect((await there("search", "borrowing")).stdout).toContain("handbook/lending.md");
  expect(readdirSync(elsewhere).filter((name) => name.includes("sqlite"))).toEqual([]);
});

test("[search.cli.server-mode] 'qmd search --mode server' uses the server too, and a person decides locally", async () => {
  const words = ["search", "borrowing", "--mode", "server", "--port", port, "--json"];
  const { stdout } = await runProgram(words, { home: elsewhere, file: builtFile("qmd.js") });
  expect(JSON.parse(stdout)).toMatchObject([{ file: "handbook/lending.md" }]);
  expect(await there("undo", "1")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'undo' does not accept --mode"),
  });
});

test("[search.cli.server-mode] a required token is read from LECTERN_TOKEN", async () => {
  const token = "a-long-enough-token";
  const guarded = await startServer(home, [], { LECTERN_TOKEN: token });
  onTestFinished(async () => {
    await guarded.stop();
  });
  const words = ["status", "--mode", "server", "--port", new URL(guarded.url).port];
  const ask = (env: Record<string, string>) => runProgram(words, { home: elsewhere, env });
  for (const wrong of ["", "another-long-token"]) {
    expect(await ask({ LECTERN_TOKEN: wrong })).toMatchObject({
      code: 5,
      stdout: "",
      stderr: expect.stringContaining("LECTERN_TOKEN"),
    });
  }
  expect(await ask({ LECTERN_TOKEN: "short" })).toMatchObject({ code: 2 });
  expect(await ask({ LECTERN_TOKEN: token })).toMatchObject({ code: 0 });
});

test("[search.cli.no-server] if nothing answers, the exit code is 7 and the message says how to start a server", async () => {
  const free = await listening(() => {});
  await free.close();
  const ask = (...words: string[]) =>
    runProgram(["search", "x", "--mode", "server", "--port", free.port, ...words], {
      home: elsewhere,
    });
  expect(await ask()).toEqual({
    code: 7,
    stdout: "",
    stderr: `error: No server responds on port ${free.port}.\n  Start one with 'lectern serve --port ${free.port}', or omit --mode server.\n`,
  });
  expect(JSON.parse((await ask("--json")).stdout)).toMatchObject({ error: { code: "no-server" } });
});

test("[search.cli.no-server] another program on the port is distinguished from ours", async () => {
  for (const [status, body] of [
    [200, "<html>"],
    [200, '{"results":"none"}'],
    [404, "Not found"],
    [302, ""],
  ] as const) {
    const other = await listening((_request, response) => {
      response.writeHead(status).end(body);
    });
    const words = ["search", "x", "--mode", "server", "--port", other.port];
    expect(await runProgram(words, { home: elsewhere })).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("Another program is listening on port"),
    });
    await other.close();
  }
});

test("[search.cli.server-mode] Ctrl+C stops waiting for a slow server", async () => {
  let received = () => {};
  const isAsked = new Promise<void>((resolve) => {
    received = resolve;
  });
  const slow = await listening(() => received());
  const [program = "", ...first] = lectern;
  const child = spawn(program, [...first, "search", "x", "--mode", "server", "--port", slow.port], {
    env: { ...process.env, LECTERN_HOME: elsewhere },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await isAsked;
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  await slow.close();
});

/** Some other HTTP server on a free port. */
async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with one.
  const { port: number } = server.address() as AddressInfo;
  return {
    port: String(number),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
