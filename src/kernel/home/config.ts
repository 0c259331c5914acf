import { basename } from "node:path";
import * as z from "zod";
import type { Root } from "../documents/documents.ts";
import { Failure, invalid } from "../failure.ts";
import {
  absentStamp,
  fileStamp,
  moveAside,
  readTextIfPresent,
  replaceFileAtomically,
} from "../files/atomic-file.ts";
import { type ModelSettings, validateModelSettings } from "../models/model-settings.ts";
import { direct, type Steps, transaction } from "../storage/steps.ts";

/** A collection name, which is the first segment of the displayed paths of its documents. */
export const collectionNameSchema = z
  .string()
  .min(1, "a collection name must not be empty")
  .max(100, "a collection name has at most 100 characters")
  .regex(/^[^/\\]*$/, "a collection name must not contain a slash")
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "a collection name must not contain control characters")
  .regex(/^[^.]|^$/, "a collection name must not begin with a dot")
  .refine((name) => name === name.trim(), "a collection name must not begin or end with a space")
  .refine((name) => name !== "__proto__", "this name is reserved by JavaScript");

/** The files of a collection whose pattern is not given. */
export const defaultPattern = "**/*.{md,mdx,markdown}";

const configSchema = z.looseObject({
  collections: z
    .record(
      collectionNameSchema,
      z.looseObject({
        path: z.string().min(1),
        pattern: z.string().min(1).default(defaultPattern),
        ignore: z.array(z.string()).optional(),
        /** When the collection was added. */
        added: z.string().optional(),
      }),
    )
    .default({}),
  contexts: z.record(z.string(), z.string()).default({}),
  models: z
    .custom<ModelSettings>()
    .superRefine((models, context) => {
      const problem = models === undefined ? undefined : validateModelSettings(models);
      if (problem) context.addIssue({ code: "custom", ...problem });
    })
    .optional(),
});

/** The user's configuration. Unknown keys are preserved. */
export type Config = z.output<typeof configSchema>;

export interface ConfigFile {
  /**
   * The current configuration; an absent file is an empty configuration. Callers must not change
   * it.
   */
  read(): Config;
  /**
   * Whether the file was removed while this process ran; `read` then returns its last content.
   * Throws as `read` does if the file is damaged.
   */
  isGone(): boolean;
  /**
   * Changes the file in a transaction of the store, so that no concurrent change of another process
   * is lost.
   */
  update(change: (draft: Config) => void): Steps<Config>;
}

export function openConfigFile(path: string): ConfigFile {
  let cached: { stamp: string; config: Config } | undefined;
  const isGone = (stamp: string): boolean =>
    stamp === absentStamp && cached !== undefined && cached.stamp !== absentStamp;
  const readAt = (stamp: string): Config => {
    if (isGone(stamp) && cached) return cached.config;
    if (cached?.stamp !== stamp) cached = { stamp, config: parseConfigFile(path) };
    return cached.config;
  };
  return {
    read: () => readAt(fileStamp(path)),
    isGone() {
      const stamp = fileStamp(path);
      readAt(stamp);
      return isGone(stamp);
    },
    update: (change) => transaction(() => direct(() => updateFile(change))),
  };

  function updateFile(change: (draft: Config) => void): Config {
    if (isGone(fileStamp(path))) throw configMissing();
    const config = changeConfig(parseConfigFile(path), change);
    replaceFileAtomically(path, `${JSON.stringify(config, null, 2)}\n`);
    return config;
  }
}

/** The configuration after a change; an invalid one is refused. */
export function changeConfig(draft: Config, change: (draft: Config) => void): Config {
  change(draft);
  const { data, error } = configSchema.safeParse(draft);
  if (error) throw invalid(`The configuration would be invalid: ${firstProblem(error)}.`);
  return withoutPrototypes(data);
}

export const configMissing = (): Failure =>
  new Failure(
    "unavailable",
    "config-gone",
    "The configuration file was removed while this process ran.",
    { hints: ["Restore it, for example from config.json.bak, or restart Lectern without it."] },
  );

/** The configured collections as document roots. */
export function configuredRoots(config: ConfigFile): Root[] {
  return Object.entries(config.read().collections).map(([name, { path, pattern, ignore }]) => ({
    name,
    path,
    pattern,
    ignore,
  }));
}

export interface ConfigRepair {
  /** What was wrong; undefined if the file is valid. */
  problem?: string;
  /** The new name of the damaged file. */
  setAside?: string;
  restored?: "the last good configuration" | "an empty configuration";
}

/** Moves a damaged file aside and restores the last good one, or an empty one if there is none. */
export function repairConfig(path: string): ConfigRepair {
  const problem = findConfigProblem(path);
  if (problem === undefined) return {};
  const backup =
    findConfigProblem(`${path}.bak`) === undefined ? readTextIfPresent(`${path}.bak`) : undefined;
  const setAside = basename(moveAside(path));
  replaceFileAtomically(path, backup ?? "{}\n");
  const restored = backup ? "the last good configuration" : "an empty configuration";
  return { problem, setAside, restored };
}

function findConfigProblem(path: string): string | undefined {
  try {
    parseConfigFile(path);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function parseConfigFile(path: string): Config {
  const text = readConfigText(path);
  if (text === undefined) return withoutPrototypes(configSchema.parse({}));
  return parseConfig(text, basename(path));
}

function readConfigText(path: string): string | undefined {
  try {
    return readTextIfPresent(path);
  } catch (error) {
    throw configDamaged(
      basename(path),
      `cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

const configDamaged = (name: string, problem: string): Failure =>
  new Failure("conflict", "config-damaged", `The configuration file ${name} ${problem}.`, {
    hints: ["Fix it manually, or run `lectern doctor --repair`."],
  });

/** Parses the JSON of a configuration; `name` is that of its file. */
export function parseConfig(text: string, name: string): Config {
  const damaged = (problem: string): Failure => configDamaged(name, problem);
  if (text.trim() === "") throw damaged("is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`is not valid JSON${lineSuffix(error, text)}`);
  }
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) throw damaged(`is not valid: ${firstProblem(parsed.error)}`);
  return withoutPrototypes(parsed.data);
}

/** Most, but not all, JSON errors of Node contain the position. */
function lineSuffix(error: unknown, text: string): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position ? ` at line ${text.slice(0, Number(position)).split("\n").length}` : "";
}

function firstProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === "invalid_key") {
    return `'${issue.path.join(".")}': ${issue.issues[0]?.message ?? issue.message}`;
  }
  return issue ? `'${issue.path.join(".")}': ${issue.message}` : error.message;
}

/**
 * Records without a prototype, so that a collection named `constructor` is looked up like any
 * other.
 */
function withoutPrototypes(config: Config): Config {
  const withoutPrototype = <Value>(record: Record<string, Value>): Record<string, Value> =>
    Object.assign(Object.create(null), record);
  return {
    ...config,
    collections: withoutPrototype(config.collections),
    contexts: withoutPrototype(config.contexts),
  };
}
