import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { invalid } from "./failure.ts";
import { type LogLevel, logLevels } from "./log.ts";

/** What flags and environment say about one run of the program. */
export interface Settings {
  /** Where the configuration file lies. */
  readonly configFolder: string;
  /** Where the store, the lease, models and logs lie. */
  readonly dataFolder: string;
  /** The folder that relative paths start from, and where `mcp/resources` is looked for. */
  readonly root: string;
  /** With it, nothing outside is read or written for a caller. */
  readonly forceRoot: string | undefined;
  readonly shelves: readonly string[] | undefined;
  readonly readOnly: boolean;
  /** True where `resources/list` names every document too. */
  readonly listDocuments: boolean;
  /** Whether a resource that cannot be read is an error of the protocol, or told as its contents. */
  readonly resourceErrors: ResourceErrors;
  readonly logLevel: LogLevel;
  readonly debug: string | undefined;
  /** Milliseconds a call of an agent or a program may take. */
  readonly timeLimit: number;
  /** Whether a person lets operations look at addresses of the web; an agent cannot. */
  readonly allowNetwork: boolean;
}

export const resourceErrors = ["protocol", "data"] as const;
type ResourceErrors = (typeof resourceErrors)[number];

/** The files of a home. */
export interface Files {
  store: string;
  lease: string;
  /** Held by the process that stands in for one that holds the lease and does not move. */
  deputyLease: string;
  heartbeat: string;
  config: string;
  /** What programs of the home's owner show a server that cannot tell who they are. */
  secret: string;
  /** What links to the page are signed with; it opens the page, and `secret` does not. */
  pageSecret: string;
  /** The Unix socket of the home's server. */
  socket: string;
}

export const filesOf = ({ dataFolder, configFolder }: Settings): Files => ({
  store: join(dataFolder, "lectern.sqlite"),
  lease: join(dataFolder, "lease.sqlite"),
  deputyLease: join(dataFolder, "deputy-lease.sqlite"),
  heartbeat: join(dataFolder, "lease.beat"),
  config: join(configFolder, "config.json"),
  secret: join(dataFolder, "secret"),
  pageSecret: join(dataFolder, "page-secret"),
  socket: join(dataFolder, "lectern.sock"),
});

export interface Flags {
  root?: string | undefined;
  forceRoot?: string | undefined;
  shelves?: string | undefined;
  readOnly?: boolean | undefined;
  listDocuments?: boolean | undefined;
  resourceErrors?: ResourceErrors | undefined;
  logLevel?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readSettings(flags: Flags, env: Environment, cwd: string): Settings {
  const { config, data } = folders(env);
  return {
    configFolder: config,
    dataFolder: data,
    root: resolve(cwd, flags.root ?? "."),
    forceRoot: flags.forceRoot === undefined ? undefined : fenceNamed(flags.forceRoot, cwd),
    shelves: flags.shelves?.split(",").map((name) => name.trim()),
    readOnly: flags.readOnly ?? false,
    listDocuments: flags.listDocuments ?? false,
    resourceErrors: flags.resourceErrors ?? "protocol",
    logLevel: levelNamed(flags.logLevel ?? env.LECTERN_LOG_LEVEL ?? "info"),
    debug: env.DEBUG,
    timeLimit: timeLimit(env.LECTERN_TOOL_TIMEOUT_MS),
    allowNetwork: isYes("LECTERN_ALLOW_NETWORK", env.LECTERN_ALLOW_NETWORK),
  };
}

/**
 * A boundary that is not there would be a boundary that does not hold. An empty one comes from a
 * variable that was never set; as a path it would be whatever folder is the current one.
 */
function fenceNamed(given: string, cwd: string): string {
  if (given.trim() === "") {
    throw invalid("The folder given by --force-root is empty.", [
      "Give a folder that exists, or leave out --force-root.",
    ]);
  }
  const path = resolve(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw invalid("The folder given by --force-root is not there.");
}

/** `LECTERN_HOME` isolates everything; without it, each platform's own places. */
function folders(env: Environment): { config: string; data: string } {
  if (env.LECTERN_HOME) {
    const home = resolve(env.LECTERN_HOME);
    return { config: home, data: home };
  }
  const home = homedir();
  if (process.platform === "win32") {
    const local = env.LOCALAPPDATA ?? join(home, "AppData", "Local");
    return { config: join(env.APPDATA ?? local, "lectern"), data: join(local, "lectern") };
  }
  if (process.platform === "darwin") {
    const support = join(home, "Library", "Application Support", "lectern");
    return { config: support, data: support };
  }
  return {
    config: join(env.XDG_CONFIG_HOME || join(home, ".config"), "lectern"),
    data: join(env.XDG_DATA_HOME || join(home, ".local", "share"), "lectern"),
  };
}

/** The variables that chose the folders of this run, for another process to find the same ones. */
export function homeVariables(env: Environment): Record<string, string> {
  const hasOwnPlaces = process.platform === "win32" || process.platform === "darwin";
  const choosing = env.LECTERN_HOME
    ? ["LECTERN_HOME"]
    : hasOwnPlaces
      ? []
      : ["XDG_CONFIG_HOME", "XDG_DATA_HOME"];
  return Object.fromEntries(
    choosing.flatMap((name) => (env[name] ? [[name, resolve(env[name])]] : [])),
  );
}

function levelNamed(name: string): LogLevel {
  const level = name.toLowerCase().replace(/^warning$/, "warn");
  const known = logLevels.find((candidate) => candidate === level);
  if (known) return known;
  throw invalid(`Unknown level '${name}' in --log-level.`, [`Levels: ${logLevels.join(", ")}.`]);
}

function timeLimit(value: string | undefined): number {
  if (value === undefined || value === "") return 30_000;
  const ms = Number(value);
  if (Number.isInteger(ms) && ms > 0 && ms <= 2 ** 31 - 1 - 1_000) return ms;
  throw invalid(`LECTERN_TOOL_TIMEOUT_MS must be a whole number of milliseconds, not '${value}'.`);
}

/** A word that is neither yes nor no is refused, since either guess may be the wrong one. */
function isYes(name: string, value: string | undefined): boolean {
  if (value === undefined || /^(|0|no|false|off)$/i.test(value)) return false;
  if (/^(1|yes|true|on)$/i.test(value)) return true;
  throw invalid(`${name} must be 1 or 0, not '${value}'.`);
}
