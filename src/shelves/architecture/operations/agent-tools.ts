import * as z from "zod";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { invalid } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { pageByKey, pagingInputShape } from "../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import type { ChangePlan, PlanContext } from "../decisions/change-plan.ts";
import { renderDecisionGraph } from "../decisions/decision-graph.ts";
import { planLink } from "../decisions/link-plan.ts";
import { planNewDecision } from "../decisions/new-decision-plan.ts";
import { createPlanContext, formatPlanDiff } from "../decisions/plan-context.ts";
import { formatRecordLine, RecordOutput } from "../decisions/record-output.ts";
import { planStatusChange } from "../decisions/status-plan.ts";
import { planSupersession } from "../decisions/supersession-plan.ts";
import type { ArchitectureState } from "../state.ts";
import {
  bodyInput,
  linkDecisions,
  newDecision,
  reverseInput,
  setDecisionStatus,
  statusInput,
  supersedeDecision,
  titleInput,
  verbInput,
} from "./decision-changes.ts";
import {
  formatTimeline,
  graphLanguageInput,
  renderContents,
  timelineRecords,
} from "./decision-views.ts";
import {
  createLintReport,
  DecisionDetails,
  daysInput,
  decisionIdInput,
  filterRecords,
  formatDecision,
  formatLintReport,
  LintReport,
  statusFilter,
  toDecisionDetails,
} from "./decisions.ts";

const operation = operationsFor<ArchitectureState>();

/** One tool for all read operations keeps an agent's tool list short. */
const decisions = operation({
  name: "decisions",
  title: "Decisions",
  summary:
    "Architecture decision records: list them, show one (id) with its successor in force, lint, graph, timeline or toc.",
  input: z.object({
    kind: z.enum(["list", "show", "lint", "graph", "timeline", "toc"]).describe("What to return"),
    id: decisionIdInput.optional(),
    status: statusFilter,
    days: daysInput,
    language: graphLanguageInput,
    ...pagingInputShape,
  }),
  output: z.object({ text: z.string() }),
  effect: "reads",
  expose: { mcp: "content" },
  example: { kind: "list" },
  async run({ kind, id, status, days, language, limit, cursor }, state) {
    const set = await state.records.read();
    const page = (records: z.input<typeof RecordOutput>[]) => {
      const part = pageByKey(records, { limit, cursor, keyOf: ({ file }) => file });
      const more =
        part.next_cursor === undefined
          ? ""
          : `\n… ${part.remaining} more: cursor ${part.next_cursor}`;
      return { shown: part.items.map((record) => RecordOutput.parse(record)), more };
    };
    switch (kind) {
      case "list": {
        const { shown, more } = page(
          filterRecords(set, status).filter((one) => one.kind === "adr"),
        );
        return {
          text: (shown.map(formatRecordLine).join("\n") || "There are no decisions.") + more,
        };
      }
      case "timeline": {
        const { shown, more } = page(timelineRecords(set));
        return { text: formatTimeline(shown) + more };
      }
      case "show": {
        if (id === undefined) throw invalid("id is required to show a decision.");
        return { text: formatDecision(DecisionDetails.parse(toDecisionDetails(set, id, state))) };
      }
      case "lint":
        return { text: formatLintReport(LintReport.parse(createLintReport(set, days))) };
      case "graph":
        return { text: renderDecisionGraph(set, language) };
      case "toc":
        return { text: renderContents(set, undefined) };
    }
  },
  present: (answer) => [textBlock(answer.text)],
});

const proposalInput = z.object({
  kind: z.enum(["new", "supersede", "link", "status"]).describe("What to propose"),
  id: decisionIdInput
    .optional()
    .describe("The affected decision; for link, the subject of the verb"),
  title: titleInput.optional(),
  by: decisionIdInput
    .optional()
    .describe("For supersede: an existing decision, instead of a title"),
  status: statusInput.optional(),
  verb: verbInput.optional(),
  target: decisionIdInput.optional(),
  reverse: reverseInput,
  ...bodyInput,
  rationale: z.string().max(10_000).optional().describe("Reason, for the person who decides"),
});

type ProposalInput = z.output<typeof proposalInput>;

const proposeDecision = operation({
  name: "propose-decision",
  title: "Propose a decision",
  summary:
    "Propose a new decision record, that one supersedes another, a link between two or a status. Writes no file: a person reviews the diff and decides.",
  input: proposalInput,
  output: z.object({ proposal_id: z.int(), summary: z.string(), diff: z.string() }),
  effect: "writes",
  expose: { mcp: true },
  example: { kind: "new", title: "Keep the lamp lit by night", date: "2026-01-01" },
  async run(request, state, call) {
    const context = await createPlanContext(state, call);
    const { plan, name, input } = planProposal(context, request);
    const diff = formatPlanDiff(plan);
    // Another process may have started a write while the records were read.
    await state.store.waitUntilWritable({ signal: call.signal });
    const draft = {
      shelf: "architecture",
      operation: name,
      input,
      project: projectRefAt(context.set.root),
      summary: plan.summary,
      preview: diff,
      ...(request.rationale !== undefined && { rationale: request.rationale }),
    };
    const { id } = await state.store.run(state.proposals.propose(draft, call));
    return { proposal_id: id, summary: plan.summary, diff };
  },
  present: ({ proposal_id, summary, diff }) => [
    textBlock(`Proposal ${proposal_id} waits for approval: ${summary}\n\n${diff}`),
  ],
});

/**
 * The plan and the operation that accepting it runs; that operation computes the record number
 * again.
 */
function planProposal(
  planContext: PlanContext,
  request: ProposalInput,
): { plan: ChangePlan; name: string; input: Record<string, unknown> } {
  const { date, folder, context, decision, consequences } = request;
  const body = { date, folder, context, decision, consequences };
  switch (request.kind) {
    case "new": {
      const status = rejectSuperseded(request.status) ?? "proposed";
      const input = { title: requireField(request, "title"), status, ...body };
      return { plan: planNewDecision(planContext, input), name: newDecision.name, input };
    }
    case "supersede": {
      const { title, by } = request;
      const status = rejectSuperseded(request.status);
      const input = { old: requireField(request, "id"), title, by, status, ...body };
      return { plan: planSupersession(planContext, input), name: supersedeDecision.name, input };
    }
    case "link": {
      const input = {
        source: requireField(request, "id"),
        verb: requireField(request, "verb"),
        target: requireField(request, "target"),
        reverse: request.reverse,
      };
      return { plan: planLink(planContext, input), name: linkDecisions.name, input };
    }
    case "status": {
      const input = { id: requireField(request, "id"), status: requireField(request, "status") };
      return { plan: planStatusChange(planContext, input), name: setDecisionStatus.name, input };
    }
  }
}

function requireField<Key extends keyof ProposalInput>(
  request: ProposalInput,
  key: Key,
): NonNullable<ProposalInput[Key]> {
  const value = request[key];
  if (value === undefined || value === null)
    throw invalid(`${key} is required for kind '${request.kind}'.`);
  return value;
}

function rejectSuperseded(status: ProposalInput["status"]) {
  if (status === "superseded") throw invalid("status: a new decision cannot be superseded.");
  return status;
}

export const agentOperations = [decisions, proposeDecision];
