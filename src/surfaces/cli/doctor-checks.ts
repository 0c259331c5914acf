import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openConfig, rootsOf } from "../../kernel/config.ts";
import { openDatabase } from "../../kernel/database.ts";
import type { Root } from "../../kernel/documents.ts";
import { Failure } from "../../kernel/failure.ts";
import { openLease } from "../../kernel/lease.ts";
import type { ModelSettings } from "../../kernel/models/configured.ts";
import { modelNames, openModels, problemsOf } from "../../kernel/models/models.ts";
import { filesOf, type Settings } from "../../kernel/settings.ts";
import { examineStore } from "../../kernel/store-health.ts";

/** One line of what the doctor says. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  readonly remedy?: string;
}

/**
 * Looks at everything and changes nothing. A glance, for a server at work, leaves out what takes
 * long or what a process that serves knows without asking; below a force root also what lies outside.
 */
export function checkAll(
  settings: Settings,
  program: string,
  look: "whole" | "glance" = "whole",
): Check[] {
  const leftOut = new Set([
    ...(look === "glance" ? ["lease", "watching"] : []),
    ...(look === "glance" && settings.forceRoot !== undefined
      ? ["home", "config", "store", "collections"]
      : []),
  ]);
  const roots = readRoots(settings);
  const repair = `Run '${program} doctor --repair'.`;
  const work: Record<string, () => Check[]> = {
    node: () => [checkNode(process.versions.node)],
    sqlite: () => [checkSqlite()],
    home: () => folders(settings).map(checkFolder),
    config: () => [checkConfig(settings, repair)],
    models: () => checkModels(settings),
    store: () => checkStore(filesOf(settings).store, repair, look),
    lease: () => [checkLease(filesOf(settings).lease, program)],
    collections: () => roots.map((root) => checkCollection(root, program)),
    watching: () => [checkWatching(roots, watchLimit())],
  };
  return Object.entries(work).flatMap(([name, check]) => {
    if (leftOut.has(name)) return [];
    try {
      return check();
    } catch (error) {
      return [{ name, state: "fail", says: reasonOf(error) }];
    }
  });
}

/** The same as `engines` in package.json. */
const leastNode = "20.19";

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = leastNode.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) {
    return { name: "node", state: "ok", says: `Node ${version}` };
  }
  return {
    name: "node",
    state: "fail",
    says: `Node ${version} is too old.`,
    remedy: `Install Node ${leastNode} or newer.`,
  };
}

/** Opening anything refuses an SQLite that could lose what was committed. */
function checkSqlite(): Check {
  const db = openDatabase(":memory:");
  const row = db.get<{ version: string }>("SELECT sqlite_version() AS version");
  db.close();
  return { name: "sqlite", state: "ok", says: `SQLite ${row?.version}` };
}

const folders = ({ dataFolder, configFolder }: Settings): string[] => [
  ...new Set([dataFolder, configFolder]),
];

/** Below this, an index may not find the room to be written anew. */
const leastFree = 200_000_000;

/** Tries instead of asking: a full or read-only disk does not show in the permissions. */
export function checkFolder(folder: string): Check {
  const name = "home";
  if (!existsSync(folder)) {
    if (lstatSync(folder, { throwIfNoEntry: false })) {
      const remedy = "Bring back what it leads to, or name another folder in LECTERN_HOME.";
      return { name, state: "fail", says: `${folder} is a link that leads nowhere.`, remedy };
    }
    let above = dirname(folder);
    while (!existsSync(above)) above = dirname(above);
    if (isUsable(above, constants.W_OK)) {
      return { name, state: "ok", says: `${folder} will be made when it is needed.` };
    }
    const remedy = `Make ${above} writable, or name another folder in LECTERN_HOME.`;
    return { name, state: "fail", says: `${folder} cannot be made.`, remedy };
  }
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const remedy = "Look at its permissions and at the disk, or name another in LECTERN_HOME.";
    return { name, state: "fail", says: `${folder}: ${reasonOf(error)}`, remedy };
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < leastFree) {
    const says = `${folder} has ${Math.floor((bavail * bsize) / 1e6)} MB left.`;
    return { name, state: "warn", says, remedy: "Free some space: an index needs room to grow." };
  }
  return { name, state: "ok", says: `${folder} is writable.` };
}

function checkConfig(settings: Settings, repair: string): Check {
  const path = filesOf(settings).config;
  if (!existsSync(path)) return { name: "config", state: "ok", says: "None yet: defaults hold." };
  try {
    readConfig(path);
    return { name: "config", state: "ok", says: `${path} is valid.` };
  } catch (error) {
    return { name: "config", state: "fail", says: reasonOf(error), remedy: repair };
  }
}

