import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import type { Root } from "../../../kernel/documents/documents.ts";
import { isLeaseHeld } from "../../../kernel/home/lease.ts";
import { homeFiles } from "../../../kernel/home/settings.ts";
import { openWalk } from "../../../kernel/indexing/walk.ts";
import { createBoundary } from "../../../kernel/paths/boundary.ts";
import { isPostgresAddress } from "../../../kernel/postgres/home-address.ts";
import { isJsonObject, tryParseJson } from "../../../text/formats/json-value.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { defaultPort } from "../arguments/result-flags.ts";
import type { CommandContext } from "../command.ts";
import { isOnPath, mcpFileName } from "../init.ts";
import type { Check } from "./check.ts";
import { checkCollection } from "./folder-checks.ts";
import { readCollectionRoots } from "./installation-checks.ts";
import { checkPeerIdentification } from "./loopback-check.ts";

type Environment = CommandContext["env"];

/** Checks everything outside the home: installation, environment, agents and the port. */
export async function checkHost(context: CommandContext): Promise<Check[]> {
  const { script, env, cwd, settings, program } = context;
  return [
    ...(script === undefined ? [] : checkProgramFiles(script)),
    checkGit(),
    ...checkEnvironment(env),
    ...checkConfigKeys(homeFiles(settings).config),
    ...readCollectionRoots(settings).flatMap((root) => checkEmptyCollection(root, program)),
    ...(await checkAgents(cwd, env, program)),
    await checkPort(defaultPort, program, isLeaseHeld(homeFiles(settings).lease)),
    await checkPeerIdentification(homeFiles(settings).socket),
  ];
}

/** Files that the program loads at run time, and the feature that needs each. */
const programFiles = [
  ["web/index.html", "the web app"],
  ["convert", "document conversion"],
  ["sql.mjs", "SQL queries"],
  ["symbols.mjs", "code analysis"],
  ["models/run.mjs", "semantic search"],
  ["models/minilm/model.onnx", "semantic search"],
] as const;

const optionalPackages = [
  ["@parcel/watcher", "watching files"],
  ["@vscode/tree-sitter-wasm", "code analysis"],
  ["onnxruntime-node", "semantic search"],
] as const;

/** Checks a built program only; when run from its sources, these files do not exist yet. */
export function checkProgramFiles(script: string): Check[] {
  const folder = dirname(existsSync(script) ? realpathSync(script) : script);
  const name = "program";
  if (!existsSync(join(folder, "main.js"))) return [];
  const missingFiles = programFiles.filter(([file]) => !existsSync(join(folder, file)));
  const require = createRequire(join(folder, "main.js"));
  const missingPackages = optionalPackages.filter(([name]) => !isInstalled(require, name));
  const missing = [...missingFiles, ...missingPackages].map(([item, use]) => `${item} (${use})`);
  if (missing.length === 0) return [{ name, state: "ok", says: "All program files are present." }];
  return [
    {
      name,
      state: missingFiles.length > 0 ? "fail" : "warn",
      says: `Missing: ${missing.join(", ")}.`,
      remedy: "Reinstall with optional packages: 'npm install -g lectern-*.tgz'.",
    },
  ];
}

