import { existsSync, statSync } from "node:fs";
import { openConfig, rootsOf } from "../../kernel/config.ts";
import { openDatabase } from "../../kernel/database.ts";
import type { Root } from "../../kernel/documents.ts";
import { lastHolder } from "../../kernel/heartbeat.ts";
import { openLease } from "../../kernel/lease.ts";
import { isStopped } from "../../kernel/lock-holder.ts";
import { damagedFiles } from "../../kernel/models/bundled.ts";
import type { ModelSettings } from "../../kernel/models/configured.ts";
import { modelNames, openModels, problemsOf } from "../../kernel/models/models.ts";
import { type Files, filesOf, type Settings } from "../../kernel/settings.ts";
import { examineStore } from "../../kernel/store-health.ts";
import { type Check, complaintOf } from "./doctor-check.ts";
import { checkCollection, checkFolder, checkWatching, watchLimit } from "./doctor-folders.ts";

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
    models: () => checkModels(settings, look),
    store: () => checkStore(filesOf(settings).store, repair, look),
    lease: () => [checkLease(filesOf(settings), program)],
    collections: () => roots.map((root) => checkCollection(root, program)),
    watching: () => [checkWatching(roots, watchLimit())],
  };
  return Object.entries(work).flatMap(([name, check]) => {
    if (leftOut.has(name)) return [];
    try {
      return check();
    } catch (error) {
      return [{ name, state: "fail", says: complaintOf(error) }];
    }
  });
}

/** What a process that serves knows of itself, and a look at the files does not tell. */
export const checkServer = (problem: string | undefined): Check[] =>
  problem === undefined
    ? []
    : [{ name: "server", state: "fail", says: problem, remedy: "Restart the server." }];

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

function checkConfig(settings: Settings, repair: string): Check {
  const path = filesOf(settings).config;
  if (!existsSync(path)) {
    if (!existsSync(`${path}.bak`)) {
      return { name: "config", state: "ok", says: "None yet: defaults hold." };
    }
    const says = `${path} is gone; a copy of the last one is beside it.`;
    return { name: "config", state: "warn", says, remedy: `Copy ${path}.bak to ${path}.` };
  }
  try {
    readConfig(path);
    return { name: "config", state: "ok", says: `${path} is valid.` };
  } catch (error) {
    return { name: "config", state: "fail", says: complaintOf(error), remedy: repair };
  }
}

/** Asks no server: it may be far away, and cost something. */
function checkModels(settings: Settings, look: "whole" | "glance"): Check[] {
  const configured = readModels(settings);
  const models = openModels({
    settings: () => configured,
    configFolder: settings.configFolder,
    environment: process.env,
    keptDimensions: () => undefined,
  });
  const { embedding, reranking, expansion } = modelNames(models);
  const says = `embedding by ${embedding}, re-ranking by ${reranking}, expansion by ${expansion}`;
  const [problem] = problemsOf(models);
  const damaged = look === "whole" ? damagedModels(configured) : [];
  if (damaged.length > 0) {
    const remedy = "Install the program again: its download was cut short, or the disk is failing.";
    return [
      {
        name: "models",
        state: "fail",
        says: `Damaged: ${damaged.join(", ")}. In force: ${says}`,
        remedy,
      },
    ];
  }
  return problem
    ? [{ name: "models", state: "warn", says, remedy: problem.replaceAll("\n", " ") }]
    : [{ name: "models", state: "ok", says }];
}

/** Of the models that ship with the program, where they are in force. */
const damagedModels = (configured: ModelSettings | undefined): string[] => [
  ...(configured?.embedding ? [] : damagedFiles("embedder")),
  ...(configured?.reranking ? [] : damagedFiles("reranker")),
];

function checkStore(path: string, repair: string, look: "whole" | "glance"): Check[] {
  if (!existsSync(path)) return [{ name: "store", state: "ok", says: "None yet." }];
  if (statSync(path).isDirectory()) {
    const remedy = "Move it away, or set LECTERN_HOME to another folder.";
    return [{ name: "store", state: "fail", says: `${path} is a folder.`, remedy }];
  }
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

function checkLease({ lease: path, heartbeat }: Files, program: string): Check {
  const name = "lease";
  const alone = `No process watches now: '${program} serve' would, '${program} update' catches up.`;
  if (!existsSync(path)) return { name, state: "ok", says: alone };
  const lease = openLease(path);
  const free = lease.take();
  lease.close();
  if (free) return { name, state: "ok", says: alone };
  const pid = lastHolder(heartbeat);
  if (pid === undefined || !isStopped(pid)) {
    return { name, state: "ok", says: "Another process watches and indexes." };
  }
  return {
    name,
    state: "fail",
    says: `The process that watches and indexes (${pid}) is stopped.`,
    remedy: `Continue it with 'kill -CONT ${pid}', or end it.`,
  };
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