/** Asks no server: it may be far away, and cost something. */
function checkModels(settings: Settings): Check[] {
  const configured = readModels(settings);
  if (!configured) return [];
  const models = openModels({
    settings: () => configured,
    configFolder: settings.configFolder,
    environment: process.env,
    keptDimensions: () => undefined,
  });
  const { embedding, reranking, expansion } = modelNames(models);
  const says = `embedding by ${embedding}, re-ranking by ${reranking}, expansion by ${expansion}`;
  const [problem] = problemsOf(models);
  return problem
    ? [{ name: "models", state: "warn", says, remedy: problem.replaceAll("\n", " ") }]
    : [{ name: "models", state: "ok", says }];
}

function checkStore(path: string, repair: string, look: "whole" | "glance"): Check[] {
  if (!existsSync(path)) return [{ name: "store", state: "ok", says: "None yet." }];
  const { damage, missing, stale } = examineStore(path, look);
  if (damage.length > 0) {
    const says = `The store is damaged: ${damage.join("; ").replace(/\s+/g, " ")}.`;
    return [{ name: "store", state: "fail", says, remedy: repair }];
  }
  const says =
    missing.length > 0
      ? `Tables are missing: ${missing.join(", ")}.`
      : `A change could not be taken in by: ${stale.join(", ")}.`;
  return [
    {
      name: "store",
      state: "ok",
      says: `${path} ${look === "whole" ? "is sound" : "can be read"}.`,
    },
    missing.length + stale.length > 0
      ? { name: "index", state: "fail", says, remedy: repair }
      : { name: "index", state: "ok", says: "All derived tables are there." },
  ];
}

function checkLease(path: string, program: string): Check {
  const name = "lease";
  const alone = `No process watches now: '${program} serve' would, '${program} update' catches up.`;
  if (!existsSync(path)) return { name, state: "ok", says: alone };
  const lease = openLease(path);
  const free = lease.take();
  lease.close();
  return { name, state: "ok", says: free ? alone : "Another process watches and indexes." };
}

export function checkCollection({ name, path }: Root, program: string): Check {
  const remedy = `Bring it back, or run '${program} collection remove ${name}'.`;
  const about = { name: "collection" };
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { ...about, state: "fail", says: `${name}: ${path} is not there.`, remedy };
  if (!found.isDirectory()) {
    return { ...about, state: "fail", says: `${name}: ${path} is no folder.`, remedy };
  }
  if (!isUsable(path, constants.R_OK | constants.X_OK)) {
    const says = `${name}: ${path} cannot be read.`;
    return { ...about, state: "fail", says, remedy: "Look at its permissions." };
  }
  return { ...about, state: "ok", says: `${name}: ${path}` };
}

/** On Linux each folder that is watched takes one of a limited number of watches. */
export function checkWatching(roots: readonly Root[], limit: number | undefined): Check {
  const name = "watching";
  if (limit === undefined) return { name, state: "ok", says: "No limit on this platform." };
  const count = roots.reduce((sum, { path }) => sum + countFolders(path, limit + 1 - sum), 0);
  if (count <= limit) {
    return { name, state: "ok", says: `${count} folders, of at most ${limit} watches.` };
  }
  return {
    name,
    state: "warn",
    says: `More folders than the system's ${limit} watches: changes may be missed.`,
    remedy: "Raise fs.inotify.max_user_watches by sysctl, or choose smaller collections.",
  };
}

function watchLimit(): number | undefined {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
  } catch {
    return undefined;
  }
}

/** Counts no further than `most`; what cannot be listed cannot be watched either. */
function countFolders(root: string, most: number): number {
  const waiting = [root];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined && count < most; folder = waiting.pop()) {
    count++;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory()) waiting.push(join(folder, entry.name));
      }
    } catch {}
  }
  return count;
}

/** Nothing where those that ship with the program are in force. */
function readModels(settings: Settings): ModelSettings | undefined {
  try {
    return readConfig(filesOf(settings).config).read().models;
  } catch {
    return undefined;
  }
}

/** The configured collections; none where the configuration cannot be read. */
export function readRoots(settings: Settings): Root[] {
  try {
    return rootsOf(readConfig(filesOf(settings).config));
  } catch {
    // A line of its own tells what is wrong with the configuration.
    return [];
  }
}

/** For reading alone, so that there is nothing to take turns for. */
function readConfig(path: string) {
  const config = openConfig(path, (work) => work());
  config.read();
  return config;
}

function isUsable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  const words: Record<string, string | undefined> = {
    EACCES: "no permission",
    EPERM: "no permission",
    EROFS: "the disk is read-only",
    ENOSPC: "the disk is full",
    ENOTDIR: "no folder",
  };
  return words[code ?? ""] ?? message ?? "unknown";
}
