import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { type Proposal, proposalStatuses } from "../../../kernel/proposal.ts";
import type { Decision } from "../../../kernel/proposals.ts";
import { Actor, entryNumber, nameOfActor } from "../entry.ts";
import type { Desk } from "../state.ts";

const operation = operationsOn<Desk>();

const Shown = z.object({
  id: z.int(),
  at: z.string(),
  status: z.enum(proposalStatuses),
  shelf: z.string(),
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  summary: z.string(),
  preview: z.string().optional(),
  rationale: z.string().optional(),
  confidence: z.int().optional().describe("How sure the agent is, from 0 to 100"),
  actor: Actor,
  decided_at: z.string().optional(),
  decided_by: Actor.optional(),
  reason: z.string().optional(),
  edited: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  change_id: z.int().optional().describe("The change that it made, which undo takes back"),
});

export const listProposals = operation({
  name: "proposals",
  title: "List proposals",
  summary: "What agents propose to change and a person has to decide, the oldest first.",
  input: z.object({
    status: z
      .enum([...proposalStatuses, "all"])
      .default("pending")
      .describe("Only these"),
    ...pagingShape,
  }),
  output: z.object({ proposals: z.array(Shown), ...boundedShape }),
  effect: "reads",
  expose: { http: "GET /proposals", cli: "proposals|review" },
  example: { status: "all" },
  run({ status, limit, cursor }, { proposals }, call) {
    const wanted = status === "all" ? undefined : status;
    const { items, ...rest } = proposals.list({ status: wanted, limit, cursor });
    return { proposals: items.map(isPerson(call) ? shown : shownToPrograms), ...rest };
  },
  present({ proposals, remaining }, { status }) {
    if (proposals.length === 0) {
      return [text(status === "pending" ? "Nothing waits for you." : "There are no proposals.")];
    }
    const more = remaining ? [`… and ${remaining} more.`] : [];
    return [text([...proposals.map(described), ...more].join("\n\n"))];
  },
});

const id = entryNumber.describe("The proposal's number");
const reason = z.string().max(10_000).optional().describe("Why, for the agent and for later");

export const acceptProposal = operation({
  name: "accept_proposal",
  title: "Accept a proposal",
  summary: "Say yes to a proposal, which performs it. Only a person does this.",
  input: z.object({
    id,
    reason,
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Performed instead of what was proposed"),
  }),
  output: Shown,
  effect: "decides",
  expose: { http: "POST /proposals/{id}/accept", cli: "proposals|review accept <id>" },
  example: { id: 1 },
  run: (yes, desk, call) => decided(desk, { ...yes, decision: "accept" }, call),
  present: (proposal) => [text(described(proposal))],
});

export const rejectProposal = operation({
  name: "reject_proposal",
  title: "Reject a proposal",
  summary: "Say no to a proposal. Only a person does this.",
  input: z.object({ id, reason }),
  output: Shown,
  effect: "decides",
  expose: { http: "POST /proposals/{id}/reject", cli: "proposals|review reject <id>" },
  example: { id: 1, reason: "Not needed any more" },
  run: (no, desk, call) => decided(desk, { ...no, decision: "reject" }, call),
  present: (proposal) => [text(described(proposal))],
});

async function decided(desk: Desk, decision: Decision, call: Call) {
  const { proposals, changes, performByName } = desk;
  return shown(await proposals.decide(decision, call, { perform: performByName, changes }));
}

/** What an accepted one has answered, and all that a discreet one holds, is for people. */
function shownToPrograms(proposal: Proposal) {
  const { result: _result, ...told } = shown(proposal);
  if (!proposal.isDiscreet) return told;
  const { preview: _preview, edited: _edited, ...outline } = told;
  return { ...outline, input: {} };
}

function shown(proposal: Proposal) {
  const { decidedAt, decidedBy, change, call: _call, isDiscreet: _discreet, ...told } = proposal;
  return {
    ...told,
    ...(change !== undefined && { change_id: change }),
    ...(decidedAt && { decided_at: decidedAt }),
    ...(decidedBy && { decided_by: decidedBy }),
  };
}

function described(proposal: z.output<typeof Shown>): string {
  const { id, summary, status, actor, rationale, confidence, preview, reason } = proposal;
  const lines = [
    `${id}  ${summary}`,
    `${status}, proposed by ${nameOfActor(actor)} at ${proposal.at}`,
    ...(rationale ? [`Why: ${rationale}`] : []),
    ...(confidence === undefined ? [] : [`How sure: ${confidence} of 100`]),
    ...(reason ? [`Decided: ${reason}`] : []),
    ...(preview ? [preview] : []),
  ];
  return lines.join("\n").replaceAll("\n", "\n   ");
}
