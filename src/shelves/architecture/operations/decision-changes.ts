import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { applyFileChanges, type FileChange } from "../../../kernel/files/file-changes.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { decisionStatuses } from "../../../text/decisions/status.ts";
import type { ChangePlan, PlanContext } from "../decisions/change-plan.ts";
import { planLink } from "../decisions/link-plan.ts";
import { planNewDecision } from "../decisions/new-decision-plan.ts";
import { createPlanContext, formatPlanDiff, recordsForCall } from "../decisions/plan-context.ts";
import { planStatusChange } from "../decisions/status-plan.ts";
import { planSupersession } from "../decisions/supersession-plan.ts";
import type { ArchitectureState } from "../state.ts";
import { decisionIdInput } from "./decisions.ts";

const operation = operationsFor<ArchitectureState>();

const passage = z.string().max(20_000).optional();

export const titleInput = z
  .string()
  .min(1)
  .max(300)
  .describe("Title of the decision, in a few words");
export const statusInput = z.enum(decisionStatuses);
export const bodyInput = {
  date: z.iso.date().optional().describe("Date of a new decision; today by default"),
  folder: z
    .string()
    .max(1_000)
    .optional()
    .describe("Folder of the record; required if there are several"),
  context: passage.describe("Text of the context section"),
  decision: passage.describe("Text of the decision section"),
  consequences: passage.describe("Text of the consequences section"),
};
export const verbInput = z.string().max(40).describe("Such as Amends, Clarifies, Relates to");
export const reverseInput = z
  .string()
  .max(40)
  .optional()
  .describe("Verb of the target for the source; derived for common verbs");

const ChangeOutput = z.object({
  summary: z.string(),
  file: z.string().describe("The record that was changed or created"),
  files: z.array(z.string()).describe("Every file that was written"),
  diff: z.string(),
});

/** An operation that plans its changes of records, then writes them together. */
const changeOperation = <Input extends z.ZodObject>({
  cli,
  plan,
  ...definition
}: {
  name: string;
  title: string;
  summary: string;
  input: Input;
  cli: string;
  example: z.input<Input>;
  plan: (context: PlanContext, request: z.output<Input>) => ChangePlan;
}) =>
  operation({
    ...definition,
    output: ChangeOutput,
    effect: "writes",
    expose: { cli },
    run: (request, state, call) =>
      executePlan(state, call, definition.name, (context) => plan(context, request)),
    present: ({ files, summary }) => [
      textBlock([summary, ...files.map((file) => `  ${file}`)].join("\n")),
    ],
  });

export const newDecision = changeOperation({
  name: "new_decision",
  title: "Record a decision",
  summary: "Create a decision record with the next number, in the style of its folder.",
  input: z.object({
    title: titleInput,
    status: statusInput.exclude(["superseded"]).default("proposed").describe("Its status"),
    ...bodyInput,
  }),
  cli: "adr new <title...>",
  example: { title: "Keep the lamp lit by night", date: "2026-01-01" },
  plan: planNewDecision,
});

export const supersedeDecision = changeOperation({
  name: "supersede_decision",
  title: "Supersede a decision",
  summary: "Supersede a decision by a new or an existing one. Both files are updated, or neither.",
  input: z.object({
    old: decisionIdInput,
    title: titleInput.optional(),
    by: decisionIdInput.optional().describe("An existing decision, instead of a title"),
    status: statusInput
      .exclude(["superseded"])
      .optional()
      .describe("Status of a new decision; accepted by default"),
    ...bodyInput,
  }),
  cli: "adr supersede <old> [title...]",
  example: { old: "1", title: "Light the lamp by electricity", date: "2026-01-01" },
  plan: planSupersession,
});

export const linkDecisions = changeOperation({
  name: "link_decisions",
  title: "Link two decisions",
  summary: "Link two decisions in both directions. Both files are updated, or neither.",
  input: z.object({
    source: decisionIdInput,
    verb: verbInput,
    target: decisionIdInput,
    reverse: reverseInput,
  }),
  cli: "adr link <source> <verb> <target>",
  example: { source: "2", verb: "Amends", target: "1" },
  plan: planLink,
});

export const setDecisionStatus = changeOperation({
  name: "set_decision_status",
  title: "Set a decision's status",
  summary: "Change only the status of a record. Illegal transitions are rejected.",
  input: z.object({ id: decisionIdInput, status: statusInput.describe("The new status") }),
  cli: "adr status <id> <status>",
  example: { id: "2", status: "accepted" },
  plan: planStatusChange,
});

/** Undoes and redoes the operations above. Not exposed on any surface. */
const exchangeDecisionFiles = operation({
  name: "exchange_decision_files",
  title: "Restore decision records",
  summary: "Restore earlier versions of decision records, unless they were edited since.",
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
    const { root } = await recordsForCall(state, call).read();
    const names = files.map(({ file }) => file);
    const summary = `Restore ${names.join(", ")}`;
    await applyExchanges(state, root, files, { summary, name: "exchange_decision_files" }, call);
    return { files: names };
  },
});

async function executePlan(
  state: ArchitectureState,
  call: Call,
  name: string,
  createPlan: (context: PlanContext) => ChangePlan,
): Promise<z.input<typeof ChangeOutput>> {
  const context = await createPlanContext(state, call);
  const plan = createPlan(context);
  const { summary, file, edits } = plan;
  const exchanges = edits.map((edit) => ({ ...edit, before: edit.before ?? null }));
  await applyExchanges(state, context.set.root, exchanges, { summary, name }, call);
  return { summary, file, files: edits.map((edit) => edit.file), diff: formatPlanDiff(plan) };
}

async function applyExchanges(
  state: ArchitectureState,
  root: string,
  fileChanges: readonly FileChange[],
  { summary, name }: { summary: string; name: string },
  call: Call,
): Promise<void> {
  const undo = (files: FileChange[]) => ({
    operation: "exchange_decision_files",
    input: { files },
  });
  const change = { fileChanges, summary, operation: name, undo };
  await state.store.run(applyFileChanges(state, root, change, call));
}

export const authoringOperations = [
  newDecision,
  supersedeDecision,
  linkDecisions,
  setDecisionStatus,
  exchangeDecisionFiles,
];
