import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { type Aligned, alignedWith } from "../alignment.ts";
import type { ArchitectureState } from "../state.ts";
import { lettersUpTo } from "./letters.ts";

const operation = operationsOn<ArchitectureState>();

const Related = z.object({
  uri: z.string(),
  title: z.string(),
  adr_id: z.string(),
  status: z.string(),
  alignment: z.enum(["supports", "conflicts", "related"]),
  strength: z.enum(["strong", "weak"]).describe("Weak evidence may mean something else"),
  reason: z.string(),
  quote: z.string().optional().describe("The sentence that decides"),
  line: z.int().optional().describe("Its line"),
  living: z.array(z.string()).optional().describe("The decisions that hold in its place"),
});

export const checkAdrAlignment = operation({
  name: "check-adr-alignment",
  title: "Check alignment with decisions",
  summary:
    "Which recorded decisions support or contradict a proposal, with the sentence that decides. Only decisions that hold can conflict.",
  input: z.object({
    decision_description: lettersUpTo(5_000).describe("What is proposed, in plain sentences"),
    decision_context: lettersUpTo(2_000).optional().describe("Why, or for what"),
  }),
  output: z.object({
    related_adrs: z.array(Related),
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
    const set = await knowledge.now();
    const related = alignedWith(set, index, decision_description, decision_context);
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
    if (reader !== "person") return [text(JSON.stringify(output))];
    const lines = output.related_adrs.flatMap(
      ({ alignment, strength, title, uri, reason, quote }) => [
        `${alignment} (${strength}): ${title}  ${uri}`,
        `    ${reason}`,
        ...(quote === undefined ? [] : [`    "${quote}"`]),
      ],
    );
    return [text([...lines, ...output.suggestions].join("\n"))];
  },
});

function suggestionsFor(related: readonly Aligned[], count: number): string[] {
  const has = (fits: (one: Aligned) => boolean): boolean => related.some(fits);
  const suggestions: string[] = [];
  if (count === 0) suggestions.push("No decisions are recorded yet: this could be the first.");
  else if (related.length === 0) {
    suggestions.push("No recorded decision speaks of this: record it as a new one.");
  }
  if (has(({ alignment, strength }) => alignment === "conflicts" && strength === "strong")) {
    suggestions.push("Change the proposal, or supersede the decision that it contradicts.");
  }
  if (has(({ alignment, strength }) => alignment === "conflicts" && strength === "weak")) {
    suggestions.push("Read the decisions marked weak: words alone do not show what they mean.");
  }
  if (has(({ living }) => living !== undefined)) {
    suggestions.push("Cite the decisions that hold now, not those they superseded.");
  }
  if (has(({ status }) => status === "proposed")) {
    suggestions.push("A related decision is still open: decide both together.");
  }
  if (has(({ status }) => status === "rejected")) {
    suggestions.push("Something like this was rejected before: say what has changed since.");
  }
  return suggestions;
}
