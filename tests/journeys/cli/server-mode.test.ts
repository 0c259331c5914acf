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
import { runCommand } from "../../programs/typed-command.ts";
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
/** A command in server mode does not use its own home. */
const emptyHome = freshHome();
let server: Served;
let port: string;

beforeAll(async () => {
  for (const name of ["handbook", "notes"]) {
    const added = await runProgram(["collection", "add", join(sample, name)], { home });
    expect(added.code, added.stderr).toBe(0);
  }
  server = await startServer(home, ["--root", sample]);
  port = new URL(server.url).port;
});

afterAll(async () => {
  await server.stop();
  for (const folder of [home, emptyHome]) rmSync(folder, { recursive: true, force: true });
});

/**
 * Removes times and durations from an output. Both commands start in the sample folder; a server
 * gets absolute paths.
 */
const comparable = async (ended: Promise<Ended>) => {
  const { stdout, ...rest } = await ended;
  const times = /(?<="executionTime"+:)\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  const asTyped = stdout.replaceAll(`${sample}/`, "").replaceAll(sample, ".");
  return { ...rest, stdout: asTyped.replaceAll(times, "…") };
};
/** Runs commands in this process, since hundreds of them are compared. */
const runLocally = (...args: string[]) => comparable(runCommand(args, { home, cwd: sample }));
const runOnServer = (...args: string[]) =>
  comparable(
    runCommand([...args, "--mode", "server", "--port", port], { home: emptyHome, cwd: sample }),
  );

const readingCommands = createCatalogue(shelves).entries.flatMap(({ operation }) => {
  const { expose, example, effect } = operation;
  if (effect !== "reads" || !expose.cli || !expose.http) return [];
  // The first of several aliases.
  return [argsFor(expose.cli.replace(/\|[^\s<[]+/g, ""), example)];
});

test.each(readingCommands.map((args) => [args.join(" "), args] as const))(
  "[search.cli.server-mode] '%s' prints exactly the same with a server",
  async (_line, args) => {
    for (const format of [[], ["--json"], ["--csv"]]) {
      const { stdout, ...ended } = await runLocally(...args, ...format);
      // A REST error has a message and a status, but not the code of the JSON output.
      const isFailure = format[0] === "--json" && stdout.startsWith('{"error":{"code":');
      expect(await runOnServer(...args, ...format)).toEqual({
        ...ended,
        stdout: isFailure ? expect.stringContaining('{"error":{"code":') : stdout,
      });
    }
  },
);

test("[search.cli.server-mode] errors have the same text and the same exit code", async () => {
  for (const args of [
    ["get", "handbook/welcom.md"],
    ["collection", "show", "nots"],
    ["search", "x", "-c", "nots"],
    ["multi-get", "nothing/*.md"],
  ]) {
    const ended = await runOnServer(...args);
    expect(ended.code).toBe(3);
    expect(ended).toEqual(await runLocally(...args));
  }
});

test("[search.cli.server-mode] changes are made by the server", async () => {
  const folder = join(emptyHome, "papers");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a letter.md"), "# Letter\n\nA zeppelin.\n");
  expect(await runOnServer("collection", "add", folder)).toMatchObject({
    code: 0,
    stdout: "Added collection 'papers' with 1 document\n",
  });
  expect((await runLocally("search", "zeppelin")).stdout).toContain("papers/a letter.md");
  expect(await runOnServer("context", "add", "papers", "Old", "letters")).toMatchObject({
    code: 0,
  });
  expect((await runOnServer("search", "zeppelin", "--files")).stdout).toMatch(
    /^#[0-9a-f]{6},[\d.]+,qmd:\/\/papers\/a%20letter\.md,"Old letters"\n$/,
  );
  expect(await runOnServer("collection", "rename", "papers", "old papers")).toMatchObject({
    code: 0,
  });
  expect(await runOnServer("collection", "remove", "old papers")).toMatchObject({ code: 0 });
  expect((await runLocally("collection", "list")).stdout).not.toContain("papers");
});

test("[search.cli.server-mode] nothing is opened locally", async () => {
  expect((await runOnServer("search", "borrowing")).stdout).toContain("handbook/lending.md");
  expect(readdirSync(emptyHome).filter((name) => name.includes("sqlite"))).toEqual([]);
});

test("[search.cli.server-mode] 'qmd search --mode server' uses the server too, and decisions are made locally", async () => {
  const args = ["search", "borrowing", "--mode", "server", "--port", port, "--json"];
  const { stdout } = await runProgram(args, { home: emptyHome, file: builtFile("qmd.js") });
  expect(JSON.parse(stdout)).toMatchObject([{ file: "handbook/lending.md" }]);
  expect(await runOnServer("undo", "1")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'undo' does not accept --mode"),
  });
});

test("[search.cli.server-mode] a required token is read from LECTERN_TOKEN", async () => {
  const token = "a-long-enough-token";
  const tokenServer = await startServer(home, [], { LECTERN_TOKEN: token });
  onTestFinished(async () => {
    await tokenServer.stop();
  });
  const args = ["status", "--mode", "server", "--port", new URL(tokenServer.url).port];
  const ask = (env: Record<string, string>) => runProgram(args, { home: emptyHome, env });
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
  const free = await startHttpServer(() => {});
  await free.close();
  const ask = (...args: string[]) =>
    runProgram(["search", "x", "--mode", "server", "--port", free.port, ...args], {
      home: emptyHome,
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
    const other = await startHttpServer((_request, response) => {
      response.writeHead(status).end(body);
    });
    const args = ["search", "x", "--mode", "server", "--port", other.port];
    expect(await runProgram(args, { home: emptyHome })).toMatchObject({
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
  const slow = await startHttpServer(() => received());
  const [program = "", ...nodeArgs] = lectern;
  const child = spawn(
    program,
    [...nodeArgs, "search", "x", "--mode", "server", "--port", slow.port],
    {
      env: { ...process.env, LECTERN_HOME: emptyHome },
      stdio: "ignore",
    },
  );
  const ended = once(child, "exit");
  await isAsked;
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  await slow.close();
});

/** Starts another HTTP server on a free port. */
async function startHttpServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a listening server contains its port.
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
