import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { invalid } from "../failure.ts";
import {
  isPostgresAddress,
  type PostgresHome,
  parsePostgresAddress,
  postgresHomeId,
  withoutAddressPassword,
} from "../postgres/home-address.ts";
import { type LogLevel, logLevels } from "../runtime/log.ts";

/** The settings of one run, from flags and environment. */
export interface Settings {
  /** The folder of the configuration file. */
  readonly configFolder: string;
  /** The folder of the store, the lease, models and logs. */
  readonly dataFolder: string;
  /**
   * The home, if it is in PostgreSQL. Then the folders contain only what this machine needs of its own,
   * such as sockets and models, and can be deleted.
   */
  readonly database?: PostgresHome | undefined;
  /** The base of relative paths; also the folder that may contain `mcp/resources`. */
  readonly root: string;
  /** If set, no call reads or writes outside this folder. */
  readonly forceRoot: string | undefined;
  readonly shelves: readonly string[] | undefined;
  readonly readOnly: boolean;
  /** Whether `resources/list` includes every document. */
  readonly listDocuments: boolean;
  /**
   * Whether an unreadable resource is a protocol error, or its error text is returned as contents.
   */
  readonly resourceErrors: ResourceErrors;
  readonly logLevel: LogLevel;
  readonly debug: string | undefined;
  /** Time limit of calls by agents and programs, in milliseconds. */
  readonly timeLimit: number;
  /** Whether the user allows operations to request web addresses; an agent cannot set it. */
  readonly allowNetwork: boolean;
}

export const resourceErrors = ["protocol", "data"] as const;
type ResourceErrors = (typeof resourceErrors)[number];

/** The files of a home. */
export interface HomeFiles {
  store: string;
  lease: string;
  /** Held by the process that takes over from a stalled lease holder. */
  deputyLease: string;
  heartbeat: string;
  config: string;
  /** Authenticates programs of the home's owner to a server that cannot identify their user. */
  secret: string;
  /** A folder with the hashes of unused login links. */
  loginCodes: string;
  /** The Unix socket of the home's server. */
  socket: string;
  /** The Unix socket of the process that watches the home; it runs the commands of others. */
  commandSocket: string;
}

export const homeFiles = ({ dataFolder, configFolder }: Settings): HomeFiles => ({
  store: join(dataFolder, "lectern.sqlite"),
  lease: join(dataFolder, "lease.sqlite"),
  deputyLease: join(dataFolder, "deputy-lease.sqlite"),
  heartbeat: join(dataFolder, "lease.beat"),
  config: join(configFolder, "config.json"),
  secret: join(dataFolder, "secret"),
  loginCodes: join(dataFolder, "login-codes"),
  socket: join(dataFolder, "lectern.sock"),
  commandSocket: commandSocketIn(dataFolder),
});

export const commandSocketIn = (dataFolder: string): string => join(dataFolder, "commands.sock");

export interface SettingsFlags {
  root?: string | undefined;
  forceRoot?: string | undefined;
  shelves?: string | undefined;
  readOnly?: boolean | undefined;
  listDocuments?: boolean | undefined;
  resourceErrors?: ResourceErrors | undefined;
  logLevel?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readSettings(flags: SettingsFlags, env: Environment, cwd: string): Settings {
  const { config, data, database } = homeFolders(env);
  return {
    configFolder: config,
    dataFolder: data,
    database,
    root: resolve(cwd, flags.root ?? "."),
    forceRoot: flags.forceRoot === undefined ? undefined : resolveForceRoot(flags.forceRoot, cwd),
    shelves: flags.shelves?.split(",").map((name) => name.trim()),
    readOnly: flags.readOnly ?? false,
    listDocuments: flags.listDocuments ?? false,
    resourceErrors: flags.resourceErrors ?? "protocol",
    logLevel: parseLogLevel(flags.logLevel ?? env.LECTERN_LOG_LEVEL ?? "info"),
    debug: env.DEBUG,
    timeLimit: parseTimeLimit(env.LECTERN_TOOL_TIMEOUT_MS),
    allowNetwork: parseBoolean("LECTERN_ALLOW_NETWORK", env.LECTERN_ALLOW_NETWORK),
  };
}

/**
 * A missing folder would restrict nothing. An empty value comes from an unset variable; as a path
 * it would mean the current folder.
 */
function resolveForceRoot(flag: string, cwd: string): string {
  if (flag.trim() === "") {
    throw invalid("The folder of --force-root is empty.", [
      "Pass an existing folder, or omit --force-root.",
    ]);
  }
  const path = resolve(cwd, flag);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw invalid("The folder of --force-root does not exist.");
}

/** The folders of a home; usually the same one. */
export interface HomeFolders {
  readonly config: string;
  readonly data: string;
  readonly database?: PostgresHome;
}

/**
 * `LECTERN_HOME` is a folder or a PostgreSQL address; without it, the conventions of the platform
 * apply.
 */
export function homeFolders(env: Environment): HomeFolders {
  if (env.LECTERN_HOME && isPostgresAddress(env.LECTERN_HOME)) {
    const database = parsePostgresAddress(env.LECTERN_HOME);
    const folder = join(platformFolders(env).data, "servers", postgresHomeId(database));
    return { config: folder, data: folder, database };
  }
  if (env.LECTERN_HOME) {
    const home = resolve(env.LECTERN_HOME);
    return { config: home, data: home };
  }
  return platformFolders(env);
}

function platformFolders(env: Environment): HomeFolders {
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

/**
 * The variables that determine the folders of this run, for a process that must use the same ones.
 */
export function homeVariables(env: Environment): Record<string, string> {
  const ignoresXdg = process.platform === "win32" || process.platform === "darwin";
  const names = env.LECTERN_HOME
    ? ["LECTERN_HOME"]
    : ignoresXdg
      ? []
      : ["XDG_CONFIG_HOME", "XDG_DATA_HOME"];
  return Object.fromEntries(
    names.flatMap((name) => (env[name] ? [[name, absoluteHome(env[name])]] : [])),
  );
}

/** Files of other programs must not contain the password of a database; PGPASSFILE can. */
const absoluteHome = (home: string): string =>
  isPostgresAddress(home) ? withoutAddressPassword(home) : resolve(home);

function parseLogLevel(name: string): LogLevel {
  const level = name.toLowerCase().replace(/^warning$/, "warn");
  const knownLevel = logLevels.find((candidate) => candidate === level);
  if (knownLevel) return knownLevel;
  throw invalid(`Unknown level '${name}' in --log-level.`, [`Levels: ${logLevels.join(", ")}.`]);
}

function parseTimeLimit(value: string | undefined): number {
  if (value === undefined || value === "") return 30_000;
  const ms = Number(value);
  if (Number.isInteger(ms) && ms > 0 && ms <= 2 ** 31 - 1 - 1_000) return ms;
  throw invalid(`LECTERN_TOOL_TIMEOUT_MS must be a whole number of milliseconds, not '${value}'.`);
}

/** Rejects other values instead of guessing a default. */
function parseBoolean(name: string, value: string | undefined): boolean {
  if (value === undefined || /^(|0|no|false|off)$/i.test(value)) return false;
  if (/^(1|yes|true|on)$/i.test(value)) return true;
  throw invalid(`${name} must be 1 or 0, not '${value}'.`);
}
