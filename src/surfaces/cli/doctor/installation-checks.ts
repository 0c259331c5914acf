import { existsSync, statSync } from "node:fs";
import type { Root } from "../../../kernel/documents/documents.ts";
import { configuredRoots, openConfigFile } from "../../../kernel/home/config.ts";
import { readLastHolder } from "../../../kernel/home/heartbeat.ts";
import { openLease } from "../../../kernel/home/lease.ts";
import { type HomeFiles, homeFiles, type Settings } from "../../../kernel/home/settings.ts";
import { checkStoreHealth } from "../../../kernel/integrity/store-health.ts";
import { damagedModelFiles } from "../../../kernel/models/bundled-models.ts";
import type { ModelSettings } from "../../../kernel/models/model-settings.ts";
import { modelNames, modelProblems, openModels } from "../../../kernel/models/models.ts";
import { openDatabase } from "../../../kernel/storage/database.ts";
import { isProcessStopped } from "../../../kernel/storage/lock-holder.ts";
import { type Check, describeCheckError } from "./check.ts";
import { checkCollection, checkFolder, checkWatching, watchLimit } from "./folder-checks.ts";

/**
 * Runs read-only checks. A "glance", for a running server, skips checks that are slow or that the
 * server knows the result of; with a force root it also skips everything outside the root.
 */
export function checkInstallation(
  settings: Settings,
  program: string,
  look: "whole" | "glance" = "whole",
): Check[] {
  const skipped = new Set([
    ...(look === "glance" ? ["lease", "watching"] : []),
    ...(look === "glance" && settings.forceRoot !== undefined
      ? ["home", "config", "store", "collections"]
      : []),
  ]);
  const roots = readCollectionRoots(settings);
  if (settings.database) for (const name of ["config", "store", "lease"]) skipped.add(name);
  const repair = `Run '${program} doctor --repair'.`;
  const work: Record<string, () => Check[]> = {
    node: () => [checkNode(process.versions.node)],
    sqlite: () => [checkSqlite()],
    home: () => homeFolders(settings).map(checkFolder),
    config: () => [checkConfig(settings, repair)],
    models: () => checkModels(settings, look),
    store: () => checkStore(homeFiles(settings).store, repair, look),
    lease: () => [checkLease(homeFiles(settings), program)],
    collections: () => roots.map((root) => checkCollection(root, program)),
    watching: () => [checkWatching(roots, watchLimit())],
  };
  return Object.entries(work).flatMap(([name, check]) => {
    if (skipped.has(name)) return [];
    try {
      return check();
    } catch (error) {
      return [{ name, state: "fail", says: describeCheckError(error) }];
    }
  });
}

/** A problem that only the running server can detect. */
export const serverProblemChecks = (problem: string | undefined): Check[] =>
  problem === undefined
    ? []
    : [{ name: "server", state: "fail", says: problem, remedy: "Restart the server." }];

/** The same as `engines` in package.json. */
const minNodeVersion = "20.19";

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = minNodeVersion.split(".").map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) {
    return { name: "node", state: "ok", says: `Node ${version}` };
  }
  return {
    name: "node",
    state: "fail",
    says: `Node ${version} is too old.`,
    remedy: `Install Node ${minNodeVersion} or newer.`,
  };
}

/** Opening a database fails if this SQLite version could lose committed data. */
function checkSqlite(): Check {
  const db = openDatabase(":memory:");
  const row = db.get<{ version: string }>("SELECT sqlite_version() AS version");
  db.close();
  return { name: "sqlite", state: "ok", says: `SQLite ${row?.version}` };
}

const homeFolders = ({ dataFolder, configFolder }: Settings): string[] => [
  ...new Set([dataFolder, configFolder]),
];

function checkConfig(settings: Settings, repair: string): Check {
  const path = homeFiles(settings).config;
  if (!existsSync(path)) {
    if (!existsSync(`${path}.bak`)) {
      return { name: "config", state: "ok", says: "None yet: defaults apply." };
    }
    const says = `${path} is missing, but its backup exists.`;
    return { name: "config", state: "warn", says, remedy: `Copy ${path}.bak to ${path}.` };
  }
  try {
    openValidConfig(path);
    return { name: "config", state: "ok", says: `${path} is valid.` };
  } catch (error) {
    return { name: "config", state: "fail", says: describeCheckError(error), remedy: repair };
  }
}

