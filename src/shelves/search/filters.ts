import * as z from "zod";
import { invalid } from "../../kernel/failure.ts";
import { globMatcher } from "../../text/glob.ts";
import type { SearchState } from "./state.ts";
import {
  allPlaces,
  documentsDated,
  documentsIn,
  documentsWithFact,
  type FactCondition,
} from "./storage.ts";

type Operator = FactCondition["operator"];

const operators = ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists"] as const;

/** The words that other programs use for the same. */
const synonyms: ReadonlyMap<string, Operator> = new Map([
  ["eq", "="],
  ["==", "="],
  ["equals", "="],
  ["ne", "!="],
  ["neq", "!="],
  ["lt", "<"],
  ["lte", "<="],
  ["gt", ">"],
  ["gte", ">="],
  ["nin", "not in"],
  ["not_in", "not in"],
]);

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const Condition = z.object({
  key: z.string().min(1).max(200),
  operator: z.string().default("=").describe(operators.join(" ")),
  value: z.union([Scalar, z.array(Scalar).max(100)]).optional(),
});

/** What narrows a search, the same for every way of searching. */
export const narrowing = {
  filter: z
    .array(z.union([Condition, z.string().min(1).max(1_000)]))
    .max(20)
    .optional()
    .describe("Front matter: {key, operator, value}, or `status=draft`, `year>=2024`, `tags`"),
  path: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("Only files that fit this glob, such as `journal/2026-*`"),
  after: z.string().optional().describe("Only documents of this date or later (2026-05-01)"),
  before: z.string().optional().describe("Only documents of an earlier date"),
};

export interface Narrowing {
  filter?: readonly (z.output<typeof Condition> | string)[] | undefined;
  path?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The ending of its file: `md`. */
  type?: string | undefined;
  /** What it is written in: `de`. */
  language?: string | undefined;
}

/**
 * The documents that fit all conditions, or `undefined` where there is none. The search is held to
 * them before it cuts its list, so that a few documents are never crowded out by many.
 */
export function documentsThatFit(state: SearchState, narrowing: Narrowing): number[] | undefined {
  const lists: number[][] = (narrowing.filter ?? []).map((condition, place) =>
    documentsWithFact(state.db, conditionFrom(condition, `filter.${place}`)),
  );
  if (narrowing.path !== undefined) lists.push(documentsAt(state, narrowing.path));
  if (narrowing.after !== undefined || narrowing.before !== undefined) {
    lists.push(
      documentsDated(
        state.db,
        narrowing.after === undefined ? undefined : timeOf(narrowing.after, "after"),
        narrowing.before === undefined ? undefined : timeOf(narrowing.before, "before"),
      ),
    );
  }
  if (narrowing.type !== undefined) lists.push(documentsOfType(state, narrowing.type));
  if (narrowing.language !== undefined) {
    lists.push(documentsIn(state.db, narrowing.language.toLowerCase()));
  }
  return lists.reduce<number[] | undefined>((fitting, list) => {
    if (fitting === undefined) return list;
    const also = new Set(list);
    return fitting.filter((document) => also.has(document));
  }, undefined);
}

/** `year>=2024`, `status=draft`, `tags in a,b`; a key alone asks that it is there. */
function conditionFrom(given: z.output<typeof Condition> | string, field: string): FactCondition {
  if (typeof given !== "string") {
    const operator = operatorNamed(given.operator, field);
    const value = given.value;
    if (value === undefined && operator !== "exists") {
      throw invalid(`Invalid parameter '${field}.value': '${operator}' needs a value.`);
    }
    const values = value === undefined ? [] : [value].flat().map(String);
    if (values.length !== 1 && !["in", "not in", "exists"].includes(operator)) {
      throw invalid(
        `Invalid parameter '${field}.value': '${operator}' takes one value; use 'in' for several.`,
      );
    }
    return { key: given.key, operator, values };
  }
  // A space stands before an operator that is a word: `opt-in` is a key.
  const cut = /^\s*([^\s=<>!]+)(?:\s*(!=|<=|>=|==|=|<|>)|\s+(not in|in|contains)\b)\s*(.*)$/s;
  const [, key, sign, word, rest] = cut.exec(given) ?? [];
  const operator = sign ?? word;
  if (key === undefined || operator === undefined || rest === undefined) {
    if (/^\s*[^\s=<>!]+\s*$/.test(given)) {
      return { key: given.trim(), operator: "exists", values: [] };
    }
    throw invalid(`Invalid parameter '${field}': write it as key=value, key>=value or key.`);
  }
  const values = operator.endsWith("in") ? rest.split(",").map((value) => value.trim()) : [rest];
  return { key, operator: operatorNamed(operator, field), values: values.map((v) => v.trim()) };
}

function operatorNamed(written: string, field: string): Operator {
  const word = written.trim().toLowerCase();
  const operator = operators.find((known) => known === word) ?? synonyms.get(word);
  if (operator) return operator;
  throw invalid(`Invalid parameter '${field}.operator': '${written}' is not known.`, [
    `Known: ${operators.join(", ")}.`,
  ]);
}

/** A day alone begins at its midnight in UTC, whatever machine is asked. */
function timeOf(written: string, field: string): number {
  const given = written.trim();
  const time = /^\d{4}(-\d{2}(-\d{2}(T.*)?)?)?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time) || !isDay(given.slice(0, 10))) {
    throw invalid(`Invalid parameter '${field}': write a date such as 2026-05-01.`);
  }
  return time;
}

/** The 31st of February would be read as a day in March, which nobody means. */
const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day);

/** A pattern that somebody gave; one with far too many choices is refused by its parameter. */
export function givenGlob(parameter: string, pattern: string): (path: string) => boolean {
  try {
    return globMatcher(pattern);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(`Invalid parameter '${parameter}': ${error.message}`);
  }
}

function documentsAt({ db }: SearchState, pattern: string): number[] {
  const fits = givenGlob("path", pattern);
  return allPlaces(db)
    .filter(({ root, path }) => fits(`${root}/${path}`) || fits(path))
    .map(({ id }) => id);
}

function documentsOfType({ db }: SearchState, type: string): number[] {
  const wanted = type.replace(/^\./, "").toLowerCase();
  return allPlaces(db)
    .filter(({ path }) => typeOf(path) === wanted)
    .map(({ id }) => id);
}

/** What stands behind the last dot of a file's name; a file without one has no type. */
export const typeOf = (path: string): string =>
  /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
