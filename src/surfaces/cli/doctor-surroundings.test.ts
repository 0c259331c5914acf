import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../../../tests/fixtures/cli-library.ts";
import type { Check } from "./doctor-check.ts";
import { checkFolder } from "./doctor-folders.ts";
import {
  checkEnvironment,
  checkFilled,
  checkGit,
  checkKeys,
  checkPort,
  checkProgram,
} from "./doctor-surroundings.ts";

const freshFolder = () => mkdtempSync(join(tmpdir(), "lectern-surroundings-"));

function put(folder: string, path: string, text = ""): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

/** The command of an installation that has all but some of its parts. */
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

test("[house.cli.doctor] an installation that lost a part is told with what it was for", () => {
  expect(checkProgram(installation())).toMatchObject([{ state: "ok" }]);
  expect(checkProgram(installation("main.js")), "it runs from its sources").toEqual([]);
  expect(checkProgram(installation("onnxruntime-node"))).toMatchObject([
    { state: "warn", says: "Missing: onnxruntime-node (search by meaning)." },
  ]);
  expect(checkProgram(installation("minilm", "web"))).toMatchObject([
    {
      state: "fail",
      says: "Missing: web/index.html (the page), models/minilm/model.onnx (search by meaning).",
      remedy: expect.stringMatching("Install it again"),
    },
  ]);
});

test("[house.cli.doctor] variables that cannot mean what was meant are told", () => {
  expect(checkEnvironment({})).toEqual([]);
  expect(checkEnvironment({ LECTERN_HOME: "/srv/home", LECTERN_TOKEN: "eight-or-more" })).toEqual(
    [],
  );
  expect(checkEnvironment({ LECTERN_HOME: "home", LECTERN_TOKEN: "short" })).toMatchObject([
    { state: "warn", remedy: "Give the whole path." },
    { state: "fail", says: expect.stringContaining("no server starts with it") },
  ]);
});

test("[house.cli.doctor] a key that is nearly a known one is a slip, any other is people's own", () => {
  const path = put(freshFolder(), "config.json", '{ "colections": {}, "mine": 1, "models": {} }');
  expect(checkKeys(path)).toMatchObject([{ state: "warn", remedy: "Did you mean 'collections'?" }]);
  expect(checkKeys(join(dirname(path), "none.json"))).toEqual([]);
});

test("[house.cli.doctor] a collection in which nothing is found is told with its pattern", () => {
  const folder = freshFolder();
  put(folder, "deep/er/a.txt");
  const root = { name: "docs", path: folder, pattern: "**/*.md" };
  expect(checkFilled(root, "lectern")).toMatchObject([
    { state: "warn", says: expect.stringContaining("fits '**/*.md'") },
  ]);
  expect(checkFilled({ ...root, pattern: "**/*.txt" }, "lectern")).toEqual([]);
});

test("[house.cli.doctor] a home that is a link to nothing fails", () => {
  const link = join(freshFolder(), "home");
  symlinkSync("/nowhere/at/all", link);
  expect(existsSync(link)).toBe(false);
  expect(checkFolder(link)).toMatchObject({
    state: "fail",
    says: expect.stringMatching("leads nowhere"),
  });
});

test("without git the dates are others, and that is said", () => {
  expect(checkGit()).toMatchObject({ state: "ok", says: expect.stringMatching(/^git version/) });
  expect(checkGit("no-such-git")).toMatchObject({ state: "warn" });
});

/** A server that answers everything in one way, and its port. */
async function answering(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // It listens on an address, not on a pipe.
  return (server.address() as AddressInfo).port;
}

test("[house.cli.doctor] whoever answers on the port is told apart", async () => {
  const ours = await answering((_, answer) =>
    answer.end('{"status":"healthy","model_loaded":true}'),
  );
  const locked = await answering((_, answer) =>
    answer.writeHead(401, { "www-authenticate": 'Bearer realm="lectern"' }).end(),
  );
  const others = await answering((_, answer) => answer.end("<h1>Hello</h1>"));
  const json = await answering((_, answer) => answer.end('{"status":"ok"}'));
  const states = async (port: number) => (await checkPort(port, "lectern")).says;
  expect(await states(ours)).toBe(`A server answers on ${ours}.`);
  expect(await states(locked)).toBe(`A server answers on ${locked}.`);
  for (const port of [others, json]) {
    expect(await checkPort(port, "lectern")).toMatchObject({
      state: "warn",
      remedy: `Serve on another port: 'lectern serve --port ${port + 1}'.`,
    });
  }
});

/** What the doctor says of the agents of a folder. */
async function agents(file: string): Promise<Pick<Check, "state" | "says">[]> {
  const cwd = freshFolder();
  put(cwd, ".mcp.json", file);
  const env = { LECTERN_HOME: join(cwd, "home"), PATH: process.env.PATH };
  const { out } = await runCli(["doctor", "--json"], { cwd, env });
  const { checks }: { checks: Check[] } = JSON.parse(out);
  return checks.filter(({ name }) => name === "agents");
}

const entry = (value: object) => JSON.stringify({ mcpServers: { lectern: value, other: {} } });

test("[house.cli.doctor] an entry for agents that starts nothing is told with its remedy", async () => {
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

test("[house.cli.doctor] an entry that names a server is held against who answers there", async () => {
  const port = await answering((_, answer) => answer.end('{"model_loaded":false}'));
  const named = (url: string) => agents(entry({ type: "http", url }));
  expect(await named(`http://127.0.0.1:${port}/mcp`)).toMatchObject([{ state: "ok" }]);
  expect(await named("http://127.0.0.1:9/mcp")).toMatchObject([
    { state: "warn", says: expect.stringMatching("nobody answers") },
  ]);
  expect(await named("no url")).toMatchObject([{ state: "warn" }]);
});
