import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { findDocument } from "../knowledge/document-set.ts";
import { validateCode } from "../patterns/pattern-validation.ts";
import type { ArchitectureState } from "../state.ts";
import { textUpTo } from "./bounded-text.ts";

const operation = operationsFor<ArchitectureState>();

const Violation = z.object({
  rule: z.string(),
  description: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  line: z.int().optional().describe("Line of the code; absent if something is missing"),
  evidence: z.enum(["rule", "hint"]).describe("A hint may be wrong"),
});

export const validateAgainstPattern = operation({
  name: "validate-against-pattern",
  title: "Validate code against a pattern",
  summary:
    "Check code against the rules that a pattern declares, with line numbers. Without rules the verdict is cannot-judge.",
  input: z.object({
    code: textUpTo(50_000).describe("The code to check"),
    pattern_name: textUpTo(500).describe("Name of the pattern, such as repository-pattern"),
    language: textUpTo(100).optional().describe("Language of the code; some rules need it"),
  }),
  output: z.object({
    compliant: z.boolean().nullable().describe("Null: cannot be judged"),
    verdict: z.enum(["compliant", "violated", "cannot-judge"]),
    pattern: z.string(),
    uri: z.string(),
    violations: z.array(Violation),
    suggestions: z.array(z.string()),
    rules_checked: z.int(),
  }),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /architecture/validate",
    cli: "architecture validate <pattern_name> <code>",
  },
  example: {
    pattern_name: "one-ledger",
    code: "ledger.delete(entry)",
    language: "typescript",
  },

  async run({ code, pattern_name, language }, { knowledge }) {
    const pattern = findDocument(await knowledge.read(), "patterns", pattern_name);
    return { ...validateCode(pattern, code, language), pattern: pattern.name, uri: pattern.uri };
  },

  hasFailed: ({ verdict }) => verdict === "violated",

  present(output, _input, reader) {
    if (reader !== "person") return [textBlock(JSON.stringify(output))];
    const { verdict, pattern, violations, suggestions, rules_checked } = output;
    const verbs = {
      compliant: "follows",
      violated: "breaks",
      "cannot-judge": "cannot be checked against",
    };
    return [
      textBlock(
        [
          `The code ${verbs[verdict]} ${pattern} (${pluralise(rules_checked, "rule")} checked).`,
          ...violations.map(
            ({ line, severity, rule, description, evidence }) =>
              `${line === undefined ? "" : `line ${line}: `}${severity}: ${rule}: ${description}${evidence === "hint" ? " (a hint)" : ""}`,
          ),
          ...suggestions,
        ].join("\n"),
      ),
    ];
  },
});
