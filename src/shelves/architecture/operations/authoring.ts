import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import type { Call } from "../../../kernel/call.ts";
import { carryOut, type Exchange } from "../../../kernel/file-exchange.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { decisionStatuses } from "../../../text/decisions/status.ts";
import { planLink } from "../linking.ts";
import { planNew } from "../new-decision.ts";
import type { Ground, Plan } from "../plan.ts";
import type { ArchitectureState } from "../state.ts";
import { planStatus } from "../status-step.ts";
import { planSupersede } from "../superseding.ts";
import { boundRecords, differencesOf, groundOf } from "../writing.ts";
import { idInput } from "./decisions.ts";

const operation = operationsOn<ArchitectureState>();

const passage = z.string().max(20_000).optional();

export const titleInput = z.string().min(1).max(300).describe("What is decided, in a few words");
export const statusInput = z.enum(decisionStatuses);
export const bodyInput = {
  date: z.iso.date().optional().describe("Of a new one; today by default"),
  folder: z.string().max(1_000).optional().describe("Where, if records lie in several folders"),
  context: passage.describe("Text of the section about the context"),
  decision: passage.describe("Text of the section about the decision"),
  consequences: passage.describe("Text of the section about the consequences"),
};
export const verbInput = z.string().max(40).describe("Such as Amends, Clarifies, Relates to");
export const reverseInput = z
  .string()
  .max(40)
  .optional()
  .describe("What the target says of the source; known for the usual verbs");

/** What was written. */
const Written = z.object({
  summary: z.string(),
  file: z.string().describe("The record that it is about"),
  files: z.array(z.string()).describe("Every file that was written"),
  diff: z.string(),
});

const present = ({ files, summary }: z.output<typeof Written>) => [
  text([summary, ...files.map((file) => `  ${file}`)].join("\n")),
];

export const newDecision = operation({
  name: "new_decision",
  title: "Record a decision",
  summary: "Make a new decision record with the next number, in the manner of the folder it joins.",
  input: z.object({
    title: titleInput,
    status: statusInput.exclude(["superseded"]).default("proposed").describe("Its status"),
    ...bodyInput,
  }),
  output: Written,
  effect: "writes",
  expose: { cli: "adr new <title...>" },
  example: { title: "Keep the lamp lit by night", date: "2026-01-01" },
  run: (wanted, state, call) =>
    written(state, call, "new_decision", (ground) => planNew(ground, wanted)),
  present,
});

export const supersedeDecision = operation({
  name: "supersede_decision",
  title: "Supersede a decision",
  summary:
    "Let a new decision, or one that is there, take the place of an old one. Both files say so afterwards, or neither.",
  input: z.object({
    old: idInput,
    title: titleInput.optional(),
    by: idInput.optional().describe("A decision that is there, instead of a title"),
    status: statusInput.exclude(["superseded"]).optional().describe("Of a new one: accepted"),
    ...bodyInput,
  }),
  output: Written,
  effect: "writes",
  expose: { cli: "adr supersede <old> [title...]" },
  example: { old: "1", title: "Light the lamp by electricity", date: "2026-01-01" },
  run: (wanted, state, call) =>
    written(state, call, "supersede_decision", (ground) => planSupersede(ground, wanted)),
  present,
});

export const linkDecisions = operation({
  name: "link_decisions",
  title: "Link two decisions",
  summary: "Let two decisions say of one another how they stand. Both files are written, or none.",
  input: z.object({ source: idInput, verb: verbInput, target: idInput, reverse: reverseInput }),
  output: Written,
  effect: "writes",
  expose: { cli: "adr link <source> <verb> <target>" },
  example: { source: "2", verb: "Amends", target: "1" },
  run: (wanted, state, call) =>
    written(state, call, "link_decisions", (ground) => planLink(ground, wanted)),
  present,
});

export const setDecisionStatus = operation({
  name: "set_decision_status",
  title: "Set a decision's status",
  summary:
    "Change the status where the record has it, and nothing else; only steps that make sense are taken.",
  input: z.object({ id: idInput, status: statusInput.describe("Its status from now on") }),
  output: Written,
  effect: "writes",
  expose: { cli: "adr status <id> <status>" },
  example: { id: "2", status: "accepted" },
  run: (wanted, state, call) =>
    written(state, call, "set_decision_status", (ground) => planStatus(ground, wanted)),
  present,
});

/** How the operations above are undone, and their undoing as well. It is on no surface. */
const exchangeDecisionFiles = operation({
  name: "exchange_decision_files",
  title: "Put decision records back",
  summary:
    "Put files of decision records back as they were, where they are still as they were left.",
  input: z.object({
    files: z
      .array(
        z.object({
          file: z.string().regex(/^[^\0]*\.(md|markdown)$/i),
          before: z.string().nullable(),
          after: z.string().nullable(),
        }),
      )
      .min(1),
  }),
  output: z.object({ files: z.array(z.string()) }),
  effect: "writes",
  expose: {},
  example: { files: [{ file: "docs/adr/001-a.md", before: null, after: "# A" }] },
  async run({ files }, state, call) {
    const { root } = await boundRecords(state, call).now();
    const names = files.map(({ file }) => file);
    const summary = `Put back ${names.join(", ")}`;
    carry(state, root, files, { summary, name: "exchange_decision_files" }, call);
    return { files: names };
  },
});

async function written(
  state: ArchitectureState,
  call: Call,
  name: string,
  planOn: (ground: Ground) => Plan,
): Promise<z.input<typeof Written>> {
  const ground = await groundOf(state, call);
  const plan = planOn(ground);
  const { summary, file, edits } = plan;
  const exchanges = edits.map((edit) => ({ ...edit, before: edit.before ?? null }));
  carry(state, ground.set.root, exchanges, { summary, name }, call);
  return { summary, file, files: edits.map((edit) => edit.file), diff: differencesOf(plan) };
}

function carry(
  state: ArchitectureState,
  root: string,
  exchanges: readonly Exchange[],
  { summary, name }: { summary: string; name: string },
  call: Call,
): void {
  const undo = (files: Exchange[]) => ({ operation: "exchange_decision_files", input: { files } });
  carryOut(state, root, { exchanges, summary, operation: name, undo }, call);
}

export const authoringOperations = [
  newDecision,
  supersedeDecision,
  linkDecisions,
  setDecisionStatus,
  exchangeDecisionFiles,
];
