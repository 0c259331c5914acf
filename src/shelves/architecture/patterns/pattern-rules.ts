import { frontmatterLength } from "../../../text/markdown/frontmatter.ts";
import { isFields, textValue, type Value } from "../../../text/objects/values/value.ts";
import { parseYamlValue } from "../../../text/objects/values/yaml.ts";
import { type LinearPattern, readRegex } from "../../../text/patterns/regex.ts";
import { InvalidPatternError } from "../../../text/patterns/regex-parser.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { ArchitectureDocument } from "../knowledge/document.ts";
import { canonicalLanguage } from "./languages.ts";

export type RuleSeverity = "error" | "warning" | "info";

/**
 * A rule that a pattern declares in its front matter:
 *
 * ```yaml
 * rules:
 *   - name: No SQL outside of the repository
 *     must_not: 'sql\.\w+'
 *     languages: [go]
 *     severity: error
 *     message: Use the repository.
 * ```
 */
export interface PatternRule {
  name: string;
  message: string;
  severity: RuleSeverity;
  /** The languages it applies to; empty for all. */
  languages: readonly string[];
  /** Each must match somewhere. */
  must: readonly LinearPattern[];
  /** None may match anywhere. */
  mustNot: readonly LinearPattern[];
}

export interface PatternRules {
  rules: readonly PatternRule[];
  /** Why some rules cannot be checked. */
  problems: readonly string[];
}

const maxRules = 50;
const maxExpressions = 20;
const maxTextLength = 500;

/** The rules of a pattern, parsed once per version of the document. */
export function readPatternRules(pattern: ArchitectureDocument): PatternRules {
  const rules = rulesCache.get(pattern) ?? parsePatternRules(pattern);
  rulesCache.set(pattern, rules);
  return rules;
}

const rulesCache = new WeakMap<ArchitectureDocument, PatternRules>();

function parsePatternRules({ lines }: ArchitectureDocument): PatternRules {
  const matter = lines.slice(1, Math.max(frontmatterLength(lines) - 1, 1)).join("\n");
  if (!/^rules[ \t]*:/m.test(matter)) return { rules: [], problems: [] };
  const fields = parseYamlValue(matter);
  const declared = isFields(fields) ? fields.get("rules") : undefined;
  if (!Array.isArray(declared)) {
    return { rules: [], problems: ["The front matter's `rules` cannot be read as a list."] };
  }
  const rules: PatternRule[] = [];
  const problems: string[] = [];
  for (const [index, value] of declared.slice(0, maxRules).entries()) {
    try {
      rules.push(parseRule(value, index + 1));
    } catch (error) {
      if (!(error instanceof InvalidPatternError)) throw error;
      problems.push(`${ruleName(value, index + 1)} cannot be checked: ${error.message}.`);
    }
  }
  if (declared.length > maxRules) problems.push(`Only the first ${maxRules} rules are checked.`);
  return { rules, problems };
}

function parseRule(value: Value, number: number): PatternRule {
  if (!isFields(value)) throw new InvalidPatternError("it has no fields");
  const must = parseExpressions(value.get("must"));
  const mustNot = parseExpressions(value.get("must_not") ?? value.get("must-not"));
  if (must.length + mustNot.length === 0) {
    throw new InvalidPatternError("it has neither `must` nor `must_not`");
  }
  const name = ruleName(value, number);
  const severity = textValue(value.get("severity"))?.toLowerCase() ?? "error";
  if (severity !== "error" && severity !== "warning" && severity !== "info") {
    throw new InvalidPatternError("its severity must be error, warning or info");
  }
  return {
    name,
    message: limitedText(value.get("message")) ?? limitedText(value.get("description")) ?? name,
    severity,
    languages: textsOf(value.get("languages") ?? value.get("language")).map(canonicalLanguage),
    must,
    mustNot,
  };
}

const ruleName = (value: Value, number: number): string =>
  (isFields(value)
    ? (limitedText(value.get("name")) ?? limitedText(value.get("rule")))
    : undefined) ?? `Rule ${number}`;

const parseExpressions = (value: Value | undefined): LinearPattern[] =>
  textsOf(value).slice(0, maxExpressions).map(readRegex);

const textsOf = (value: Value | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textValue(item) ?? []);

function limitedText(value: Value | undefined): string | undefined {
  const text = toPrintable(textValue(value) ?? "").slice(0, maxTextLength);
  return text === "" ? undefined : text;
}
