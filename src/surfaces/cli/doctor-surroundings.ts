import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { makeBoundary } from "../../kernel/boundary.ts";
import type { Root } from "../../kernel/documents.ts";
import { filesOf } from "../../kernel/settings.ts";
import { openWalk } from "../../kernel/walk.ts";
import { isObject, parsedJson } from "../../text/json-value.ts";
import { nearest } from "../../text/similar-names.ts";
import { usualPort } from "./answer-flags.ts";
import type { CommandContext } from "./command.ts";
import type { Check } from "./doctor-check.ts";
import { readRoots } from "./doctor-checks.ts";
import { checkIdentification } from "./doctor-loopback.ts";
import { isOnPath, mcpFileName } from "./init.ts";

type Environment = CommandContext["env"];

/** Looks at what lies around a home: the installation, the environment, the agents and the port. */
export async function checkSurroundings(context: CommandContext): Promise<Check[]> {
  const { script, env, cwd, settings, program } = context;
  return [
    ...(script === undefined ? [] : checkProgram(script)),
    checkGit(),
    ...checkEnvironment(env),
    ...checkKeys(filesOf(settings).config),
    ...readRoots(settings).flatMap((root) => checkFilled(root, program)),
    ...(await checkAgents(cwd, env, program)),
    await checkPort(usualPort, program),
    await checkIdentification(),
  ];
}

/** What the program starts or reads beside itself, and what is amiss without it. */
const ownFiles = [
  ["web/index.html", "the page"],
  ["convert", "reading other formats"],
  ["sql.mjs", "SQL over objects"],
  ["symbols.mjs", "deep analysis"],
  ["models/run.mjs", "search by meaning"],
  ["models/minilm/model.onnx", "search by meaning"],
] as const;

const ownPackages = [
  ["@parcel/watcher", "seeing changes at once"],
  ["@vscode/tree-sitter-wasm", "deep analysis"],
  ["onnxruntime-node", "search by meaning"],
] as const;

/** Only of a built program: where it runs from its sources, a build is what is missing. */
export function checkProgram(script: string): Check[] {
  const folder = dirname(existsSync(script) ? realpathSync(script) : script);
  const name = "program";
  if (!existsSync(join(folder, "main.js"))) return [];
  const lost = ownFiles.filter(([file]) => !existsSync(join(folder, file)));
  const needs = createRequire(join(folder, "main.js"));
  const absent = ownPackages.filter(([wanted]) => !isInstalled(needs, wanted));
  const lacking = [...lost, ...absent].map(([what, without]) => `${what} (${without})`);
  if (lacking.length === 0) return [{ name, state: "ok", says: "All its files are there." }];
  return [
    {
      name,
      state: lost.length > 0 ? "fail" : "warn",
      says: `Missing: ${lacking.join(", ")}.`,
      remedy: "Install it again, with its optional packages: 'npm install -g lectern-*.tgz'.",
    },
  ];
}

