import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../../../../tests/fixtures/library/cli-library.ts";
import type { Check } from "./check.ts";
import { checkFolder } from "./folder-checks.ts";
import {
  checkConfigKeys,
  checkEmptyCollection,
  checkEnvironment,
  checkGit,
  checkPort,
  checkProgramFiles,
} from "./host-checks.ts";

const freshFolder = () => mkdtempSync(join(tmpdir(), "lectern-surroundings-"));

function put(folder: string, path: string, text = ""): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

/** The command of an installation with missing parts. */
function installation(...without: string[]): string {
  const folder = freshFolder();
  const script = put(folder, "dist/lectern.js");
  const parts = [
    ...["main.js", "web/index.html", "convert/run.mjs", "sql.mjs", "symbols.mjs"],
    ...["models/run.mjs", "models/minilm/model.onnx"],
  ].map((file) => `dist/${file}`);
  const packages = ["@parcel/watcher", "@vscode/tree-sitter-wasm", "onnxruntime-node"];
  for (const part of [...parts, ...packages.map((name) => `node_modules/${name}/package.json`)]) {
    if (!without.some((word) => part.includes(word))) put(folder, part, "{}");
  }
  // A package manager makes the command a link.
  symlinkSync(script, join(folder, "lectern"));
  return join(folder, "lectern");
}

test("[core.cli.doctor] an installation with a missing part is reported with its purpose", () => {
  expect(checkProgramFiles(installation())).toMatchObject([{ state: "ok" }]);
  expect(checkProgramFiles(installation("main.js")), "it runs from its sources").toEqual([]);
  expect(checkProgramFiles(installation("onnxruntime-node"))).toMatchObject([
    { state: "warn", says: "Missing: onnxruntime-node (semantic search)." },
  ]);
  expect(checkProgramFiles(installation("minilm", "web"))).toMatchObject([
    {
      state: "fail",
      says: "Missing: web/index.html (the web app), models/minilm/model.onnx (semantic search).",
      remedy: expect.stringMatching("Reinstall"),
    },
  ]);
});

test("[core.cli.doctor] invalid environment variables are reported", () => {
  expect(checkEnvironment({})).toEqual([]);
  expect(checkEnvironment({ LECTERN_HOME: "/srv/home", LECTERN_TOKEN: "eight-or-more" })).toEqual(
    [],
  );
  expect(checkEnvironment({ LECTERN_HOME: "home", LECTERN_TOKEN: "short" })).toMatchObject([
    { state: "warn", remedy: "Set it to an absolute path." },
    { state: "fail", says: expect.stringContaining("a server does not start with it") },
  ]);
});

test("[core.cli.doctor] a key similar to a known one is a typo, any other is custom", () => {
  const path = put(freshFolder(), "config.json", '{ "colections": {}, "mine": 1, "models": {} }');
  expect(checkConfigKeys(path)).toMatchObject([
    { state: "warn", remedy: "Did you mean 'collections'?" },
  ]);
  expect(checkConfigKeys(join(dirname(path), "none.json"))).toEqual([]);
});

test("[core.cli.doctor] a collection without documents is reported with its pattern", () => {
  const folder = freshFolder();
  put(folder, "deep/er/a.txt");
  const root = { name: "docs", path: folder, pattern: "**/*.md" };
  expect(checkEmptyCollection(root, "lectern")).toMatchObject([
    {
      state: "warn",
      says: expect.stringContaining("matches '**/*.md'"),
      remedy: "Choose another mask: 'lectern collection set docs --mask ...'.",
    },
  ]);
  expect(checkEmptyCollection({ ...root, pattern: "**/*.txt" }, "lectern")).toEqual([]);
  const unreadable = { ...root, path: join(folder, "deep/er/a.txt") };
  expect(checkEmptyCollection(unreadable, "lectern")).toEqual([]);
});

