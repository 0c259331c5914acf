import type * as z from "zod";
import { isObject } from "../text/json-value.ts";
import { nearest } from "../text/similar-names.ts";
import { Asking, type Call, type Question } from "./call.ts";
import { isBusy, isCorrupt, isFull, isReadOnly, isUnwritable, storeDamaged } from "./database.ts";
import { Failure, invalid, outOfTime } from "./failure.ts";
import type { AnyOperation } from "./operation.ts";

/** How a call ended: with data, with a failure, or with questions that somebody must answer first. */
export type Outcome<Value = Record<string, unknown>> =
  | { ok: true; value: Value }
  | { ok: false; failure: Failure }
  | { ok: false; failure?: never; questions: Record<string, Question>; memory: unknown };

/**
 * Runs an operation within another's call: what it announces, asks and records belongs to that
 * call. This is how a stored operation value, an undo or a proposal, comes to life.
 */
export type PerformByName = (name: string, input: unknown, call: Call) => Promise<Outcome>;

/**
 * How long work that ignores its signal may run on before its answer is given without it. The time
 * is waited for in parts: a machine that stood still for seconds has used up one of them, and work
 * that heeds its signal has its chance in each.
 */
const graceMs = 1_000;
const graceParts = 10;

/**
 * Runs one operation: parse, run, check the output. A schema error becomes `invalid`; anything
 * unforeseen becomes `internal`, whose cause goes to the log and never to the caller.
 */
export async function perform<State>(
  operation: AnyOperation<State>,
  input: unknown,
  state: State | (() => State | Promise<State>),
  call: Call & { timeLimit?: number | undefined },
): Promise<Outcome & { input?: unknown }> {
  return attempt(call, async () => {
    // A process that answers a shell ends before a compiled parser has paid for itself.
    const jitless = call.actor.surface === "cli";
    const given = parseInput(operation.input, input, jitless);
    const found = typeof state === "function" ? (state as () => State | Promise<State>)() : state;
    // Calls begin in the order in which they came, unless one of them has to wait.
    const opened = found instanceof Promise ? await found : found;
    const output = await operation.run(given, opened, call);
    const checked = operation.output.safeParse(output, { jitless });
    if (!checked.success) {
      throw new Error(`${operation.name} broke its output schema: ${checked.error.message}`);
    }
    return { value: checked.data, input: given };
  });
}

/** The same care for what is not an operation: reading a resource, rendering a prompt. */
export async function attempt<Value, Beside extends object>(
  call: Call & { timeLimit?: number | undefined },
  work: () => Promise<{ value: Value } & Beside>,
): Promise<Outcome<Value> & Partial<Beside>> {
  try {
    const result = await withinLimit(call, work);
    return { ok: true, ...result };
  } catch (error) {
    if (error instanceof Asking) {
      return { ok: false, questions: error.questions, memory: error.memory } as Outcome<Value> &
        Partial<Beside>;
    }
    return { ok: false, failure: asFailure(error, call) } as Outcome<Value> & Partial<Beside>;
  }
}

/** Unknown keys are refused by name, so a typing error is never a silent default. */
function parseInput(
  schema: z.ZodObject,
  input: unknown,
  jitless: boolean,
): Record<string, unknown> {
  const parse = (given: unknown) =>
    strictly(schema).safeParse(given, { reportInput: true, jitless });
  const given = respelled(schema, input ?? {});
  const parsed = parse(given);
  if (parsed.success) return parsed.data;
  const nulls = parsed.error.issues.filter((issue) => issue.input === null);
  const bare = nulls.length > 0 ? parse(without(given, nulls)) : parsed;
  if (bare.success) return bare.data;
  // What must be given is missed where it was taken away: the caller is told of the null instead.
  const missed = new Set(bare.error.issues.map(placeOf));
  const issues = parsed.error.issues.filter((issue) => missed.has(placeOf(issue)));
  throw invalid(problemsIn({ issues }, schema));
}

/** Many clients write null for what they leave out. Where null is a value, the schema takes it. */
function without(input: unknown, nulls: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(input);
  for (const { path } of nulls) {
    const holder = path.slice(0, -1).reduce(memberOf, copy);
    const key = path.at(-1);
    if (isObject(holder) && key !== undefined) Reflect.deleteProperty(holder, key);
  }
  return copy;
}

const memberOf = (holder: unknown, key: PropertyKey): unknown => Object(holder)[key];

const placeOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path);

/** What a schema has against an input, in one line; the input must be reported with the issues. */
export const problemsIn = (
  { issues }: Pick<z.core.$ZodError, "issues">,
  schema: z.ZodObject,
): string => issues.map((issue) => describeIssue(issue, schema)).join("; ");

/** `min_score` and `minScore` are one key: callers write it as they are used to elsewhere. */
function respelled(schema: z.ZodObject, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const declared = schema.shape;
  const keys = Object.entries(input).map(([key, value]) => {
    const other = key.includes("_") ? camelCase(key) : snakeCase(key);
    const isTaken = Object.hasOwn(declared, key) || Object.hasOwn(input, other);
    return [!isTaken && Object.hasOwn(declared, other) ? other : key, value] as const;
  });
  return Object.fromEntries(keys);
}

const camelCase = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Making a schema strict costs thirty times as much as parsing with it, so it is done once. */
function strictly(schema: z.ZodObject): z.ZodObject {
  const made = strictSchemas.get(schema) ?? schema.strict();
  strictSchemas.set(schema, made);
  return made;
}

const strictSchemas = new WeakMap<z.ZodObject, z.ZodObject>();

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject): string {
  const field = issue.path.join(".") || "arguments";
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => `'${key}'`).join(", ");
    if (issue.path.length > 0) return `Unknown parameter ${names} in '${field}'`;
    const known = Object.keys(schema.shape);
    const guess = nearest(issue.keys[0] ?? "", known, 1)[0];
    const remedy = known.length > 0 ? `known are ${known.join(", ")}` : "none is taken";
    return `Unknown parameter ${names}: ${guess ? `did you mean '${guess}'? ` : ""}${remedy}`;
  }
  const words = issue.message.replace(/^Invalid (input|option|string): /, "");
  if (issue.input !== undefined) return `Invalid parameter '${field}': ${words}`;
  const expected = issue.code === "invalid_type" ? `${issue.expected} required` : words;
  return `Missing parameter '${field}': ${expected}`;
}

async function withinLimit<Value>(
  call: Call & { timeLimit?: number | undefined },
  work: () => Promise<Value>,
): Promise<Value> {
  const { timeLimit } = call;
  if (!timeLimit) return work();
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<never>((_, reject) => {
    const wait = (ms: number, parts: number): void => {
      timer = setTimeout(() => {
        if (parts === 0) reject(timedOut(timeLimit));
        else wait(graceMs / graceParts, parts - 1);
      }, ms);
      timer.unref();
    };
    wait(timeLimit, graceParts);
  });
  try {
    return await Promise.race([work(), cut]);
  } finally {
    clearTimeout(timer);
  }
}

const timedOut = (limit: number): Failure => outOfTime(`Stopped after ${limit / 1000} s.`);

function asFailure(error: unknown, call: Call & { timeLimit?: number | undefined }): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && isCorrupt(error)) return storeDamaged(error);
  if (error instanceof Error && (isUnwritable(error) || isFull(error))) return noRoom(error);
  if (error instanceof Error && isReadOnly(error)) return readOnlyFile(error);
  if (error instanceof Error && isBusy(error)) return busyFile(error);
  const reason: unknown = call.signal.reason;
  if (call.signal.aborted && (error === reason || isAbort(error))) {
    return isTimeout(reason) && call.timeLimit
      ? timedOut(call.timeLimit)
      : new Failure("unavailable", "cancelled", "The call was cancelled.");
  }
  return new Failure("internal", "internal-error", "Internal error", { cause: error });
}

const noRoom = (cause: Error): Failure =>
  new Failure(
    "unavailable",
    "disk-full",
    "This could not be written: the disk is full, or fails.",
    {
      hints: ["Make some space, then try again."],
      cause,
    },
  );

const readOnlyFile = (cause: Error): Failure =>
  new Failure(
    "unavailable",
    "read-only-file",
    "This could not be written: the disk or the file is read-only.",
    {
      hints: ["Make it writable, or set LECTERN_HOME to a folder that is."],
      cause,
    },
  );

const busyFile = (cause: Error): Failure =>
  new Failure("unavailable", "store-busy", "Another process is writing to this file.", {
    hints: ["Nothing was changed. Try again; if that process hangs, continue or end it."],
    cause,
  });

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === "TimeoutError";
