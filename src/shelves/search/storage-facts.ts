import { all, inTexts, type Sql, type Steps } from "../../kernel/storage/steps.ts";
import { normalizeTag } from "../../text/markdown/inline-tags.ts";
import { foldName } from "../../text/markdown/wiki-links.ts";

/** A condition on the front matter. Most operators have one value. */
export interface FactCondition {
  key: string;
  operator: "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "contains" | "exists";
  values: readonly string[];
}

/** Documents that match a condition. Documents without the key match only negated conditions. */
export function* findDocumentsByFact(condition: FactCondition): Steps<number[]> {
  const { key, operator } = condition;
  const isNegated = operator === "!=" || operator === "not in";
  const isEquality = ["=", "!=", "in", "not in"].includes(operator);
  // Tools for notes write the tags of a note as `tags`, and some as `tag`.
  const keys = JSON.stringify(/^tags$/i.test(key) ? ["tags", "tag"] : [foldCase(key)]);
  const values = isEquality ? yield* withOtherCases(keys, condition) : condition.values;
  const { matches, bound } =
    isEquality && isTagKey(key) ? tagCondition(values) : comparison(operator, values);
  const sql = caseless(
    (fold, position) => `SELECT id FROM documents WHERE id ${isNegated ? "NOT " : ""}IN
       (SELECT document FROM search_facts
         WHERE ${fold("key")} ${inTexts("?")} AND ${matches(fold, position)})`,
  );
  const rows = yield* all<{ id: number }>(sql, keys, ...bound);
  return rows.map(({ id }) => id);
}

export const isTagKey = (key: string): boolean => /^tags?$/i.test(key);

/** Columns of `search_facts` are compared without case: in SQLite by their definition. */
type Fold = (column: string) => string;

/**
 * A statement on `search_facts`. The values that are compared must be folded by `foldCase`.
 * `position` is the name of a function.
 */
export const caseless = (build: (fold: Fold, position: string) => string): Sql => ({
  sqlite: build((column) => column, "instr"),
  postgres: build((column) => `lower(${column})`, "strpos"),
});

/** As SQLite and, for our columns, PostgreSQL fold text: ASCII letters only. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const selectValues = caseless(
  (fold) => `SELECT DISTINCT value FROM search_facts WHERE ${fold("key")} ${inTexts("?")}`,
);

/** Adds the values in the documents that differ from the wanted ones only in case, in any script. */
function* withOtherCases(keys: string, { key, values }: FactCondition): Steps<string[]> {
  if (values.every((value) => /^[\0-\x7f]*$/.test(value))) return [...values];
  const stored = yield* all<{ value: string }>(selectValues, keys);
  return values.flatMap((given) => {
    const wanted = isTagKey(key) ? normalizeTag(given) : given;
    const levels = isTagKey(key) ? wanted.split("/").length : undefined;
    const heads = stored.map(({ value }) =>
      levels === undefined ? value : value.split("/").slice(0, levels).join("/"),
    );
    return [wanted, ...new Set(heads.filter((head) => foldName(head) === foldName(wanted)))];
  });
}

/** A part of a statement, and the values of its parameters. */
interface FactSql {
  matches: (fold: Fold, position: string) => string;
  bound: (string | number)[];
}

/** A tag includes the tags below it: `area` matches `area/topic`. */
function tagCondition(values: readonly string[]): FactSql {
  const tags = values.map((value) => foldCase(normalizeTag(value)));
  // "0" follows "/" in ASCII, so the range holds what starts with `area/`.
  const one = (value: string) => `${value} = ? OR (${value} > ? || '/' AND ${value} < ? || '0')`;
  return {
    matches: (fold) => `(${tags.map(() => one(fold("value"))).join(" OR ") || "1 = 0"})`,
    bound: tags.flatMap((tag) => [tag, tag, tag]),
  };
}

/** Compares as numbers if both sides are numbers, otherwise as text. */
function comparison(operator: FactCondition["operator"], values: readonly string[]): FactSql {
  const [given = ""] = values;
  const value = foldCase(given);
  const number = parseNumber(given);
  switch (operator) {
    case "exists":
      return { matches: () => "1 = 1", bound: [] };
    case "contains":
      return { matches: (_fold, position) => `${position}(lower(value), ?) > 0`, bound: [value] };
    case "in":
    case "not in":
      return {
        matches: (fold) => `${fold("value")} ${inTexts("?")}`,
        bound: [JSON.stringify(values.map(foldCase))],
      };
    case "=":
    case "!=":
      if (values.length > 1) return comparison("in", values);
      return number === null
        ? { matches: (fold) => `${fold("value")} = ?`, bound: [value] }
        : { matches: (fold) => `(${fold("value")} = ? OR number = ?)`, bound: [value, number] };
    default: {
      const compare = (fold: Fold) => `${fold("value")} ${operator} ?`;
      return number === null
        ? { matches: compare, bound: [value] }
        : {
            matches: (fold) =>
              `CASE WHEN number IS NULL THEN ${compare(fold)} ELSE number ${operator} ? END`,
            bound: [value, number],
          };
    }
  }
}

/** A value as a number, if it is one. */
export const parseNumber = (value: string): number | null =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : null;
