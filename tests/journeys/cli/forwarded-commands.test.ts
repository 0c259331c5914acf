import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type ForwardedCommand,
  forwardedNames,
  frameHeaderBytes,
  frameKinds,
} from "../../../src/commands/forwarding/forwarded-command.ts";
import { createCatalogue } from "../../../src/kernel/operations/catalogue.ts";
import { search } from "../../../src/shelves/search/shelf.ts";
import { createCommands } from "../../../src/surfaces/cli/command.ts";
import { until } from "../../programs/process.ts";
import { builtFile, freshHome, lectern, runProgram, type Served, startServer } from "../program.ts";

const home = freshHome();
const notes = join(home, "notes");
const socket = join(home, "commands.sock");
let server: Served;

beforeAll(async () => {
  mkdirSync(notes);
  writeFileSync(join(notes, "lamp.md"), "# Lamp\n\nThe lamp is lit at dusk.\n");
  const added = await runProgram(["collection", "add", notes, "--name", "notes"], { home });
  expect(added.code, added.stderr).toBe(0);
  server = await startServer(home);
  await until(() => existsSync(socket), "the server takes the lease and opens the socket");
});

afterAll(async () => {
  await server.stop();
  expect(existsSync(socket)).toBe(false);
  rmSync(home, { recursive: true, force: true });
});

/** The program without its main bundle: it can only forward commands. */
function clientAlone(): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of ["lectern.js", "start.js", "command-client.js", "package.json"]) {
    copyFileSync(builtFile(file), join(folder, file));
  }
  return join(folder, "lectern.js");
}

test("[core.forwarding.reads] only commands that read are forwarded", () => {
  const commands = createCommands(createCatalogue([search]), [], false);
  const readingCommands = commands.filter(
    ({ target }) => "operation" in target && target.operation.effect === "reads",
  );
  const names = new Set(
    readingCommands.flatMap(({ spellings }) => spellings.map(([name]) => name)),
  );

  expect([...forwardedNames].filter((name) => !names.has(name))).toEqual([]);
});

test("[core.forwarding.same] a command forwarded to the server has the same output", async () => {
  const file = clientAlone();
  for (const args of [
    ["search", "lamp"],
    ["search", "lamp", "--json"],
    ["search", "lamp", "--colour-of-the-sky"],
    ["get", "notes/lamp.md:3"],
    ["get", "notes/missing.md"],
    ["ls", "notes"],
    ["grep", "l[ai]mp", "-c", "notes"],
    ["search", "nothing at all like it", "--csv"],
  ]) {
    const forwarded = await runProgram(args, { home, file });
    // Debug traces belong to the process that runs the command, so it is not forwarded.
    const local = await runProgram(args, { home, env: { DEBUG: "no:topic" } });

    expect(forwarded, args.join(" ")).toEqual(local);
  }
});

test("[core.forwarding.fresh] a file that was written just before the command is found", async () => {
  for (let round = 0; round < 10; round++) {
    const word = `freshword${round}`;
    writeFileSync(join(notes, `${word}.md`), `# ${word}\n`);
    const { stdout } = await runProgram(["search", word, "--files"], { home });
    expect(stdout).toContain(`${word}.md`);
  }
});

test("[core.forwarding.private] only the owner of the home can connect to the socket", () => {
  expect(lstatSync(socket).mode & 0o777).toBe(0o600);
});

test("[core.forwarding.declined] a request that is not a reading command of the same program is declined", async () => {
  const command = {
    build: "another",
    program: "lectern",
    argv: ["search", "lamp"],
    cwd: "/",
    env: {},
    home: { config: home, data: home },
    stdout: { isTTY: false },
    stderr: { isTTY: false },
  };
  const build = /fingerprint = "(\w+)"/.exec(readFileSync(builtFile("start.js"), "utf8"))?.[1];
  const malformed = [
    { argv: ["search", 1] },
    { cwd: 5 },
    { env: { NO_COLOR: 1 } },
    { stdout: null },
    { stdout: { isTTY: true, columns: "x" } },
    { stdout: { isTTY: true, columns: -5 } },
  ];
  for (const request of [
    JSON.stringify(command),
    JSON.stringify({ ...command, argv: ["collection", "remove", "notes"] }),
    ...malformed.map((part) => JSON.stringify({ ...command, build, ...part })),
    "{}",
    "null",
    "GET / HTTP/1.1",
  ]) {
    const connection = connect(socket);
    connection.write(`${request}\n`);
    const answer = await text(connection);
    expect(answer.charCodeAt(0), request).toBe(4);
    expect(answer).toHaveLength(5);
  }
  expect((await runProgram(["search", "lamp"], { home })).code).toBe(0);
});

