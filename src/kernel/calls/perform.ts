import type * as z from "zod";
import { elementAt } from "../../text/arrays/element-at.ts";
import { isJsonObject } from "../../text/formats/json-value.ts";
import { toCamelCase, toSnakeCase } from "../../text/strings/key-case.ts";
import { shorten } from "../../text/strings/shorten.ts";
import { similarNames } from "../../text/strings/similar-names.ts";
import { type Call, type Question, QuestionsPending } from "../call.ts";
import { Failure, invalid, timeoutFailure } from "../failure.ts";
import type { AnyOperation } from "../operation.ts";
import {
  isBusyError,
  isCorruptionError,
  isDiskFullError,
  isReadOnlyError,
  isWriteError,
  storeDamaged,
} from "../storage/database.ts";
import { issueMessage } from "./issue-message.ts";

/** The result of a call: data, a failure, or questions that the client must answer first. */
export type Outcome<Value = Record<string, unknown>> =
  | { ok: true; value: Value }
  | { ok: false; failure: Failure }
  | { ok: false; failure?: never; questions: Record<string, Question>; memory: unknown };

/**
 * Runs an operation by name within the call of another; its notices, questions and changes belong
 * to that call. Proposals and undos, which are stored as operation and input, are run this way.
 */
export type PerformByName = (name: string, input: unknown, call: Call) => Promise<Outcome>;

/**
 * Grace period in which an operation can return after its signal was aborted; after that, the call
 * fails. The period is split into several timers: after a suspend of the machine only one of them
 * expires early, and an operation that responds to its signal can still return.
 */
const graceMs = 1_000;
const graceParts = 10;

/**
 * Runs one operation: parses the input, runs it, validates the output. A schema error becomes
 * `invalid`; an unexpected error becomes `internal`, and its cause is logged but never sent to the
 * caller.
 */
export async function perform<State>(
  operation: AnyOperation<State>,
  input: unknown,
  state: State | (() => State | Promise<State>),
  call: Call & { timeLimit?: number | undefined },
): Promise<Outcome & { input?: unknown }> {
  return attemptCall(call, async () => {
    // Compiling the parser costs more than it saves in a short-lived command-line process.
    const jitless = call.actor.surface === "cli";
    const parsedInput = parseInput(operation.input, input, jitless);
    const stateOrPromise =
      typeof state === "function" ? (state as () => State | Promise<State>)() : state;
    // Awaiting only a real promise lets calls start in their order of arrival.
    const openedState = stateOrPromise instanceof Promise ? await stateOrPromise : stateOrPromise;
    const output = await operation.run(parsedInput, openedState, call);
    const validated = operation.output.safeParse(output, { jitless });
    if (!validated.success) {
      throw new Error(`${operation.name} violated its output schema: ${validated.error.message}`);
    }
    return { value: validated.data, input: parsedInput };
  });
}

/**
 * The same error handling for work other than operations: reading a resource, rendering a prompt.
 */
export async function attemptCall<Value, Extra extends object>(
  call: Call & { timeLimit?: number | undefined },
  work: () => Promise<{ value: Value } & Extra>,
): Promise<Outcome<Value> & Partial<Extra>> {
  try {
    const result = await withTimeLimit(call, work);
    return { ok: true, ...result };
  } catch (error) {
    if (error instanceof QuestionsPending) {
      return { ok: false, questions: error.questions, memory: error.memory } as Outcome<Value> &
        Partial<Extra>;
    }
    return { ok: false, failure: toFailure(error, call) } as Outcome<Value> & Partial<Extra>;
  }
}

/** Rejects unknown keys by name, so that a typo is never silently ignored. */
function parseInput(
  schema: z.ZodObject,
  input: unknown,
  jitless: boolean,
): Record<string, unknown> {
  const parse = (value: unknown) =>
    toStrictSchema(schema).safeParse(value, { reportInput: true, jitless });
  const normalized = normalizeKeys(schema, input ?? {});
  const parsed = parse(normalized);
  if (parsed.success) return parsed.data;
  const nulls = parsed.error.issues.filter((issue) => issue.input === null);
  const parsedWithoutNulls = nulls.length > 0 ? parse(withoutNulls(normalized, nulls)) : parsed;
  if (parsedWithoutNulls.success) return parsedWithoutNulls.data;
  // If removing a null leaves a required field missing, report the null instead of that field.
  const missingPaths = new Set(parsedWithoutNulls.error.issues.map(issuePath));
  const issues = parsed.error.issues.filter((issue) => missingPaths.has(issuePath(issue)));
  throw invalid(describeIssues({ issues }, schema));
}

/** Many clients send null for absent fields. `nulls` contains only nulls that the schema rejects. */
function withoutNulls(input: unknown, nulls: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(input);
  for (const { path } of nulls) {
    const parent = path.slice(0, -1).reduce(propertyOf, copy);
    const key = path.at(-1);
    if (isJsonObject(parent) && key !== undefined) Reflect.deleteProperty(parent, key);
  }
  return copy;
}

