import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import * as z from "zod";
import { openCliLibrary, runCli } from "../../../tests/fixtures/library/cli-library.ts";
import { type FailureKind, failureKinds } from "../../kernel/failure.ts";
import type { Identity } from "../../kernel/runtime/app.ts";
import { programCommand } from "./command.ts";
import { exitCodeMeanings, exitCodes } from "./exit-codes.ts";
import { identityOfProgram, type ProgramName } from "./program-identity.ts";

test("[core.cli.answer] a person gets the presented text with a trailing newline", async () => {
  expect(await runCli(["echo", "hello"])).toEqual({ code: 0, out: "hello\n", err: "" });
  expect(await runCli(["echo", "hello\n"])).toMatchObject({ out: "hello\n" });
  const { out } = await runCli(["find", "blue", "whale", "-n", "2"]);
  expect(JSON.parse(out)).toMatchObject({ words: "blue whale", limit: 2, rerank: true });
});

test("an operation without a presentation answers in JSON", async () => {
  const { out } = await runCli(["book", "move", "there"], { terminal: true });
  expect(out).toBe('{\n  "from": "here",\n  "to": "there"\n}\n');
});

test("[core.cli.json] JSON is one line in a pipe and indented on a terminal", async () => {
  expect((await runCli(["echo", "a", "--json"])).out).toBe('{"document":"a"}\n');
  const { out } = await runCli(["--json", "echo", "a"], { terminal: true });
  expect(out).toBe('{\n  "document": "a"\n}\n');
});

test("[core.cli.json] an output with a main key prints only that key", async () => {
  expect((await runCli(["find", "whale", "--json"])).out).toBe('["whale"]\n');
});

test("a value with a command line default is filled in if the API requires it", async () => {
  const { out } = await runCli(["book", "add", "--pages", "3", "--json"]);
  expect(JSON.parse(out)).toEqual({ title: "untitled", pages: 3 });
});

const designed: Record<FailureKind, number> = {
  invalid: 2,
  forbidden: 5,
  "not-found": 3,
  conflict: 4,
  "too-large": 6,
  unavailable: 7,
  internal: 1,
};

test.each(failureKinds)("[core.cli.exit-codes] a failure of kind %s has its code", async (kind) => {
  const { code, out, err } = await runCli(["fail", kind]);

  expect(code).toBe(designed[kind]);
  expect(out).toBe("");
  expect(err).toBe(`error: It was ${kind}.\n  Try again.\n`);
});

test.each(failureKinds)("[core.cli.exit-codes] with --json, %s is one document", async (kind) => {
  const { code, out } = await runCli(["fail", kind, "--json"]);

  expect(code).toBe(designed[kind]);
  expect(out.match(/\n/g)).toHaveLength(1);
  expect(JSON.parse(out)).toEqual({
    error: { code: `code-${kind}`, message: `It was ${kind}.`, hints: ["Try again."] },
  });
});

test("[core.cli.exit-codes] every code is explained", async () => {
  const { code, out } = await runCli(["help", "exit-codes"]);
  expect(code).toBe(0);
  for (const number of [0, 130, ...Object.values(exitCodes)]) {
    expect(out).toMatch(new RegExp(`^ +${number} `, "m"));
    expect(exitCodeMeanings.map(([known]) => known)).toContain(number);
  }
});

test("[core.cli.internal] an unexpected error shows no details and no stack trace", async () => {
  expect(await runCli(["fail", "unforeseen"])).toEqual({
    code: 1,
    out: "",
    err: "error: Internal error\n",
  });
});

test("an exception in a program command is handled the same way, and DEBUG shows the cause", async () => {
  const broken = programCommand({
    cli: "break",
    group: "test",
    summary: "Break.",
    input: z.object({}),
    run() {
      throw new TypeError("the inner reason");
    },
  });
  expect(await runCli(["break"], { commands: [broken] })).toEqual({
    code: 1,
    out: "",
    err: "error: Internal error\n",
  });
  const result = await runCli(["break"], { commands: [broken], env: { DEBUG: "lectern:*" } });
  expect(result.err).toMatch("the inner reason");
});

test("a program command gets its parsed input and sets its own exit code", async () => {
  const serve = programCommand({
    cli: "serve|server",
    group: "serving",
    summary: "Serve.",
    input: z.object({ port: z.array(z.int()).default([18_765]) }),
    async run({ port }, { out, settings, program }) {
      await out.write(`${program} ${port.join(",")} ${settings.readOnly}\n`);
      return 42;
    },
  });
  const run = (argv: string[]) => runCli(argv, { commands: [serve] });
  expect(await run(["serve", "--read-only"])).toEqual({
    code: 42,
    out: "lectern 18765 true\n",
    err: "",
  });
  expect((await run(["server", "--port", "1", "--port=2"])).out).toBe("lectern 1,2 false\n");
  expect((await run(["serve", "--prot", "1"])).err).toMatch("Did you mean '--port'?");
});

