import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { runProgram, startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Answer, type HttpClient, httpClientAt } from "../http-client.ts";
import { startSwapper } from "./swapper.ts";

/** In the name and text of every file outside, and in no request. */
const secret = "quicksilver";

const workers = 6;

/**
 * A folder inside --force-root is swapped with a link to a folder outside, thousands of
 * times a second, while files are written there, folders listed, and the folder is indexed
 * as a collection.
 */
export const swaps: Campaign = {
  name: "swaps",
  unit: "writes, listings and reads",
  counts: { ci: 600, default: 6_000, long: 60_000 },
  roundOf: 600,
  skipReason: () =>
    process.platform === "linux"
      ? undefined
      : "only Linux can access an open folder by its descriptor",
  round: swapFolders,
};

/** One attempt: its name and its request. `folder` is being swapped. */
type Attempt = (
  client: HttpClient & { url: string },
  folder: string,
  name: string,
) => Promise<Answer>;

const toolAttempt =
  (name: string, inputFor: (folder: string, name: string) => object): Attempt =>
  (client, folder, unique) =>
    client.send("POST", `/tools/${name}`, { arguments: inputFor(folder, unique) });

/** A call over MCP is answered as an event stream; the last event is the answer. */
const mcpAttempt =
  (name: string, inputFor: (folder: string, name: string) => object): Attempt =>
  async (client, folder, unique) => {
    const params = { name, arguments: inputFor(folder, unique) };
    const response = await fetch(`${client.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const text = await response.text();
    const events = text.split("\n").filter((line) => line.startsWith("data: {"));
    const answer = JSON.parse(events.at(-1)?.slice("data: ".length) ?? text);
    // A protocol error would mean that no operation was reached.
    const status = answer.result === undefined ? 500 : answer.result.isError ? 400 : 200;
    return { status: response.ok ? status : response.status, body: text };
  };

const personAttempt =
  (path: string, inputFor: (folder: string, name: string) => object): Attempt =>
  async (client, folder, unique) => {
    try {
      return {
        status: 200,
        body: await client.callAsPerson("POST", path, inputFor(folder, unique)),
      };
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      return { status, body: String(error) };
    }
  };

const config = (folder: string, name: string) => ({
  ssg: "mkdocs",
  projectName: "Lamp",
  outputPath: join(folder, name, "deep"),
});

const attempts: Record<string, Attempt> = {
  export_project: personAttempt("/qualitative/projects/export", (folder, name) => ({
    file: join(folder, `${name}.qdpx`),
  })),
  "export_project of codes": personAttempt("/qualitative/projects/export", (folder, name) => ({
    file: join(folder, `${name}.csv`),
  })),
  create_project: toolAttempt("create_project", (folder, name) => ({
    path: join(folder, `${name}.qda`),
  })),
  import_project: personAttempt("/qualitative/projects/import", (folder, name) => ({
    file: join(folder, "../../codes.txt"),
    path: join(folder, `${name}.qda`),
  })),
  import_file_source: toolAttempt("import_file_source", (folder) => ({
    file_path: join(folder, "words.txt"),
  })),
  open_project: toolAttempt("open_project", (folder) => ({ path: join(folder, "kept.qda") })),
  generate_config: toolAttempt("generate_config", config),
  "generate_config over MCP": mcpAttempt("generate_config", config),
  setup_structure: toolAttempt("setup_structure", (folder, name) => ({
    path: join(folder, name),
    ssg: "mkdocs",
  })),
  populate_diataxis_content: toolAttempt("populate_diataxis_content", (folder, name) => ({
    path: folder,
    docsPath: join(folder, name),
    populationLevel: "basic",
  })),
  manage_sitemap: toolAttempt("manage_sitemap", (folder, name) => ({
    action: "generate",
    docsPath: folder,
    baseUrl: "https://lamp.example",
    sitemapPath: join(folder, `${name}.xml`),
  })),
  read_directory: toolAttempt("read_directory", (folder) => ({ path: folder })),
  "read_directory over MCP": mcpAttempt("read_directory", (folder) => ({ path: folder })),
  analyze_repository: toolAttempt("analyze_repository", (folder) => ({
    path: folder,
    depth: "quick",
  })),
  qmdc_dump_index: toolAttempt("qmdc_dump_index", (folder) => ({ path: folder })),
  validate_diataxis_content: toolAttempt("validate_diataxis_content", (folder) => ({
    contentPath: folder,
  })),
  update: (client) => client.send("POST", "/update", {}),
  index: (client) => client.send("POST", "/index", {}),
  search: toolAttempt("search", () => ({ query: "lit", limit: 50 })),
  "search over MCP": mcpAttempt("search", () => ({ query: "lit", limit: 50 })),
  get: toolAttempt("get", () => ({ file: "whole/inner/README.md" })),
  "get over MCP": mcpAttempt("get", () => ({ file: "inner/docs/README.md" })),
  "list documents": (client) => client.send("GET", "/documents?limit=200"),
};

async function swapFolders({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-swaps-"));
  const [home, root, outside] = ["home", "root", "outside"].map((name) =>
    join(tempFolder, name),
  ) as [string, string, string];
  createFolders(root, outside);
  const temporary = join(tempFolder, "tmp");
  for (const folder of [home, temporary]) mkdirSync(folder);
  // A process with --force-root cannot add a named collection.
  const collections = { whole: join(root, "work"), inner: join(root, "work/inner") };
  for (const [name, folder] of Object.entries(collections)) {
    const { code, stderr } = await runProgram(["collection", "add", folder, "--name", name], {
      home,
    });
    if (code !== 0) throw new Error(`The collection '${name}' was not added: ${stderr}`);
  }
  const server = await startServer(home, ["--root", root, "--force-root", root], {
    TMPDIR: temporary,
  });
  const losses: string[] = [];
  const done: Record<string, number> = {};
  let before: string[] = [];
  const addCount = (what: string, times = 1): void => {
    done[what] = (done[what] ?? 0) + times;
  };
  try {
    const client = { ...httpClientAt(server.url), url: server.url };
    const projects = { "secret.qda": secret, "work/inner/kept.qda": "Lamp", "open.qda": "Lamp" };
    for (const [path, name] of Object.entries(projects)) {
      await client.callTool("create_project", { path: join(root, path), name });
      await client.callTool("create_code", { name, color: "#ff0000" });
    }
    renameSync(join(root, "secret.qda"), join(outside, "inner/kept.qda"));
    before = stateOf(outside);
    const isDeep = seed % 2 === 0;
    const stop = startSwapper(
      join(root, isDeep ? "work/inner" : "work"),
      isDeep ? join(outside, "inner") : outside,
    );
    const inner = join(root, "work/inner");
    let refusal = "";
    const attemptOne = async (kind: string, name: string): Promise<boolean> => {
      const answer = await attempts[kind]?.(client, inner, name);
      const { status = 0, body = "" } = answer ?? {};
      const text = JSON.stringify(body);
      const problem = text.slice(0, 300);
      refusal = problem;
      if (status >= 500 && !isExpected(text)) {
        losses.push(`${kind} was answered ${status}: ${problem}`);
      }
      if (text.includes("Internal error")) losses.push(`${kind} failed internally: ${problem}`);
      if (text.includes(secret)) losses.push(`${kind} exposed a file outside: ${problem}`);
      return status < 300;
    };
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const name = `made-${next++}`;
        const kind = pick(random, Object.keys(attempts));
        addCount(`${kind} ${(await attemptOne(kind, name)) ? "done" : "refused"}`);
      }
    };
    try {
      await Promise.all(Array.from({ length: workers }, worker));
    } finally {
      addCount("swaps", await stop());
    }
    // Attempts that are refused without swaps too would prove nothing. Their order
    // matters here: a file is imported into the project created just before.
    await client.callTool("open_project", { path: join(inner, "kept.qda") });
    await client.send("POST", "/update", {});
    for (const kind of Object.keys(attempts)) {
      if (await attemptOne(kind, `last-${kind.replaceAll(" ", "-")}`)) continue;
      losses.push(`${kind} is refused even without swaps: ${refusal}`);
    }
  } finally {
    await server.stop();
  }
  const changed = stateOf(outside).filter((line) => !before.includes(line));
  losses.push(...changed.map((line) => `written outside: ${line}`));
  const removed = before.filter((line) => !stateOf(outside).includes(line));
  losses.push(...removed.map((line) => `changed or removed outside: ${line}`));
  const leftoverPaths = [...leftovers(root), ...leftovers(temporary)];
  // SQLite could not remove it by name, and rolls back that write at the next opening.
  const unexpected = leftoverPaths.filter((path) => !path.endsWith(".qda/data.qda-journal"));
  addCount("journals to be rolled back", leftoverPaths.length - unexpected.length);
  losses.push(...unexpected.map((path) => `left behind: ${path}`));
  addCount("written outside", changed.length);
  addCount("temporary files left", unexpected.length);
  rmSync(tempFolder, { recursive: true, force: true });
  return { done, losses };
}

/**
 * A file that another process is writing to; and a project whose folder is missing during a commit,
 * which SQLite reports as a disk error. Tools return the code, routes the message.
 */
const isExpected = (answer: string): boolean =>
  /STORE.BUSY|DISK.FULL|the disk is full or failing/i.test(answer);

/** Inside and outside have the same structure, so that every path exists on either side. */
function createFolders(root: string, outside: string): void {
  const files = {
    "README.md": "# Lamp\n\nHow the lamp is lit.\n",
    "package.json": '{"name":"lamp"}',
    "words.txt": "Words about the lamp.\n",
    "guide.md": "# Guide\n",
    "readme.qmd.md": "# Lamp [[lamp: Thing]]\n",
  };
  for (const folder of ["", "inner", "inner/docs"]) {
    mkdirSync(join(root, "work", folder), { recursive: true });
    mkdirSync(join(outside, folder), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(root, "work", folder, name), text);
      writeFileSync(join(outside, folder, name), text.replace(/lamp/gi, secret));
      writeFileSync(join(outside, folder, `${secret}-${name}`), text);
    }
  }
  writeFileSync(join(root, "codes.txt"), "Lamp\nOil\n");
}

const stateOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readFileSync(path) : "";
    return `${path} ${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
  });

/** No temporary file may remain in a folder after all processes have ended. */
const leftovers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(^|\/)\.|\.(new|tmp|staging)$|-(journal|wal|shm)$/.test(path),
  );

const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;
