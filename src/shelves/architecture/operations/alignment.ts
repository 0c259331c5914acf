import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { alignDecisions, type DecisionAlignment } from "../alignment/alignment.ts";
import type { ArchitectureState } from "../state.ts";
import { textUpTo } from "./bounded-text.ts";

const operation = operationsFor<ArchitectureState>();

const RelatedDecision = z.object({
  uri: z.string(),
  title: z.string(),
  adr_id: z.string(),
  status: z.string(),
  alignment: z.enum(["supports", "conflicts", "related"]),
  strength: z.enum(["strong", "weak"]).describe("Weak evidence may be a coincidence"),
  reason: z.string(),
  quote: z.string().optional().describe("The sentence that decides"),
  line: z.int().optional().describe("Its line"),
  living: z.array(z.string()).optional().describe("The decisions in force that superseded it"),
});

export const checkAdrAlignment = operation({
  name: "check-adr-alignment",
  title: "Check alignment with decisions",
  summary:
    "Which recorded decisions support or contradict a proposal, with the decisive sentence. Only decisions in force can conflict.",
  input: z.object({
    decision_description: textUpTo(5_000).describe("The proposal, in plain sentences"),
    decision_context: textUpTo(2_000).optional().describe("Why, or for what"),
  }),
  output: z.object({
    related_adrs: z.array(RelatedDecision),
    conflicts: z.array(z.object({ adr_uri: z.string(), conflict_description: z.string() })),
    suggestions: z.array(z.string()),
  }),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /architecture/align",
    cli: "architecture align <decision_description...>",
  },
  example: { decision_description: "Keep the loans in a spreadsheet on a shared drive." },

  async run({ decision_description, decision_context = "" }, { knowledge, index }) {
    const set = await knowledge.read();
    const related = alignDecisions(set, index, decision_description, decision_context);
    const conflicts = related.filter(({ alignment }) => alignment === "conflicts");
    return {
      related_adrs: related,
      conflicts: conflicts.map(({ uri, title, strength, reason, quote }) => ({
        adr_uri: uri,
        conflict_description: `${strength === "weak" ? "Perhaps: " : ""}'${title}': ${reason} "${quote}"`,
      })),
      suggestions: suggestionsFor(related, set.records.decisions.length),
    };
  },

  present(output, _input, reader) {
    if (reader !== "person") return [textBlock(JSON.stringify(output))];
    const lines = output.related_adrs.flatMap(
      ({ alignment, strength, title, uri, reason, quote }) => [
        `${alignment} (${strength}): ${title}  ${uri}`,
        `    ${reason}`,
        ...(quote === undefined ? [] : [`    "${quote}"`]),
      ],
    );
    return [textBlock([...lines, ...output.suggestions].join("\n"))];
  },
});

function suggestionsFor(related: readonly DecisionAlignment[], count: number): string[] {
  const isAny = (matches: (one: DecisionAlignment) => boolean): boolean => related.some(matches);
  const suggestions: string[] = [];
  if (count === 0) suggestions.push("No decisions are recorded yet: this could be the first.");
  else if (related.length === 0) {
    suggestions.push("No recorded decision addresses this: record a new one.");
  }
  if (isAny(({ alignment, strength }) => alignment === "conflicts" && strength === "strong")) {
    suggestions.push("Change the proposal, or supersede the decision that it contradicts.");
  }
  if (isAny(({ alignment, strength }) => alignment === "conflicts" && strength === "weak")) {
    suggestions.push("Read the decisions marked weak: shared words alone prove nothing.");
  }
  if (isAny(({ living }) => living !== undefined)) {
    suggestions.push("Cite the decisions in force, not those they superseded.");
  }
  if (isAny(({ status }) => status === "proposed")) {
    suggestions.push("A related decision is still open: decide both together.");
  }
  if (isAny(({ status }) => status === "rejected")) {
    suggestions.push("A similar proposal was rejected: explain what has changed since.");
  }
  return suggestions;
}