test("[core.cli.doctor] a home that is a broken link fails", () => {
  const link = join(freshFolder(), "home");
  symlinkSync("/nowhere/at/all", link);
  expect(existsSync(link)).toBe(false);
  expect(checkFolder(link)).toMatchObject({
    state: "fail",
    says: expect.stringMatching("link to a missing folder"),
  });
});

test("without git dates may differ, and that is reported", () => {
  expect(checkGit()).toMatchObject({ state: "ok", says: expect.stringMatching(/^git version/) });
  expect(checkGit("no-such-git")).toMatchObject({ state: "warn" });
});

/** A server that sends the same response to every request, and its port. */
async function answering(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // It listens on an address, not on a pipe.
  return (server.address() as AddressInfo).port;
}

test("[core.cli.doctor] whatever answers on the port is identified", async () => {
  const ours = await answering((_, answer) =>
    answer.end('{"status":"healthy","model_loaded":true}'),
  );
  const locked = await answering((_, answer) =>
    answer.writeHead(401, { "www-authenticate": 'Bearer realm="lectern"' }).end(),
  );
  const others = await answering((_, answer) => answer.end("<h1>Hello</h1>"));
  const json = await answering((_, answer) => answer.end('{"status":"ok"}'));
  const states = async (port: number) => (await checkPort(port, "lectern", true)).says;
  expect(await states(ours)).toBe(`A server is running on port ${ours}.`);
  expect(await states(locked)).toBe(`A server is running on port ${locked}.`);
  expect(await checkPort(ours, "lectern", false)).toMatchObject({
    state: "warn",
    says: `The server on port ${ours} serves another home.`,
  });
  for (const port of [others, json]) {
    expect(await checkPort(port, "lectern", true)).toMatchObject({
      state: "warn",
      remedy: `Serve on another port: 'lectern serve --port ${port + 1}'.`,
    });
  }
});

/** The doctor's findings about the agents of a folder. */
async function agents(file: string): Promise<Pick<Check, "state" | "says">[]> {
  const cwd = freshFolder();
  put(cwd, ".mcp.json", file);
  const env = { LECTERN_HOME: join(cwd, "home"), PATH: process.env.PATH };
  const { out } = await runCli(["doctor", "--json"], { cwd, env });
  const { checks }: { checks: Check[] } = JSON.parse(out);
  return checks.filter(({ name }) => name === "agents");
}

const entry = (value: object) => JSON.stringify({ mcpServers: { lectern: value, other: {} } });

test("[core.cli.doctor] an agent entry that starts nothing is reported with a remedy", async () => {
  expect(await agents("{ bad")).toMatchObject([
    { state: "fail", says: expect.stringMatching("not valid JSON") },
  ]);
  expect(await agents('{ "mcpServers": { "other": { "command": "gone" } } }')).toEqual([]);
  expect(await agents(entry({ command: "/nowhere/lectern", args: ["mcp"] }))).toMatchObject([
    { state: "fail", remedy: "Run 'lectern init --force'." },
  ]);
  expect(await agents(entry({ command: "lectern-no-such-name" }))).toMatchObject([
    { state: "fail" },
  ]);
  const words = { command: process.execPath, args: ["/nowhere/lectern.js", "mcp"] };
  expect(await agents(entry(words))).toMatchObject([{ state: "fail" }]);
  expect(await agents(entry({ command: process.execPath, args: ["mcp"] }))).toMatchObject([
    { state: "ok" },
  ]);
});

test("[core.cli.doctor] an entry with a server URL is compared with the server that answers there", async () => {
  const port = await answering((_, answer) => answer.end('{"model_loaded":false}'));
  const named = (url: string) => agents(entry({ type: "http", url }));
  expect(await named(`http://127.0.0.1:${port}/mcp`)).toMatchObject([{ state: "ok" }]);
  expect(await named("http://127.0.0.1:9/mcp")).toMatchObject([
    { state: "warn", says: expect.stringMatching("no server is running") },
  ]);
  expect(await named("no url")).toMatchObject([{ state: "warn" }]);
});