function isInstalled(require: NodeJS.Require, name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // An installed package may not export its package.json.
    return (error as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}

/** A git on a disconnected mount must not hang the doctor. */
const gitTimeoutMs = 5_000;

export function checkGit(command = "git"): Check {
  const { stdout, error } = spawnSync(command, ["--version"], {
    encoding: "utf8",
    timeout: gitTimeoutMs,
  });
  if (!error) return { name: "git", state: "ok", says: stdout.trim() };
  return {
    name: "git",
    state: "warn",
    says: "git is not on PATH.",
    remedy: "Install git: without it, page dates are the modification times of files.",
  };
}

export function checkEnvironment({
  LECTERN_HOME: home,
  LECTERN_TOKEN: token,
}: Environment): Check[] {
  const name = "environment";
  const checks: Check[] = [];
  if (home && !isPostgresAddress(home) && !isAbsolute(home)) {
    const says = `LECTERN_HOME is the relative path '${home}': the home depends on the current folder.`;
    checks.push({ name, state: "warn", says, remedy: "Set it to an absolute path." });
  }
  if (token && !/^\S{8,}$/.test(token)) {
    const says = "LECTERN_TOKEN is invalid: a server does not start with it.";
    const remedy = "Use 8 or more characters without spaces.";
    checks.push({ name, state: "fail", says, remedy });
  }
  return checks;
}

const knownKeys = ["collections", "contexts", "models"];

/** Unknown keys are allowed, but one similar to a known key is probably a typing error. */
export function checkConfigKeys(path: string): Check[] {
  const keys = Object.keys(readObject(path) ?? {});
  return keys.flatMap((key): Check[] => {
    const [meant] = knownKeys.includes(key) ? [] : similarNames(key, knownKeys, 1);
    if (meant === undefined) return [];
    const says = `Unknown key '${key}' in the configuration.`;
    return [{ name: "config", state: "warn", says, remedy: `Did you mean '${meant}'?` }];
  });
}

/** A collection without files usually has the wrong folder or pattern. */
export function checkEmptyCollection(root: Root, program: string): Check[] {
  if (checkCollection(root, program).state !== "ok") return [];
  for (const files of openWalk(root, createBoundary({ base: root.path })).filesBelow(""))
    if (files.length > 0) return [];
  return [
    {
      name: "collection",
      state: "warn",
      says: `${root.name}: no file in ${root.path} matches '${root.pattern}'.`,
      remedy: `Choose another mask: '${program} collection set ${root.name} --mask ...'.`,
    },
  ];
}

interface AgentEntry {
  command?: unknown;
  args?: unknown;
  url?: unknown;
}

/** Checks our entry in this folder's `.mcp.json`; other entries are ignored. */
async function checkAgents(cwd: string, env: Environment, program: string): Promise<Check[]> {
  const path = join(cwd, mcpFileName);
  if (!existsSync(path)) return [];
  const name = "agents";
  const file = readObject(path);
  if (!file) {
    const says = `${mcpFileName} in this folder is not valid JSON: agents cannot read it.`;
    return [{ name, state: "fail", says, remedy: "Correct it manually." }];
  }
  // Indexing any other JSON value also yields undefined for a missing key.
  const entry = (file.mcpServers as Record<string, AgentEntry> | undefined)?.[program];
  if (!entry) return [];
  if (typeof entry.url === "string") return [await checkUrl(entry.url, program)];
  const [first] = Array.isArray(entry.args) ? entry.args : [];
  const started = [entry.command, isAbsolute(String(first)) ? first : undefined];
  const missing = started.find((word) => typeof word === "string" && !isStartable(word, env));
  if (missing === undefined)
    return [{ name, state: "ok", says: `${mcpFileName} has an entry '${program}'.` }];
  return [
    {
      name,
      state: "fail",
      says: `${mcpFileName} starts '${missing}', which does not exist.`,
      remedy: `Run '${program} init --force'.`,
    },
  ];
}

const isStartable = (word: string, env: Environment): boolean =>
  isAbsolute(word) ? existsSync(word) : isOnPath(word, env);

async function checkUrl(url: string, program: string): Promise<Check> {
  const name = "agents";
  const answerer = URL.canParse(url) ? await probeServer(new URL("/health", url)) : "none";
  if (answerer === "lectern") return { name, state: "ok", says: `A server is running at ${url}.` };
  if (typeof answerer === "object") {
    return { name, state: "warn", says: `The server at ${url} is unhealthy: ${answerer.problem}` };
  }
  return {
    name,
    state: "warn",
    says: `${mcpFileName} names ${url}, where ${answerer === "none" ? "no server is running" : "another program is running"}.`,
    remedy: `Start '${program} serve', or run '${program} init --force' for an entry without a server.`,
  };
}

/**
 * Whether the default port is free or used by a server, and whether that can be a server of this
 * home: one would hold its lease.
 */
export async function checkPort(
  port: number,
  program: string,
  isHomeServed: boolean,
): Promise<Check> {
  const name = "port";
  const answerer = await probeServer(new URL(`http://127.0.0.1:${port}/health`));
  if (answerer === "none") return { name, state: "ok", says: `Port ${port} is free.` };
  if (answerer === "lectern" && !isHomeServed) {
    return {
      name,
      state: "warn",
      says: `The server on port ${port} serves another home.`,
      remedy: `Set LECTERN_HOME to that home, or serve this one: '${program} serve --port ${port + 1}'.`,
    };
  }
  if (answerer === "lectern")
    return { name, state: "ok", says: `A server is running on port ${port}.` };
  if (typeof answerer === "object") {
    const says = `The server on port ${port} is unhealthy: ${answerer.problem}`;
    return { name, state: "fail", says, remedy: "Restart it." };
  }
  return {
    name,
    state: "warn",
    says: `Another program uses port ${port}.`,
    remedy: `Serve on another port: '${program} serve --port ${port + 1}'.`,
  };
}

/** Identifies our server by its health report, or by the realm in its token challenge. */
async function probeServer(
  url: URL,
): Promise<"lectern" | "another" | "none" | { problem: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    if (answer.headers.get("www-authenticate")?.includes("lectern")) return "lectern";
    const health: unknown = await answer.json();
    if (!isJsonObject(health) || !("model_loaded" in health)) return "another";
    return health.status === "unhealthy" ? { problem: String(health.reason) } : "lectern";
  } catch (error) {
    // A response that is not JSON comes from another program.
    return error instanceof SyntaxError ? "another" : "none";
  }
}

function readObject(path: string): Record<string, unknown> | undefined {
  try {
    const value = tryParseJson(readFileSync(path, "utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
