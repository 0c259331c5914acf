import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../../../tests/fixtures/library/cli-library.ts";

function folder(content?: string) {
  const cwd = mkdtempSync(join(tmpdir(), "lectern-init-"));
  const path = join(cwd, ".mcp.json");
  if (content !== undefined) writeFileSync(path, content);
  return {
    cwd,
    path,
    read: () => readFileSync(path, "utf8"),
    run: (argv: string[] = [], options: Parameters<typeof runCli>[1] = {}) =>
      runCli(["init", ...argv], { cwd, ...options }),
  };
}

const entry = { command: "lectern", args: ["mcp", "--shelves", "search"] };

test("[core.cli.init] a new file has the one entry", async () => {
  const { run, read, cwd } = folder();
  const { code, out } = await run();
  expect(code).toBe(0);
  expect(out).toMatch("'lectern' added in .mcp.json");
  expect(read()).toBe(`${JSON.stringify({ mcpServers: { lectern: entry } }, null, 2)}\n`);
  expect(readdirSync(cwd)).toEqual([".mcp.json"]);
});

test("[core.cli.init] other entries, other keys and the indentation are kept", async () => {
  const before =
    '{\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"more": 1\n}';
  const { run, read } = folder(before);
  expect((await run()).code).toBe(0);
  expect(JSON.parse(read())).toEqual({
    mcpServers: { other: { command: "x" }, lectern: entry },
    more: 1,
  });
  expect(read()).toMatch('\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}');
  expect(read().endsWith("}")).toBe(true);
});

test("a byte order mark and Windows line ends are accepted", async () => {
  const { run, read } = folder('\uFEFF{\r\n    "mcpServers": {}\r\n}\r\n');
  expect((await run()).code).toBe(0);
  expect(read()).toMatch('{\r\n    "mcpServers": {\r\n        "lectern"');
});

test("[core.cli.init] the same entry changes nothing, another one needs --force", async () => {
  const { run, read } = folder('{"mcpServers":{"lectern":{"command":"mine"}}}');
  const before = read();
  const refused = await run();
  expect(refused.code).toBe(4);
  expect(refused.err).toMatch('Existing entry: {"command":"mine"}');
  expect(refused.err).toMatch("--force");
  expect(read()).toBe(before);
  expect((await run(["--force"])).out).toMatch("replaced");
  const written = read();
  expect((await run()).out).toMatch("kept");
  expect(read()).toBe(written);
});

test.each(["{ oops", "[]", "null", '"x"', '{"mcpServers":[]}', '{"mcpServers":"x"}', '{"a":1,}'])(
  "[core.cli.init] a file that says %s is left untouched",
  async (content) => {
    const { run, read } = folder(content);
    const { code, err } = await run(["--force"]);
    expect(code).toBe(4);
    expect(err).toMatch("not changed");
    expect(read()).toBe(content);
  },
);

test("keys that are special in JavaScript are ordinary keys", async () => {
  const { run, read } = folder('{"mcpServers":{"__proto__":{"command":"x"},"constructor":1}}');
  expect((await run()).code).toBe(0);
  expect(read()).toMatch('"__proto__"');
  expect(read()).toMatch('"constructor": 1');
});

test("[core.cli.init] --dry-run shows the entry and writes nothing", async () => {
  const { run, path } = folder();
  expect((await run(["--dry-run"])).out).toMatch("would be added");
  expect(existsSync(path)).toBe(false);
});

test("[core.cli.init] --http writes the URL of a server", async () => {
  const { run, read } = folder();
  await run(["--http", "--port", "8765"]);
  expect(JSON.parse(read()).mcpServers.lectern).toEqual({
    type: "http",
    url: "http://127.0.0.1:8765/mcp",
  });
});

test("flags that affect the agent's server become arguments", async () => {
  const { run, read } = folder();
  await run(["--shelves", "search,review", "--read-only", "--json"]);
  expect(JSON.parse(read()).mcpServers.lectern.args).toEqual([
    "mcp",
    "--shelves",
    "search,review",
    "--read-only",
  ]);
});

