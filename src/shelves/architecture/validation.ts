import { linesOf } from "../../text/lines.ts";
import type { ArchitectureDocument } from "./document.ts";
import { languageCalled } from "./languages.ts";
import { adviceOf, type Hint } from "./pattern-headings.ts";
import { type PatternRule, rulesOf, type Severity } from "./pattern-rules.ts";

/** Something in the code that speaks against the pattern. */
interface Violation {
  rule: string;
  description: string;
  severity: Severity;
  /** Counted from one; none where something is missing. */
  line?: number;
  /** A declared rule decides; what a heading hints at may be wrong. */
  evidence: "rule" | "hint";
}

export interface Verdict {
  /** Null where the pattern has nothing that can be checked: then nobody can say. */
  compliant: boolean | null;
  verdict: "compliant" | "violated" | "cannot-judge";
  violations: Violation[];
  suggestions: string[];
  rules_checked: number;
}

/** A rule is told at so many places; where it is broken more often, one knows. */
const mostPlaces = 20;

/**
 * Holds code against a pattern. Only declared rules judge: what is told by headings alone may raise
 * a doubt, and neither condemns nor acquits.
 */
export function validate(pattern: ArchitectureDocument, code: string, language = ""): Verdict {
  const { rules, problems } = rulesOf(pattern);
  const spoken = languageCalled(language);
  const applies = ({ languages }: PatternRule): boolean =>
    languages.length === 0 || languages.includes(spoken);
  const checked = rules.filter(applies);
  const text = linesOf(code).join("\n");
  const advice = adviceOf(pattern);
  const violations = [
    ...checked.flatMap((rule) => broken(rule, text)),
    ...(checked.length === 0 ? advice.hints.flatMap((hint) => doubted(hint, text)) : []),
  ];
  const isBroken = violations.some(
    ({ severity, evidence }) => severity !== "info" && evidence === "rule",
  );
  const isWhole = problems.length === 0 && (spoken !== "" || checked.length === rules.length);
  const compliant = isBroken ? false : checked.length > 0 && isWhole ? true : null;
  return {
    compliant,
    verdict: compliant === null ? "cannot-judge" : compliant ? "compliant" : "violated",
    violations,
    suggestions: [
      ...(compliant === null ? [whyNotJudged(rules.length, checked.length, spoken)] : []),
      ...problems,
      ...unasked(rules, checked, spoken),
      ...advice.practices.map((title) => `Best practice to look for: ${title}.`),
      ...advice.pitfalls.map((title) => `Pitfall to look for: ${title}.`),
    ],
    rules_checked: checked.length,
  };
}

function whyNotJudged(count: number, checked: number, language: string): string {
  if (checked > 0) return "Cannot judge the whole: some rules of the pattern were not checked.";
  if (count === 0) {
    return "Cannot judge: the pattern declares no rules that can be checked, so read it and compare.";
  }
  return language === ""
    ? "Cannot judge: every rule of the pattern is for certain languages, so give `language`."
    : `Cannot judge: the pattern has no rule for ${language.slice(0, 50)}.`;
}

function unasked(
  rules: readonly PatternRule[],
  checked: readonly PatternRule[],
  language: string,
): string[] {
  if (language !== "" || checked.length === rules.length) return [];
  const languages = new Set(rules.flatMap((rule) => rule.languages));
  return [`Some rules were not checked; they are for ${[...languages].sort().join(", ")}.`];
}

function broken(rule: PatternRule, text: string): Violation[] {
  const { name, message: description, severity } = rule;
  const violation = { rule: name, description, severity, evidence: "rule" as const };
  const missing = rule.must.filter((expression) => expression.starts(text, 1).length === 0);
  const places = rule.mustNot.flatMap((expression) => expression.starts(text, mostPlaces));
  const lines = [...new Set(places.map((place) => lineAt(text, place)))].sort((a, b) => a - b);
  return [
    ...missing.slice(0, 1).map(() => violation),
    ...lines.slice(0, mostPlaces).map((line) => ({ ...violation, line })),
  ];
}

function doubted({ rule, description, isTrouble, sign }: Hint, text: string): Violation[] {
  const found = sign.exec(text);
  if (isTrouble !== (found !== null)) return [];
  const line = found ? { line: lineAt(text, found.index) } : {};
  return [{ rule, description, severity: "warning", evidence: "hint", ...line }];
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split("\n").length;