test("a program command may open the library with other settings, once", async () => {
  let opened = 0;
  let closed = 0;
  const other = programCommand({
    cli: "other",
    group: "test",
    summary: "Open elsewhere.",
    input: z.object({}),
    run(_input, { openApp, settings }) {
      const first = openApp({ ...settings, readOnly: true });
      return first.settings.readOnly && openApp() === first ? 0 : 1;
    },
  });
  const { code } = await runCli(["other"], {
    commands: [other],
    openApp(settings, identity) {
      opened++;
      const library = openCliLibrary(settings, identity);
      library.close = async () => void closed++;
      return library;
    },
  });
  expect({ code, opened, closed }).toEqual({ code: 0, opened: 1, closed: 1 });
});

test("[core.cli.unknown] a usage error goes to stderr with code 2, and to stdout as JSON", async () => {
  const plain = await runCli(["find", "a", "--limt", "3"]);
  expect(plain).toMatchObject({ code: 2, out: "" });
  expect(plain.err).toMatch("Did you mean '--limit'?");
  const json = await runCli(["find", "a", "--limt", "3", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({ error: { code: "invalid-argument" } });
  // After `--` it is an ordinary argument.
  expect((await runCli(["find", "--limt", "--", "--json"])).out).toBe("");
});

test("an incomplete command lists its subcommands", async () => {
  const { code, err } = await runCli(["book"]);
  expect(code).toBe(2);
  expect(err).toMatch("lectern book add");
  expect(err).toMatch("lectern book move");
});

test("[core.cli.names] started as qmd or qmdc, only its own shelf and the review shelf are available", async () => {
  const qmd = await runCli(["help"], { program: "qmd" });
  expect(qmd.out).toMatch("find <words...>");
  expect(qmd.out).toMatch("tidy");
  expect(qmd.out).not.toMatch("thing list");
  const qmdc = await runCli(["help"], { program: "qmdc" });
  expect(qmdc.out).not.toMatch("find <words...>");
  expect(qmdc.out).toMatch("thing list");
  const refused = await runCli(["find", "a"], { program: "qmdc" });
  expect(refused).toMatchObject({ code: 2, out: "" });
  expect(refused.err).toMatch("Run 'lectern find'");
  expect((await runCli(["thing", "list", "--shelves", "objects"], { program: "qmd" })).code).toBe(
    0,
  );
});

test("[core.cli.names] the program identifies itself by the name it was started with", async () => {
  const identify = async (argv: string[], program: ProgramName) => {
    const seen: Identity[] = [];
    await runCli(argv, {
      program,
      openApp(settings, identity) {
        seen.push(identity);
        return openCliLibrary(settings, identity);
      },
    });
    return seen[0];
  };
  expect(await identify(["tidy"], "lectern")).toMatchObject({ name: "lectern", version: "0.1.0" });
  expect(await identify(["tidy"], "qmd")).toMatchObject({ name: "qmd", version: "1.0.0" });
  expect(await identify(["tidy"], "qmdc")).toMatchObject({ name: "qmdc", version: "0.1.0" });
  expect(identityOfProgram("documcp", "0.1.0", ["repository", "review"])).toMatchObject({
    name: "documcp",
    version: "1.0.0",
  });
  expect(identityOfProgram("lectern", "0.1.0", ["repository"])).toMatchObject({
    name: "documcp",
    version: "1.0.0",
  });
  expect((await runCli(["--version"])).out).toBe("lectern 0.1.0\n");
  expect((await runCli(["-v"], { program: "qmd" })).out).toBe("qmd 1.0.0\n");
  expect((await runCli(["version"], { program: "qmdc" })).out).toBe("qmdc 0.1.0\n");
});

test("[core.cli.narrowing] commands excluded by --shelves or --read-only are refused with an explanation", async () => {
  const readOnly = await runCli(["book", "move", "there", "--read-only"]);
  expect(readOnly).toMatchObject({ code: 5, out: "" });
  expect(readOnly.err).toMatch("'book move' writes, and --read-only is on");
  const narrowed = await runCli(["find", "a", "--shelves", "objects,review"]);
  expect(narrowed).toMatchObject({ code: 2 });
  expect(narrowed.err).toMatch("Enabled shelves: objects, review");
  const unknown = await runCli(["find", "a", "--shelves", "serch"]);
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.err).toMatch("Did you mean 'search'?");
  expect((await runCli(["help", "--read-only"])).out).not.toMatch("book move");
});

test("invalid settings are usage errors, but --version still works", async () => {
  expect(await runCli(["tidy", "--log-level", "loud"])).toMatchObject({ code: 2 });
  const env = { LECTERN_TOOL_TIMEOUT_MS: "soon" };
  expect((await runCli(["tidy"], { env })).err).toMatch("LECTERN_TOOL_TIMEOUT_MS");
  expect((await runCli(["--version"], { env })).code).toBe(0);
});

test("[core.cli.colour] color is used only on terminals, unless the environment variables or the flag override it", async () => {
  const red = "\u001b[31m";
  const check = async (
    coloured: boolean,
    options: Parameters<typeof runCli>[1],
    argv: string[] = [],
  ) => {
    const { err } = await runCli(["fail", "invalid", ...argv], options);
    expect(err.includes(red)).toBe(coloured);
  };
  await check(true, { terminal: true });
  await check(false, { terminal: false });
  await check(false, { terminal: true, env: { NO_COLOR: "1" } });
  await check(false, { terminal: true, env: { TERM: "dumb" } });
  await check(true, { terminal: false, env: { FORCE_COLOR: "1" } });
  await check(false, { terminal: true, env: { FORCE_COLOR: "0" } });
  await check(false, { terminal: true, env: { FORCE_COLOR: "1" } }, ["--no-color"]);
  await check(true, { terminal: false, env: { NO_COLOR: "1" } }, ["--color"]);
});

test("[core.cli.escapes] control characters are shown as symbols, on a terminal and in a pipe", async () => {
  const hostile = "a\u001b]0;owned\u0007\u009b31mb\rc\tok\r\nend\u007f";
  for (const terminal of [true, false]) {
    const { out } = await runCli(["echo", hostile], { terminal });
    // It prints a document, which is data in a pipe.
    expect(out).toBe(terminal ? "a␛]0;owned␇\ufffd31mb␍c\tok\nend␡\n" : `${hostile}\n`);
    const json = await runCli(["echo", hostile, "--json"], { terminal });
    expect(json.out).not.toMatch(/[^\P{Cc}\n]/u);
    expect(JSON.parse(json.out)).toEqual({ document: hostile });
    const refused = await runCli(["find", "a", `--\u001b[2J`], { terminal });
    expect(refused.err).toMatch("'--␛[2J'");
    const unknown = await runCli(["\u001b[31mq"], { terminal, env: { NO_COLOR: "1" } });
    expect(unknown.err).toMatch("␛[31mq");
    expect(unknown.err).not.toMatch(/[^\P{Cc}\n]/u);
  }
});

test("[core.cli.progress] progress is one line on a terminal and is erased at the end", async () => {
  const { code, err } = await runCli(["wait", "--ms", "5"], { terminal: true });
  expect(code).toBe(0);
  expect(err).toMatch("\r\u001b[2K25 %  1 of 4  waiting");
  expect(err.endsWith("\u001b[2Kwaiting has begun\n")).toBe(true);
  expect(await runCli(["wait", "--ms", "5"])).toMatchObject({ err: "waiting has begun\n" });
  const quiet = await runCli(["wait", "--ms", "5", "--log-level", "error"]);
  expect(quiet.err).toBe("");
});

test("a question that cannot be asked on the command line is reported, with code 7", async () => {
  const { code, err } = await runCli(["ask"]);
  expect(code).toBe(7);
  expect(err).toMatch("Are you sure?");
});

test("[core.cli.pipe] a closed reader ends the command silently", async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("gone"), { code: "EPIPE" })),
  });
  const stderr = new PassThrough();
  expect(await runCli(["echo", "a"], { stdout: gone, stderr })).toMatchObject({ code: 0 });
  expect(stderr.read()).toBeNull();
  // A failure still sets its exit code.
  expect(await runCli(["fail", "conflict", "--json"], { stdout: gone })).toMatchObject({ code: 4 });
});

test("a full disk has its own code", async () => {
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("full"), { code: "ENOSPC" })),
  });
  const stderr = new PassThrough();
  expect(await runCli(["echo", "a"], { stdout: full, stderr })).toMatchObject({ code: 1 });
  expect(String(stderr.read())).toMatch("ENOSPC");
});