test("[core.forwarding.alone] commands run locally while the server is suspended or gone", async () => {
  const otherHome = freshHome();
  onTestFinished(() => rmSync(otherHome, { recursive: true, force: true }));
  await runProgram(["collection", "add", notes, "--name", "notes"], { home: otherHome });
  const server = await startServer(otherHome);
  const path = join(otherHome, "commands.sock");
  await until(() => existsSync(path), "the server opens the socket");

  server.child.kill("SIGSTOP");
  const local = await runProgram(["search", "lamp"], { home: otherHome });
  server.child.kill("SIGKILL");
  await once(server.child, "exit");
  expect(existsSync(path)).toBe(true);
  const after = await runProgram(["search", "lamp"], { home: otherHome });

  for (const { code, stdout } of [local, after]) {
    expect(code).toBe(0);
    expect(stdout).toContain("lamp.md");
  }
});

test("[core.forwarding.interrupt] Ctrl+C at a forwarded command interrupts it", async () => {
  const otherHome = freshHome();
  onTestFinished(() => rmSync(otherHome, { recursive: true, force: true }));
  const watcher = createServer();
  onTestFinished(() => void watcher.close());
  watcher.listen(join(otherHome, "commands.sock"));
  await once(watcher, "listening");
  const child = startCommand(["search", "lamp"], otherHome);

  const [connection] = await once(watcher, "connection");
  await once(connection, "data");
  connection.write(frame(frameKinds.alive));
  // Another character on standard output shows that the client has read the previous frame.
  connection.write(frame(frameKinds.stdout, "."));
  await once(child.stdout as Readable, "data");
  child.kill("SIGINT");
  expect(String(await once(connection, "data"))).toBe("\x03");
  connection.end(frame(frameKinds.exit, "\x82"));

  expect(await once(child, "exit")).toEqual([130, null]);
});

test("[core.forwarding.interrupt] the server stops a command in any state", async () => {
  const exit = frame(frameKinds.exit, "\x82").toString("latin1");
  for (const when of ["with the request", "while files are indexed", "while it runs"] as const) {
    if (when !== "while it runs") addLongFiles(when);
    const connection = connect(socket);
    connection.setEncoding("latin1");
    const request = `${JSON.stringify(grepRequest())}\n`;
    connection.write(when === "with the request" ? `${request}\x03` : request);
    if (when !== "with the request") {
      await once(connection, "data");
      connection.write("\x03");
    }
    const rest = await text(connection);
    expect([when, rest.slice(-exit.length)]).toEqual([when, exit]);
  }
});

test("[core.forwarding.interrupt] a reader that closes the pipe ends a forwarded command", async () => {
  addLongFiles("Long");
  const child = startCommand(["multi-get", "notes/*.md", "--max-bytes", "100000000"], home);
  child.stdout?.once("data", () => child.stdout?.destroy());

  expect(await once(child, "exit")).toEqual([0, null]);
  expect((await runProgram(["search", "lamp"], { home })).code).toBe(0);
});

/** A text on which a slow pattern takes seconds. */
function addLongFiles(title: string): void {
  for (let number = 0; number < 400; number++) {
    writeFileSync(join(notes, `long-${number}.md`), `# ${title}\n\n${"word ".repeat(4_000)}\n`);
  }
}

function grepRequest(): ForwardedCommand {
  const [, build = ""] =
    /fingerprint = "(\w+)"/.exec(readFileSync(builtFile("start.js"), "utf8")) ?? [];
  return {
    build,
    program: "lectern",
    argv: ["grep", "(w|o|r|d| )*x", "-c", "notes"],
    cwd: home,
    env: {},
    home: { config: home, data: home },
    stdout: { isTTY: false },
    stderr: { isTTY: false },
  };
}

function startCommand(args: readonly string[], inHome: string): ChildProcess {
  const [program = "", ...nodeArgs] = lectern;
  return spawn(program, [...nodeArgs, ...args], {
    env: { ...process.env, LECTERN_HOME: inHome },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function frame(kind: number, payload = ""): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header[0] = kind;
  header.writeUInt32LE(payload.length, 1);
  return Buffer.concat([header, Buffer.from(payload, "latin1")]);
}

test("[core.forwarding.version] --version prints the version without loading the program", async () => {
  for (const [file, printed] of [
    ["lectern.js", /^lectern \d+\.\d+\.\d+\n$/],
    ["qmd.js", /^qmd 1\.0\.0\n$/],
    ["qmdc.js", /^qmdc \d+\.\d+\.\d+\n$/],
  ] as const) {
    const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
      execFile(process.execPath, [builtFile(file), "--version"], (_, stdout) =>
        resolve({ stdout }),
      );
    });
    expect(stdout).toMatch(printed);
    const loaded = await runProgram(["--version", "--no-color"], { home, file: builtFile(file) });
    expect(loaded.stdout).toBe(stdout);
  }
});