test("if the name is not on PATH, this installation's path is written", async () => {
  const script = "/opt/lectern/dist/lectern.js";
  const bare = folder();
  await bare.run([], { script, env: { PATH: bare.cwd } });
  expect(JSON.parse(bare.read()).mcpServers.lectern).toEqual({
    command: process.execPath,
    args: [script, "mcp", "--shelves", "search"],
  });
  const installed = folder();
  writeFileSync(join(installed.cwd, "lectern"), "#!/bin/sh\n");
  chmodSync(join(installed.cwd, "lectern"), 0o755);
  await installed.run([], { script, env: { PATH: installed.cwd } });
  expect(JSON.parse(installed.read()).mcpServers.lectern).toEqual(entry);
});

test("[core.cli.init-place] a name that only a package runner put on PATH is not written", async () => {
  const script = "/opt/lectern/dist/lectern.js";
  const { run, read, cwd } = folder();
  const runner = join(cwd, "node_modules", ".bin");
  mkdirSync(runner, { recursive: true });
  writeFileSync(join(runner, "lectern"), "#!/bin/sh\n");
  chmodSync(join(runner, "lectern"), 0o755);
  await run([], { script, env: { PATH: `${runner}/` } });
  expect(JSON.parse(read()).mcpServers.lectern.command).toBe(process.execPath);
});

test("[core.cli.init-place] the entry contains the absolute path of the current user's home", async () => {
  const { run, read } = folder();
  await run([], { env: { LECTERN_HOME: "some/home", XDG_DATA_HOME: "/elsewhere" } });
  expect(JSON.parse(read()).mcpServers.lectern).toEqual({
    ...entry,
    env: { LECTERN_HOME: resolve("some/home") },
  });
});

test.runIf(process.platform === "linux")(
  "[core.cli.init-place] without LECTERN_HOME the variables that choose the folders are named",
  async () => {
    const { run, read } = folder();
    await run([], { env: { LECTERN_HOME: "", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" } });
    expect(JSON.parse(read()).mcpServers.lectern.env).toEqual({
      XDG_CONFIG_HOME: "/c",
      XDG_DATA_HOME: "/d",
    });
    await run(["--http", "--force"], { env: { LECTERN_HOME: "/h" } });
    expect(JSON.parse(read()).mcpServers.lectern).not.toHaveProperty("env");
  },
);

test("started as qmd, the entry is qmd's", async () => {
  const { run, read } = folder();
  await run([], { program: "qmd" });
  expect(JSON.parse(read())).toEqual({ mcpServers: { qmd: { command: "qmd", args: ["mcp"] } } });
});

test("a link to a shared file stays a link", async () => {
  const shared = folder("{}");
  const linked = folder();
  symlinkSync(shared.path, linked.path);
  expect((await linked.run()).code).toBe(0);
  expect(lstatSync(linked.path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(shared.read()).mcpServers.lectern).toEqual(entry);
});

test("a link to a missing file stays a link", async () => {
  const shared = folder();
  const linked = folder();
  symlinkSync(shared.path, linked.path);
  expect((await linked.run()).code).toBe(0);
  expect(lstatSync(linked.path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(shared.read()).mcpServers.lectern).toEqual(entry);
});

test("with --json it returns what it did as data", async () => {
  const { run } = folder();
  expect(JSON.parse((await run(["--json"])).out)).toEqual({
    file: ".mcp.json",
    entry: "lectern",
    did: "added",
    written: true,
    says: entry,
  });
});

test("[core.cli.init] a file readable only by its owner stays so", async () => {
  const { run, path } = folder("{}");
  chmodSync(path, 0o600);
  await run();

  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});

test("[core.cli.init-draft] a link in place of the temporary file is not written through", async () => {
  const { run, path, cwd } = folder("{}");
  const victim = join(cwd, "victim");
  writeFileSync(victim, "theirs");
  symlinkSync(victim, `${path}.${process.pid}.draft`);
  await run();

  expect(readFileSync(victim, "utf8")).toBe("theirs");
});
