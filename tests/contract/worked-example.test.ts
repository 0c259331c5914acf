import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startServer } from "../journeys/program.ts";
import { startAgent } from "../journeys/stdio-agent.ts";

/** The worked example of `CONTRIBUTING.md`, applied to a copy of the source. */
const repository = fileURLToPath(new URL("../..", import.meta.url));
const copyFolder = join(tmpdir(), "worked-example");
const home = join(copyFolder, "home");
const program = [process.execPath, join(copyFolder, "dist", "lectern.cjs")];

const bundled = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  packages: "external",
  logLevel: "error",
} as const;

beforeAll(async () => {
  cpSync(join(repository, "src"), join(copyFolder, "src"), { recursive: true });
  for (const folder of ["models", "sample"])
    symlinkSync(join(repository, folder), join(copyFolder, folder));
  symlinkSync(join(repository, "node_modules"), join(copyFolder, "node_modules"));
  mkdirSync(home);
  applyExample();
  await build({
    ...bundled,
    stdin: {
      contents: 'require("./src/main.ts").run("lectern", process.argv.slice(2), "test");',
      resolveDir: copyFolder,
    },
    outfile: join(copyFolder, "dist", "lectern.cjs"),
    format: "cjs",
    define: { LECTERN_VERSION: '"0.0.0"', "import.meta.url": "ownUrl" },
    banner: { js: 'const ownUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  await run("collection", "add", join(copyFolder, "sample", "handbook"));
});

/** Inserts each code block where the text before it says. */
function applyExample(): void {
  const page = readFileSync(join(repository, "CONTRIBUTING.md"), "utf8");
  const [sql = "", operation = "", importLine = "", listEntry = ""] = [
    ...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm),
  ].map((match) => match[1] ?? "");
  const shelf = join(copyFolder, "src", "shelves", "search");
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(shelf, file), change(readFileSync(join(shelf, file), "utf8")));
  edit("storage.ts", (text) => text + sql);
  writeFileSync(join(shelf, "operations", "largest.ts"), operation);
  edit("shelf.ts", (text) =>
    (importLine + text).replace("    ...listDocumentsOperations,\n", (line) => line + listEntry),
  );
}

async function run(...args: string[]): Promise<string> {
  const env = { ...process.env, LECTERN_HOME: home };
  const [node = "", ...nodeArgs] = program;
  const { stdout } = await promisify(execFile)(node, [...nodeArgs, ...args], {
    env,
    cwd: copyFolder,
  });
  return stdout;
}

const largest = { documents: [{ file: "handbook/welcome.md", size: expect.any(Number) }] };

test("[core.operations.worked-example] a new operation is a command, with its help, completion and manual", async () => {
  expect(await run("largest", "-n", "1")).toMatch(/^\d+ handbook\/welcome\.md\n$/);
  expect(JSON.parse(await run("largest", "-n", "1", "--json"))).toEqual(largest);
  expect(await run("help", "largest")).toContain("List the largest documents");
  expect(await run("completion", "bash")).toContain("largest");
  expect(await run("man")).toContain("List the largest documents");
});

test("[core.operations.worked-example] the new operation is a tool, with its schemas and annotations", async () => {
  const agent = startAgent(home, [], program);
  await agent.initialize();
  const { result } = await agent.ask("tools/list");
  expect(result?.tools).toContainEqual(
    expect.objectContaining({
      name: "largest_documents",
      inputSchema: expect.objectContaining({
        properties: { limit: expect.objectContaining({ default: 10 }) },
      }),
      annotations: expect.objectContaining({ readOnlyHint: true }),
    }),
  );
  expect(await agent.call("largest_documents", { limit: 1 })).toMatchObject({
    structuredContent: largest,
  });
  expect(await agent.close()).toEqual({ code: 0, signal: null });
});

test("[core.operations.worked-example] the new operation has a route, which OpenAPI lists", async () => {
  const server = await startServer(home, [], {}, program);
  onTestFinished(async () => void (await server.stop()));
  const fetchJson = async (path: string, init?: RequestInit) =>
    (await fetch(`${server.url}${path}`, init)).json();
  expect(await fetchJson("/documents/largest?limit=1")).toMatchObject(largest);
  expect(await fetchJson("/openapi.json")).toHaveProperty(["paths", "/documents/largest"]);
  const called = await fetchJson("/tools/largest_documents", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ arguments: { limit: 1 } }),
  });
  expect(called).toMatchObject({ success: true, data: largest });
});

test("[core.operations.worked-example] the new operation is in the reference", async () => {
  const script = join(copyFolder, "dist", "reference.cjs");
  await build({
    ...bundled,
    stdin: {
      contents: `
        import { createCatalogue } from "./src/kernel/operations/catalogue.ts";
        import { shelves } from "./src/shelves.ts";
        import { referencePages } from "./src/surfaces/reference/reference-pages.ts";
        const pages = referencePages(createCatalogue(shelves), () => ({}));
        console.log(pages.find(({ file }) => file === "search.md").text);`,
      resolveDir: copyFolder,
      loader: "ts",
    },
    outfile: script,
    format: "cjs",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout).toContain("## largest_documents");
});
