import { splitLines } from "../../../text/strings/lines.ts";
import type { ArchitectureDocument } from "../knowledge/document.ts";
import { canonicalLanguage } from "./languages.ts";
import { type PatternHint, readHeadingAdvice } from "./pattern-headings.ts";
import { type PatternRule, type RuleSeverity, readPatternRules } from "./pattern-rules.ts";

/** A place in the code that breaks the pattern. */
interface Violation {
  rule: string;
  description: string;
  severity: RuleSeverity;
  /** 1-based; absent if something is missing. */
  line?: number;
  /** A declared rule is reliable; a hint from a heading may be wrong. */
  evidence: "rule" | "hint";
}

export interface PatternVerdict {
  /** Null if the pattern declares nothing that can be checked. */
  compliant: boolean | null;
  verdict: "compliant" | "violated" | "cannot-judge";
  violations: Violation[];
  suggestions: string[];
  rules_checked: number;
}

/** Further violations of the same rule are omitted. */
const maxViolationsPerRule = 20;

/**
 * Checks code against a pattern. Only declared rules decide the verdict; hints from headings are
 * reported and do not affect it.
 */
export function validateCode(
  pattern: ArchitectureDocument,
  code: string,
  language = "",
): PatternVerdict {
  const { rules, problems } = readPatternRules(pattern);
  const codeLanguage = canonicalLanguage(language);
  const applies = ({ languages }: PatternRule): boolean =>
    languages.length === 0 || languages.includes(codeLanguage);
  const checked = rules.filter(applies);
  const text = splitLines(code).join("\n");
  const advice = readHeadingAdvice(pattern);
  const violations = [
    ...checked.flatMap((rule) => ruleViolations(rule, text)),
    ...(checked.length === 0 ? advice.hints.flatMap((hint) => hintViolations(hint, text)) : []),
  ];
  const isBroken = violations.some(
    ({ severity, evidence }) => severity !== "info" && evidence === "rule",
  );
  const isComplete =
    problems.length === 0 && (codeLanguage !== "" || checked.length === rules.length);
  const compliant = isBroken ? false : checked.length > 0 && isComplete ? true : null;
  return {
    compliant,
    verdict: compliant === null ? "cannot-judge" : compliant ? "compliant" : "violated",
    violations,
    suggestions: [
      ...(compliant === null
        ? [cannotJudgeReason(rules.length, checked.length, codeLanguage)]
        : []),
      ...problems,
      ...uncheckedRulesNote(rules, checked, codeLanguage),
      ...advice.practices.map((title) => `Best practice to look for: ${title}.`),
      ...advice.pitfalls.map((title) => `Pitfall to look for: ${title}.`),
    ],
    rules_checked: checked.length,
  };
}

function cannotJudgeReason(count: number, checked: number, language: string): string {
  if (checked > 0) return "Cannot judge completely: some rules of the pattern were not checked.";
  if (count === 0) {
    return "Cannot judge: the pattern declares no rules that can be checked, so read it and compare.";
  }
  return language === ""
    ? "Cannot judge: every rule of the pattern is for certain languages, so give `language`."
    : `Cannot judge: the pattern has no rule for ${language.slice(0, 50)}.`;
}

function uncheckedRulesNote(
  rules: readonly PatternRule[],
  checked: readonly PatternRule[],
  language: string,
): string[] {
  if (language !== "" || checked.length === rules.length) return [];
  const languages = new Set(rules.flatMap((rule) => rule.languages));
  return [`Some rules were not checked; they are for ${[...languages].sort().join(", ")}.`];
}

function ruleViolations(rule: PatternRule, text: string): Violation[] {
  const { name, message: description, severity } = rule;
  const violation = { rule: name, description, severity, evidence: "rule" as const };
  const missing = rule.must.filter((expression) => expression.starts(text, 1).length === 0);
  const offsets = rule.mustNot.flatMap((expression) =>
    expression.starts(text, maxViolationsPerRule),
  );
  const lines = [...new Set(offsets.map((offset) => lineAt(text, offset)))].sort((a, b) => a - b);
  return [
    ...missing.slice(0, 1).map(() => violation),
    ...lines.slice(0, maxViolationsPerRule).map((line) => ({ ...violation, line })),
  ];
}

function hintViolations(
  { rule, description, isBadWhenFound, pattern }: PatternHint,
  text: string,
): Violation[] {
  const match = pattern.exec(text);
  if (isBadWhenFound !== (match !== null)) return [];
  const line = match ? { line: lineAt(text, match.index) } : {};
  return [{ rule, description, severity: "warning", evidence: "hint", ...line }];
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;