function isInstalled(needs: NodeJS.Require, name: string): boolean {
  try {
    needs.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // A package may keep its manifest to itself and is there all the same.
    return (error as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}

export function checkGit(command = "git"): Check {
  const { stdout, error } = spawnSync(command, ["--version"], { encoding: "utf8" });
  if (!error) return { name: "git", state: "ok", says: stdout.trim() };
  return {
    name: "git",
    state: "warn",
    says: "git is not on the path.",
    remedy: "Install it: without, the dates of pages are those of their files.",
  };
}

export function checkEnvironment({
  LECTERN_HOME: home,
  LECTERN_TOKEN: token,
}: Environment): Check[] {
  const name = "environment";
  const checks: Check[] = [];
  if (home && !isAbsolute(home)) {
    const says = `LECTERN_HOME is '${home}': in each folder it means another home.`;
    checks.push({ name, state: "warn", says, remedy: "Give the whole path." });
  }
  if (token && !/^\S{8,}$/.test(token)) {
    const says = "LECTERN_TOKEN cannot be used: no server starts with it.";
    const remedy = "Choose one of 8 characters or more, without blanks.";
    checks.push({ name, state: "fail", says, remedy });
  }
  return checks;
}

const knownKeys = ["collections", "contexts", "models"];

/** Keys that nobody knows are people's own; one that is nearly a known one is a slip. */
export function checkKeys(path: string): Check[] {
  const keys = Object.keys(readObject(path) ?? {});
  return keys.flatMap((key): Check[] => {
    const [meant] = knownKeys.includes(key) ? [] : nearest(key, knownKeys, 1);
    if (meant === undefined) return [];
    const says = `The configuration has '${key}', which nobody reads.`;
    return [{ name: "config", state: "warn", says, remedy: `Did you mean '${meant}'?` }];
  });
}

/** A collection in which nothing is found is most often a wrong folder or a wrong pattern. */
export function checkFilled(root: Root, program: string): Check[] {
  if (!existsSync(root.path)) return [];
  for (const files of openWalk(root, makeBoundary({ base: root.path })).below(""))
    if (files.length > 0) return [];
  return [
    {
      name: "collection",
      state: "warn",
      says: `${root.name}: no file in ${root.path} fits '${root.pattern}'.`,
      remedy: `Remove it and add it with another --mask: '${program} collection add'.`,
    },
  ];
}

interface AgentEntry {
  command?: unknown;
  args?: unknown;
  url?: unknown;
}

/** The entry that agents of this folder start; entries of others are theirs. */
async function checkAgents(cwd: string, env: Environment, program: string): Promise<Check[]> {
  const path = join(cwd, mcpFileName);
  if (!existsSync(path)) return [];
  const name = "agents";
  const file = readObject(path);
  if (!file) {
    const says = `${mcpFileName} of this folder is not valid JSON: no agent can read it.`;
    return [{ name, state: "fail", says, remedy: "Mend it by hand." }];
  }
  // Whatever it holds, a key that is not there is undefined.
  const entry = (file.mcpServers as Record<string, AgentEntry> | undefined)?.[program];
  if (!entry) return [];
  if (typeof entry.url === "string") return [await checkUrl(entry.url, program)];
  const [first] = Array.isArray(entry.args) ? entry.args : [];
  const started = [entry.command, isAbsolute(String(first)) ? first : undefined];
  const gone = started.find((word) => typeof word === "string" && !isStartable(word, env));
  if (gone === undefined)
    return [{ name, state: "ok", says: `${mcpFileName} names '${program}'.` }];
  return [
    {
      name,
      state: "fail",
      says: `${mcpFileName} starts '${gone}', which is not there.`,
      remedy: `Run '${program} init --force'.`,
    },
  ];
}

const isStartable = (word: string, env: Environment): boolean =>
  isAbsolute(word) ? existsSync(word) : isOnPath(word, env);

async function checkUrl(url: string, program: string): Promise<Check> {
  const name = "agents";
  const answerer = URL.canParse(url) ? await whoAnswers(new URL("/health", url)) : "nobody";
  if (answerer === "lectern") return { name, state: "ok", says: `A server answers at ${url}.` };
  if (typeof answerer === "object") {
    return { name, state: "warn", says: `The server at ${url} is unhealthy: ${answerer.problem}` };
  }
  return {
    name,
    state: "warn",
    says: `${mcpFileName} names ${url}, where ${answerer === "nobody" ? "nobody answers" : "another program answers"}.`,
    remedy: `Start '${program} serve', or run '${program} init --force' for an entry that needs none.`,
  };
}

/** Whether a server could listen where everybody looks for it. */
export async function checkPort(port: number, program: string): Promise<Check> {
  const name = "port";
  const answerer = await whoAnswers(new URL(`http://127.0.0.1:${port}/health`));
  if (answerer === "nobody") return { name, state: "ok", says: `${port} is free.` };
  if (answerer === "lectern") return { name, state: "ok", says: `A server answers on ${port}.` };
  if (typeof answerer === "object") {
    const says = `The server on ${port} is unhealthy: ${answerer.problem}`;
    return { name, state: "fail", says, remedy: "Restart it." };
  }
  return {
    name,
    state: "warn",
    says: `Another program answers on ${port}.`,
    remedy: `Serve on another port: '${program} serve --port ${port + 1}'.`,
  };
}

/** A server of ours tells by its health, or by the name with which it asks for its token. */
async function whoAnswers(
  url: URL,
): Promise<"lectern" | "another" | "nobody" | { problem: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    if (answer.headers.get("www-authenticate")?.includes("lectern")) return "lectern";
    const health: unknown = await answer.json();
    if (!isObject(health) || !("model_loaded" in health)) return "another";
    return health.status === "unhealthy" ? { problem: String(health.reason) } : "lectern";
  } catch (error) {
    // What answers, and not in JSON, is somebody else.
    return error instanceof SyntaxError ? "another" : "nobody";
  }
}

function readObject(path: string): Record<string, unknown> | undefined {
  try {
    const value = parsedJson(readFileSync(path, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
