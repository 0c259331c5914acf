import * as z from "zod";
import {
  assertReachable,
  assertVisible,
  visibleFolder,
} from "../../../kernel/approval/project-ref.ts";
import { type Proposal, proposalStatuses } from "../../../kernel/approval/proposal.ts";
import {
  type ProposalDecision,
  rejectOperationName,
  reopenOperationName,
} from "../../../kernel/approval/proposals.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { listPageShape, pagingInputShape } from "../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { ActorOutput, entryNumber, formatActor, ProjectOutput } from "../entry.ts";
import type { ReviewState } from "../state.ts";

const operation = operationsFor<ReviewState>();

const ProposalOutput = z.object({
  id: z.int(),
  at: z.string(),
  status: z.enum(proposalStatuses),
  shelf: z.string(),
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  summary: z.string(),
  project: ProjectOutput.optional().describe("The only project where it can be performed"),
  preview: z.string().optional(),
  rationale: z.string().optional(),
  confidence: z.int().optional().describe("How sure the agent is, from 0 to 100"),
  actor: ActorOutput,
  decided_at: z.string().optional(),
  decided_by: ActorOutput.optional(),
  reason: z.string().optional(),
  edited: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  change_id: z
    .int()
    .optional()
    .describe("The change that it made. After an undo the proposal is pending again"),
});

export const listProposals = operation({
  name: "proposals",
  title: "List proposals",
  summary: "Changes that agents propose and a person decides, oldest first.",
  input: z.object({
    status: z
      .enum([...proposalStatuses, "all"])
      .default("pending")
      .describe("Only proposals with this status"),
    ...pagingInputShape,
  }),
  output: z.object({ proposals: z.array(ProposalOutput), ...listPageShape }),
  effect: "reads",
  expose: { http: "GET /proposals", cli: "proposals|review" },
  example: { status: "all" },
  *run({ status, limit, cursor }, review, call) {
    const statusFilter = status === "all" ? undefined : status;
    const { items, ...rest } = yield* review.proposals.list({
      status: statusFilter,
      limit,
      cursor,
      within: visibleFolder(review),
    });
    return { proposals: items.map(isPerson(call) ? toProposalOutput : toProgramOutput), ...rest };
  },
  present({ proposals, remaining }, { status }) {
    if (proposals.length === 0) {
      return [
        textBlock(status === "pending" ? "No proposals are waiting." : "There are no proposals."),
      ];
    }
    const more = remaining ? [`… and ${remaining} more.`] : [];
    return [textBlock([...proposals.map(formatProposal), ...more].join("\n\n"))];
  },
});

const proposalIdInput = entryNumber.describe("The proposal's id");
const reasonInput = z
  .string()
  .max(10_000)
  .optional()
  .describe("Reason, for the agent and the record");

export const acceptProposal = operation({
  name: "accept_proposal",
  title: "Accept a proposal",
  summary: "Accept a proposal, which performs it. Only a person does this.",
  input: z.object({
    id: proposalIdInput,
    reason: reasonInput,
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Input to perform instead of the proposed one"),
  }),
  output: ProposalOutput,
  effect: "decides",
  expose: { http: "POST /proposals/{id}/accept", cli: "proposals|review accept <id>" },
  example: { id: 1 },
  run: (yes, review, call) => decideProposal(review, { ...yes, decision: "accept" }, call),
  present: (proposal) => [textBlock(formatProposal(proposal))],
});

export const rejectProposal = operation({
  name: rejectOperationName,
  title: "Reject a proposal",
  summary: "Reject a proposal. Only a person does this.",
  input: z.object({ id: proposalIdInput, reason: reasonInput }),
  output: ProposalOutput,
  effect: "decides",
  expose: { http: "POST /proposals/{id}/reject", cli: "proposals|review reject <id>" },
  example: { id: 1, reason: "Not needed any more" },
  run: (no, review, call) => decideProposal(review, { ...no, decision: "reject" }, call),
  present: (proposal) => [textBlock(formatProposal(proposal))],
});

/** Undoes a rejection. Not exposed on any surface. */
export const reopenProposal = operation({
  name: reopenOperationName,
  title: "Reopen a proposal",
  summary: "Make a rejected proposal pending again.",
  input: z.object({ id: proposalIdInput }),
  output: ProposalOutput,
  effect: "writes",
  expose: {},
  example: { id: 1 },
  *run({ id: number }, { boundary, proposals, changes }, call) {
    const proposal = yield* proposals.find(number);
    assertVisible(boundary, { kind: "Proposal", id: number }, proposal?.project);
    return toProposalOutput(yield* proposals.reopen(number, call, changes));
  },
});

async function decideProposal(review: ReviewState, decision: ProposalDecision, call: Call) {
  const { proposals, boundary, store } = review;
  const what = { kind: "Proposal", id: decision.id } as const;
  const refuse = decision.decision === "accept" ? assertReachable : assertVisible;
  const proposal = await store.run(proposals.find(decision.id));
  refuse(boundary, what, proposal?.project);
  return toProposalOutput(await proposals.decide(decision, call, review));
}

/**
 * Removes what only people may see: the output of an accepted proposal, and the content of a
 * discreet one.
 */
function toProgramOutput(proposal: Proposal) {
  const { result: _result, ...output } = toProposalOutput(proposal);
  if (!proposal.isDiscreet) return output;
  const { preview: _preview, edited: _edited, rationale: _rationale, ...outline } = output;
  return { ...outline, input: {} };
}

function toProposalOutput(proposal: Proposal) {
  const { decidedAt, decidedBy, change, call: _call, isDiscreet: _discreet, ...output } = proposal;
  return {
    ...output,
    ...(change !== undefined && { change_id: change }),
    ...(decidedAt && { decided_at: decidedAt }),
    ...(decidedBy && { decided_by: decidedBy }),
  };
}

function formatProposal(proposal: z.output<typeof ProposalOutput>): string {
  const { id, summary, status, actor, rationale, confidence, preview, reason, project } = proposal;
  const lines = [
    `${id}  ${summary}`,
    `${status}, proposed by ${formatActor(actor)} at ${proposal.at}`,
    ...(project ? [`Project: ${toPrintable(project.root)}`] : []),
    ...(rationale ? [`Why: ${rationale}`] : []),
    ...(confidence === undefined ? [] : [`Confidence: ${confidence} of 100`]),
    ...(reason ? [`Decided: ${reason}`] : []),
    ...(preview ? [preview] : []),
  ];
  return lines.join("\n").replaceAll("\n", "\n   ");
}
