import { UnreadableExpression } from "../../text/expression-grammar.ts";
import { frontmatterLength } from "../../text/frontmatter.ts";
import { type LinearExpression, readExpression } from "../../text/linear-expression.ts";
import { isFields, textOf, type Value } from "../../text/objects/value.ts";
import { readYaml } from "../../text/objects/yaml.ts";
import { visible } from "../../text/visible.ts";
import type { ArchitectureDocument } from "./document.ts";
import { languageCalled } from "./languages.ts";

export type Severity = "error" | "warning" | "info";

/**
 * A rule that a pattern declares in its front matter:
 *
 * ```yaml
 * rules:
 *   - name: No SQL outside of the repository
 *     must_not: 'sql\.\w+'
 *     languages: [go]
 *     severity: error
 *     message: Ask the repository.
 * ```
 */
export interface PatternRule {
  name: string;
  message: string;
  severity: Severity;
  /** For these alone; for all where there are none. */
  languages: readonly string[];
  /** Each must be found somewhere. */
  must: readonly LinearExpression[];
  /** None may be found anywhere. */
  mustNot: readonly LinearExpression[];
}

export interface PatternRules {
  rules: readonly PatternRule[];
  /** What is wrong with rules that cannot be checked. */
  problems: readonly string[];
}

const mostRules = 50;
const mostExpressions = 20;
const longestWords = 500;

/** The rules of a pattern. They are read once for each state of the document. */
export function rulesOf(pattern: ArchitectureDocument): PatternRules {
  const known = read.get(pattern) ?? readRules(pattern);
  read.set(pattern, known);
  return known;
}

const read = new WeakMap<ArchitectureDocument, PatternRules>();

function readRules({ lines }: ArchitectureDocument): PatternRules {
  const matter = lines.slice(1, Math.max(frontmatterLength(lines) - 1, 1)).join("\n");
  if (!/^rules[ \t]*:/m.test(matter)) return { rules: [], problems: [] };
  const fields = readYaml(matter);
  const declared = isFields(fields) ? fields.get("rules") : undefined;
  if (!Array.isArray(declared)) {
    return { rules: [], problems: ["The front matter's `rules` cannot be read as a list."] };
  }
  const rules: PatternRule[] = [];
  const problems: string[] = [];
  for (const [index, value] of declared.slice(0, mostRules).entries()) {
    try {
      rules.push(ruleOf(value, index + 1));
    } catch (error) {
      if (!(error instanceof UnreadableExpression)) throw error;
      problems.push(`${nameOf(value, index + 1)} cannot be checked: ${error.message}.`);
    }
  }
  if (declared.length > mostRules) problems.push(`Only the first ${mostRules} rules are checked.`);
  return { rules, problems };
}

function ruleOf(value: Value, number: number): PatternRule {
  if (!isFields(value)) throw new UnreadableExpression("it has no fields");
  const must = expressionsIn(value.get("must"));
  const mustNot = expressionsIn(value.get("must_not") ?? value.get("must-not"));
  if (must.length + mustNot.length === 0) {
    throw new UnreadableExpression("it says neither `must` nor `must_not`");
  }
  const name = nameOf(value, number);
  const severity = textOf(value.get("severity"))?.toLowerCase() ?? "error";
  if (severity !== "error" && severity !== "warning" && severity !== "info") {
    throw new UnreadableExpression("its severity is none of error, warning and info");
  }
  return {
    name,
    message: words(value.get("message")) ?? words(value.get("description")) ?? name,
    severity,
    languages: textsIn(value.get("languages") ?? value.get("language")).map(languageCalled),
    must,
    mustNot,
  };
}

const nameOf = (value: Value, number: number): string =>
  (isFields(value) ? (words(value.get("name")) ?? words(value.get("rule"))) : undefined) ??
  `Rule ${number}`;

const expressionsIn = (value: Value | undefined): LinearExpression[] =>
  textsIn(value).slice(0, mostExpressions).map(readExpression);

const textsIn = (value: Value | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);

function words(value: Value | undefined): string | undefined {
  const text = visible(textOf(value) ?? "").slice(0, longestWords);
  return text === "" ? undefined : text;
}
