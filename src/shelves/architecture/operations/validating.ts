import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { documentNamed } from "../document-set.ts";
import type { ArchitectureState } from "../state.ts";
import { validate } from "../validation.ts";
import { lettersUpTo } from "./letters.ts";

const operation = operationsOn<ArchitectureState>();

const Violation = z.object({
  rule: z.string(),
  description: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  line: z.int().optional().describe("Line of the code; none where something is missing"),
  evidence: z.enum(["rule", "hint"]).describe("A hint may be wrong"),
});

export const validateAgainstPattern = operation({
  name: "validate-against-pattern",
  title: "Validate code against a pattern",
  summary:
    "Check code against the rules that a pattern declares, with line numbers. Says that it cannot judge where the pattern declares none.",
  input: z.object({
    code: lettersUpTo(50_000).describe("The code to check"),
    pattern_name: lettersUpTo(500).describe("Name of the pattern, such as repository-pattern"),
    language: lettersUpTo(100).optional().describe("Language of the code; some rules need it"),
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
    const pattern = documentNamed(await knowledge.now(), "patterns", pattern_name);
    return { ...validate(pattern, code, language), pattern: pattern.name, uri: pattern.uri };
  },

  hasFailed: ({ verdict }) => verdict === "violated",

  present(output, _input, reader) {
    if (reader !== "person") return [text(JSON.stringify(output))];
    const { verdict, pattern, violations, suggestions, rules_checked } = output;
    const words = {
      compliant: "follows",
      violated: "breaks",
      "cannot-judge": "cannot be held against",
    };
    return [
      text(
        [
          `The code ${words[verdict]} ${pattern} (${counted(rules_checked, "rule")} checked).`,
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