/** Sends no request to model servers, which may be slow or cost money. */
function checkModels(settings: Settings, look: "whole" | "glance"): Check[] {
  const configured = readModels(settings);
  const models = openModels({
    settings: () => configured,
    configFolder: settings.configFolder,
    environment: process.env,
    storedDimensions: () => undefined,
  });
  const { embedding, reranking, expansion } = modelNames(models);
  const says = `embedding by ${embedding}, re-ranking by ${reranking}, expansion by ${expansion}`;
  const [problem] = modelProblems(models);
  const damaged = look === "whole" ? damagedModels(configured) : [];
  if (damaged.length > 0) {
    const remedy = "Reinstall the program: the download was incomplete, or the disk is failing.";
    return [
      {
        name: "models",
        state: "fail",
        says: `Damaged: ${damaged.join(", ")}. In use: ${says}`,
        remedy,
      },
    ];
  }
  return problem
    ? [{ name: "models", state: "warn", says, remedy: problem.replaceAll("\n", " ") }]
    : [{ name: "models", state: "ok", says }];
}

/** The damaged files of the bundled models that are in use. */
const damagedModels = (configured: ModelSettings | undefined): string[] => [
  ...(configured?.embedding ? [] : damagedModelFiles("embedder")),
  ...(configured?.reranking ? [] : damagedModelFiles("reranker")),
];

function checkStore(path: string, repair: string, look: "whole" | "glance"): Check[] {
  if (!existsSync(path)) return [{ name: "store", state: "ok", says: "None yet." }];
  if (statSync(path).isDirectory()) {
    const remedy = "Move it away, or set LECTERN_HOME to another folder.";
    return [{ name: "store", state: "fail", says: `${path} is a folder.`, remedy }];
  }
  const { damage, missing, stale } = checkStoreHealth(path, look);
  if (damage.length > 0) {
    const says = `The store is damaged: ${damage.join("; ").replace(/\s+/g, " ")}.`;
    return [{ name: "store", state: "fail", says, remedy: repair }];
  }
  const says =
    missing.length > 0
      ? `Tables are missing: ${missing.join(", ")}.`
      : `Tables are outdated: ${stale.join(", ")}.`;
  return [
    {
      name: "store",
      state: "ok",
      says: `${path} ${look === "whole" ? "is intact" : "can be read"}.`,
    },
    missing.length + stale.length > 0
      ? { name: "index", state: "fail", says, remedy: repair }
      : { name: "index", state: "ok", says: "All derived tables exist." },
  ];
}

function checkLease({ lease: path, heartbeat }: HomeFiles, program: string): Check {
  const name = "lease";
  const idle = `No process is watching for changes. Run '${program} serve' to watch, or '${program} update' to index once.`;
  if (!existsSync(path)) return { name, state: "ok", says: idle };
  const lease = openLease(path);
  const free = lease.tryAcquire();
  lease.close();
  if (free) return { name, state: "ok", says: idle };
  const pid = readLastHolder(heartbeat);
  if (pid === undefined || !isProcessStopped(pid)) {
    return { name, state: "ok", says: "Another process is watching and indexing." };
  }
  return {
    name,
    state: "fail",
    says: `The process that watches and indexes (${pid}) is suspended.`,
    remedy: `Resume it with 'kill -CONT ${pid}', or end it.`,
  };
}

/** The configured models; undefined if the bundled models are used. */
function readModels(settings: Settings): ModelSettings | undefined {
  try {
    return openValidConfig(homeFiles(settings).config).read().models;
  } catch {
    return undefined;
  }
}

/** The configured collections; none if the configuration cannot be read. */
export function readCollectionRoots(settings: Settings): Root[] {
  try {
    return configuredRoots(openValidConfig(homeFiles(settings).config));
  } catch {
    // checkConfig reports the error.
    return [];
  }
}

/** Opened for reading only, so no lock is needed. */
function openValidConfig(path: string) {
  const config = openConfigFile(path);
  config.read();
  return config;
}
