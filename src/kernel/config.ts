import { basename } from "node:path";
import * as z from "zod";
import type { Root } from "./documents.ts";
import { Failure, invalid } from "./failure.ts";
import { absent, contentOf, putAside, replaceFile, stampOf } from "./kept-file.ts";
import { type ModelSettings, problemWithModels } from "./models/configured.ts";

/** How a collection may be called: its name is the first part of every path shown for it. */
export const collectionName = z
  .string()
  .min(1, "a collection needs a name")
  .max(100, "a collection's name has at most 100 characters")
  .regex(/^[^/\\]*$/, "a collection's name holds no slash")
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "a collection's name holds no control character")
  .regex(/^[^.]|^$/, "a collection's name does not begin with a dot")
  .refine((name) => name === name.trim(), "a collection's name has no space at either end")
  .refine((name) => name !== "__proto__", "this name is JavaScript's own");

const schema = z.looseObject({
  collections: z
    .record(
      collectionName,
      z.looseObject({
        path: z.string().min(1),
        pattern: z.string().min(1).default("**/*.md"),
        ignore: z.array(z.string()).optional(),
        /** When it was taken in. */
        added: z.string().optional(),
      }),
    )
    .default({}),
  contexts: z.record(z.string(), z.string()).default({}),
  models: z
    .custom<ModelSettings>()
    .superRefine((models, context) => {
      const problem = models === undefined ? undefined : problemWithModels(models);
      if (problem) context.addIssue({ code: "custom", ...problem });
    })
    .optional(),
});

/** What people configure. Keys that we do not know are theirs and stay. */
export type Config = z.output<typeof schema>;

export interface ConfigFile {
  readonly path: string;
  /** As the file is now; an absent file is an empty configuration. Not to be changed by readers. */
  read(): Config;
  /** Whether the file was there and is not any more: what was read last holds until the process ends. */
  isGone(): boolean;
  /** The way to change it: two processes that change it at once both get what they wanted. */
  update(change: (draft: Config) => void): Config;
}

/** `exclusively` runs its work while no other process does: a write transaction of the store. */
export function openConfig(
  path: string,
  exclusively: <Result>(work: () => Result) => Result,
): ConfigFile {
  let cached: { stamp: string; config: Config } | undefined;
  const isGone = (stamp: string): boolean =>
    stamp === absent && cached !== undefined && cached.stamp !== absent;
  return {
    path,
    read() {
      const stamp = stampOf(path);
      if (isGone(stamp) && cached) return cached.config;
      if (cached?.stamp !== stamp) cached = { stamp, config: parse(path) };
      return cached.config;
    },
    isGone: () => isGone(stampOf(path)),
    update: (change) =>
      exclusively(() => {
        if (isGone(stampOf(path))) throw configGone();
        const draft = parse(path);
        change(draft);
        const { data, error } = schema.safeParse(draft);
        if (error) throw invalid(`The configuration would not be valid: ${firstProblem(error)}.`);
        replaceFile(path, `${JSON.stringify(data, null, 2)}\n`);
        return withoutPrototypes(data);
      }),
  };
}

export const configGone = (): Failure =>
  new Failure(
    "unavailable",
    "config-gone",
    "The configuration file was removed while this process ran.",
    { hints: ["Put it back, for example from config.json.bak, or restart Lectern without it."] },
  );

/** The configured collections, as the roots of documents. */
export function rootsOf(config: ConfigFile): Root[] {
  return Object.entries(config.read().collections).map(([name, { path, pattern, ignore }]) => ({
    name,
    path,
    pattern,
    ignore,
  }));
}

export interface ConfigRepair {
  /** What was wrong, or nothing where the file is good. */
  problem?: string;
  /** The name under which the damaged file is kept. */
  setAside?: string;
  restored?: "the last good configuration" | "an empty configuration";
}

/** Puts a damaged file aside and brings back the last good one, or an empty one without it. */
export function repairConfig(path: string): ConfigRepair {
  const problem = problemOf(path);
  if (problem === undefined) return {};
  const backup = problemOf(`${path}.bak`) === undefined ? contentOf(`${path}.bak`) : undefined;
  const setAside = basename(putAside(path));
  replaceFile(path, backup ?? "{}\n");
  const restored = backup ? "the last good configuration" : "an empty configuration";
  return { problem, setAside, restored };
}

function problemOf(path: string): string | undefined {
  try {
    parse(path);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function parse(path: string): Config {
  const name = basename(path);
  const damaged = (problem: string): Failure =>
    new Failure("conflict", "config-damaged", `The configuration file ${name} ${problem}.`, {
      hints: ["Mend it by hand, or run `lectern doctor --repair`."],
    });
  let text: string | undefined;
  try {
    text = contentOf(path);
  } catch (error) {
    throw damaged(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (text === undefined) return withoutPrototypes(schema.parse({}));
  if (text.trim() === "") throw damaged("is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`is not valid JSON${lineOf(error, text)}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw damaged(`is not valid: ${firstProblem(parsed.error)}`);
  return withoutPrototypes(parsed.data);
}

/** Node tells the place of a mistake in most of its messages, but not in all. */
function lineOf(error: unknown, text: string): string {
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

/** So that a collection called `constructor` is looked up like any other. */
function withoutPrototypes(config: Config): Config {
  const bare = <Value>(record: Record<string, Value>): Record<string, Value> =>
    Object.assign(Object.create(null), record);
  return { ...config, collections: bare(config.collections), contexts: bare(config.contexts) };
}
