import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { refuseUnknown, refuseUnreachable } from "../../../kernel/project-root.ts";
import { type Proposal, proposalStatuses } from "../../../kernel/proposal.ts";
import { type Decision, rejectOperation, reopenOperation } from "../../../kernel/proposals.ts";
import { visible } from "../../../text/visible.ts";
import { Actor, entryNumber, nameOfActor, Project } from "../entry.ts";
import { type Desk, shownFolder } from "../state.ts";

const operation = operationsOn<Desk>();

const Shown = z.object({
  id: z.int(),
  at: z.string(),
  status: z.enum(proposalStatuses),
  shelf: z.string(),
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  summary: z.string(),
  project: Project.optional().describe("Where it would be done, and nowhere else"),
  preview: z.string().optional(),
  rationale: z.string().optional(),
  confidence: z.int().optional().describe("How sure the agent is, from 0 to 100"),
  actor: Actor,
  decided_at: z.string().optional(),
  decided_by: Actor.optional(),
  reason: z.string().optional(),
  edited: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  change_id: z
    .int()
    .optional()
    .describe("The change that it made; undo takes it back, and the proposal waits again"),
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
  run({ status, limit, cursor }, desk, call) {
    const wanted = status === "all" ? undefined : status;
    const { items, ...rest } = desk.proposals.list({
      status: wanted,
      limit,
      cursor,
      within: shownFolder(desk),
    });
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
  name: rejectOperation,
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

/** How a rejection is undone. It is on no surface. */
export const reopenProposal = operation({
  name: reopenOperation,
  title: "Reopen a proposal",
  summary: "Let a proposal that was rejected wait again.",
  input: z.object({ id }),
  output: Shown,
  effect: "writes",
  expose: {},
  example: { id: 1 },
  run({ id: number }, { boundary, proposals, changes }, call) {
    refuseUnknown(boundary, { kind: "Proposal", id: number }, proposals.find(number)?.project);
    return shown(proposals.reopen(number, call, changes));
  },
});

async function decided(desk: Desk, decision: Decision, call: Call) {
  const { proposals, changes, performByName, boundary } = desk;
  const what = { kind: "Proposal", id: decision.id } as const;
  const refuse = decision.decision === "accept" ? refuseUnreachable : refuseUnknown;
  refuse(boundary, what, proposals.find(decision.id)?.project);
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
  const { id, summary, status, actor, rationale, confidence, preview, reason, project } = proposal;
  const lines = [
    `${id}  ${summary}`,
    `${status}, proposed by ${nameOfActor(actor)} at ${proposal.at}`,
    ...(project ? [`Project: ${visible(project.root)}`] : []),
    ...(rationale ? [`Why: ${rationale}`] : []),
    ...(confidence === undefined ? [] : [`How sure: ${confidence} of 100`]),
    ...(reason ? [`Decided: ${reason}`] : []),
    ...(preview ? [preview] : []),
  ];
  return lines.join("\n").replaceAll("\n", "\n   ");
}