const propertyOf = (parent: unknown, key: PropertyKey): unknown => Object(parent)[key];

const issuePath = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path);

/**
 * Describes schema issues in one line; parse with `reportInput` so that the issues hold the input.
 */
export const describeIssues = (
  { issues }: Pick<z.core.$ZodError, "issues">,
  schema: z.ZodObject,
): string =>
  issues
    .slice(0, maxShown)
    .map((issue) => describeIssue(issue, schema))
    .join("; ");

/** The maximum number of problems, and of names in each, in a message. */
const maxShown = 10;

/** Accepts `min_score` for `minScore` and the reverse. */
function normalizeKeys(schema: z.ZodObject, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const declared = schema.shape;
  const keys = Object.entries(input).map(([key, value]) => {
    const otherSpelling = key.includes("_") ? toCamelCase(key) : toSnakeCase(key);
    const isKnown = Object.hasOwn(declared, key) || Object.hasOwn(input, otherSpelling);
    return [
      !isKnown && Object.hasOwn(declared, otherSpelling) ? otherSpelling : key,
      value,
    ] as const;
  });
  return Object.fromEntries(keys);
}

/** Caches strict schemas: creating one costs thirty times as much as parsing with it. */
function toStrictSchema(schema: z.ZodObject): z.ZodObject {
  const strict = strictSchemas.get(schema) ?? schema.strict();
  strictSchemas.set(schema, strict);
  return strict;
}

const strictSchemas = new WeakMap<z.ZodObject, z.ZodObject>();

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject): string {
  const field = issue.path.join(".") || "arguments";
  if (issue.code === "unrecognized_keys") {
    return issue.path.length > 0
      ? `Unknown parameter ${quotedNames(issue.keys)} in '${field}'`
      : describeUnknownKeys(issue.keys, Object.keys(schema.shape));
  }
  const message = issueMessage(issue);
  if (issue.input !== undefined) return `Invalid parameter '${field}': ${message}`;
  const expected = issue.code === "invalid_type" ? `${issue.expected} required` : message;
  return `Missing parameter '${field}': ${expected}`;
}

/** Names unknown keys, at least one, with a suggestion for the first. */
export function describeUnknownKeys(keys: readonly string[], known: readonly string[]): string {
  const suggestion = similarNames(elementAt(keys, 0), known, 1)[0];
  const remedy = known.length > 0 ? `known are ${known.join(", ")}` : "it takes no parameters";
  return `Unknown parameter ${quotedNames(keys)}: ${suggestion ? `did you mean '${suggestion}'? ` : ""}${remedy}`;
}

const quotedNames = (keys: readonly string[]): string =>
  keys
    .slice(0, maxShown)
    .map((key) => `'${shorten(key)}'`)
    .join(", ");

async function withTimeLimit<Value>(
  call: Call & { timeLimit?: number | undefined },
  work: () => Promise<Value>,
): Promise<Value> {
  const { timeLimit } = call;
  if (!timeLimit) return work();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const startTimer = (ms: number, remainingParts: number): void => {
      timer = setTimeout(() => {
        if (remainingParts === 0) reject(timedOutAfter(timeLimit));
        else startTimer(graceMs / graceParts, remainingParts - 1);
      }, ms);
      timer.unref();
    };
    startTimer(timeLimit, graceParts);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const timedOutAfter = (limit: number): Failure =>
  timeoutFailure(`Stopped after ${limit / 1000} s.`);

function toFailure(error: unknown, call: Call & { timeLimit?: number | undefined }): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && isCorruptionError(error)) return storeDamaged(error);
  if (error instanceof Error && (isWriteError(error) || isDiskFullError(error)))
    return diskFull(error);
  if (error instanceof Error && isReadOnlyError(error)) return readOnlyFile(error);
  if (error instanceof Error && isBusyError(error)) return busyFile(error);
  const reason: unknown = call.signal.reason;
  if (call.signal.aborted && (error === reason || isAbort(error))) {
    return isTimeout(reason) && call.timeLimit
      ? timedOutAfter(call.timeLimit)
      : new Failure("unavailable", "cancelled", "The call was cancelled.");
  }
  return new Failure("internal", "internal-error", "Internal error", { cause: error });
}

const diskFull = (cause: Error): Failure =>
  new Failure("unavailable", "disk-full", "Cannot write: the disk is full or failing.", {
    hints: ["Free some disk space, then try again."],
    cause,
  });

const readOnlyFile = (cause: Error): Failure =>
  new Failure("unavailable", "read-only-file", "Cannot write: the disk or the file is read-only.", {
    hints: ["Make it writable, or set LECTERN_HOME to a writable folder."],
    cause,
  });

const busyFile = (cause: Error): Failure =>
  new Failure("unavailable", "store-busy", "Another process is writing to this database.", {
    hints: ["Nothing was changed. Try again; if that process hangs, resume or end it."],
    cause,
  });

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === "TimeoutError";
