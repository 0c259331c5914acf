import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { globMatcher } from "../../../text/patterns/glob.ts";
import { findDocumentsByDate, findDocumentsByLanguage, listDocumentPaths } from "../storage.ts";
import { type FactCondition, findDocumentsByFact } from "../storage-facts.ts";

type Operator = FactCondition["operator"];

const operators = ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists"] as const;

/** Alternative names of operators, as in other programs. */
const operatorAliases: ReadonlyMap<string, Operator> = new Map([
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

/** Agents write a condition as text and pay for each schema, so that of the object is left out. */
const ConditionInput = z.looseObject({}).pipe(Condition);

/** The filter parameters of all search operations. */
export const searchFilterShape = {
  filter: z
    .array(z.union([ConditionInput, z.string().min(1).max(1_000)]))
    .max(20)
    .optional()
    .describe("Front matter: `status=draft`, `year>=2024`, `tags in a,b`"),
  path: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("Only files that match this glob: `journal/2026-*`"),
  after: z.string().optional().describe("From this date on: 2026-05-01"),
  before: z.string().optional().describe("Before this date"),
};

export interface SearchFilters {
  filter?: readonly (z.output<typeof Condition> | string)[] | undefined;
  path?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The file extension: `md`. */
  type?: string | undefined;
  /** The language of the text: `de`. */
  language?: string | undefined;
}

/**
 * The documents that match all conditions; `undefined` without conditions. The search applies them
 * before its limit, so that matching documents are not crowded out by others.
 */
export function* findMatchingDocuments(filters: SearchFilters): Steps<number[] | undefined> {
  const lists: number[][] = [];
  for (const [index, condition] of (filters.filter ?? []).entries()) {
    lists.push(yield* findDocumentsByFact(parseCondition(condition, `filter.${index}`)));
  }
  if (filters.path !== undefined) lists.push(yield* findByPathGlob(filters.path));
  if (filters.after !== undefined || filters.before !== undefined) {
    lists.push(
      yield* findDocumentsByDate(
        filters.after === undefined ? undefined : parseDateFilter(filters.after, "after"),
        filters.before === undefined ? undefined : parseDateFilter(filters.before, "before"),
      ),
    );
  }
  if (filters.type !== undefined) lists.push(yield* findByExtension(filters.type));
  if (filters.language !== undefined) {
    lists.push(yield* findDocumentsByLanguage(filters.language.toLowerCase()));
  }
  return lists.reduce<number[] | undefined>((matching, list) => {
    if (matching === undefined) return list;
    const included = new Set(list);
    return matching.filter((document) => included.has(document));
  }, undefined);
}

/** Parses `year>=2024`, `status=draft`, `tags in a,b`; a key alone means that it exists. */
export function parseCondition(
  condition: z.output<typeof Condition> | string,
  field: string,
): FactCondition {
  if (typeof condition !== "string") {
    const operator = parseOperator(condition.operator, field);
    const value = condition.value;
    if (value === undefined && operator !== "exists") {
      throw invalid(`Invalid parameter '${field}.value': '${operator}' needs a value.`);
    }
    const values = value === undefined ? [] : [value].flat().map(String);
    if (values.length !== 1 && !["in", "not in", "exists"].includes(operator)) {
      throw invalid(
        `Invalid parameter '${field}.value': '${operator}' takes one value; use 'in' for several.`,
      );
    }
    return { key: condition.key, operator, values };
  }
  // An operator that is a word needs a space before it: `opt-in` is a key.
  const pattern = /^\s*([^\s=<>!]+)(?:\s*(!=|<=|>=|==|=|<|>)|\s+(not in|in|contains)\b)\s*(.*)$/s;
  const [, key, sign, word, rest] = pattern.exec(condition) ?? [];
  const operator = sign ?? word;
  if (key === undefined || operator === undefined || rest === undefined) {
    if (/^\s*[^\s=<>!]+\s*$/.test(condition)) {
      return { key: condition.trim(), operator: "exists", values: [] };
    }
    throw invalid(`Invalid parameter '${field}': write it as key=value, key>=value or key.`);
  }
  const values = operator.endsWith("in") ? rest.split(",").map((value) => value.trim()) : [rest];
  return { key, operator: parseOperator(operator, field), values: values.map((v) => v.trim()) };
}

function parseOperator(name: string, field: string): Operator {
  const word = name.trim().toLowerCase();
  const operator = operators.find((known) => known === word) ?? operatorAliases.get(word);
  if (operator) return operator;
  throw invalid(`Invalid parameter '${field}.operator': unknown operator '${name}'.`, [
    `Operators: ${operators.join(", ")}.`,
  ]);
}

/** A date without a time means midnight UTC, regardless of the machine's time zone. */
function parseDateFilter(value: string, field: string): number {
  const date = value.trim();
  const time = /^\d{4}(-\d{2}(-\d{2}(T.*)?)?)?$/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(time) || !isCalendarDay(date.slice(0, 10))) {
    throw invalid(`Invalid parameter '${field}': write a date such as 2026-05-01.`);
  }
  return time;
}

/** False for 31 February, which `Date` would parse as a day in March. */
const isCalendarDay = (day: string): boolean => new Date(day).toISOString().startsWith(day);

/** Compiles a glob; the error for a pattern with too many alternatives names the parameter. */
export function parseGlobParameter(parameter: string, pattern: string): (path: string) => boolean {
  try {
    return globMatcher(pattern);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(`Invalid parameter '${parameter}': ${error.message}`);
  }
}

function* findByPathGlob(pattern: string): Steps<number[]> {
  const matches = parseGlobParameter("path", pattern);
  return (yield* listDocumentPaths())
    .filter(({ root, path }) => matches(`${root}/${path}`) || matches(path))
    .map(({ id }) => id);
}

function* findByExtension(type: string): Steps<number[]> {
  const wanted = type.replace(/^\./, "").toLowerCase();
  return (yield* listDocumentPaths())
    .filter(({ path }) => fileExtensionOf(path) === wanted)
    .map(({ id }) => id);
}

/** The lower-case extension of a file name without the dot; empty if there is none. */
export const fileExtensionOf = (path: string): string =>
  /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
