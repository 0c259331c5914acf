import type { Actor } from "../call.ts";
import { parseStoredJson } from "../storage/stored-json.ts";
import { type ProjectColumns, type ProjectRef, projectRefFromRow } from "./project-ref.ts";

export const proposalStatuses = ["pending", "accepted", "rejected", "withdrawn"] as const;

export type ProposalStatus = (typeof proposalStatuses)[number];

/** A write requested by an agent, waiting for the user's decision. */
export interface Proposal extends ProposalDraft {
  id: number;
  /** ISO 8601. */
  at: string;
  actor: Actor;
  call: string;
  status: ProposalStatus;
  decidedAt?: string;
  decidedBy?: Actor;
  reason?: string;
  /** The input performed instead of `input`, if the user edited it. */
  edited?: Record<string, unknown>;
  /** The output of the accepted operation. */
  result?: Record<string, unknown>;
  /** The change that recorded the acceptance or rejection. */
  change?: number;
}

/** The proposed operation and input, with the context that the user needs to judge them. */
export interface ProposalDraft {
  shelf: string;
  operation: string;
  input: Record<string, unknown>;
  /** The only project in which it may be applied. */
  project?: ProjectRef;
  /** A sentence that describes the effect. */
  summary: string;
  /** A diff or an excerpt, as text. */
  preview?: string;
  /** The agent's reason. */
  rationale?: string;
  /** The agent's confidence, from 0 to 100. */
  confidence?: number;
  /** Only people may read its contents: parts may have become private since. */
  isDiscreet?: boolean;
}

/** A row of the table of proposals. */
export interface ProposalRow extends ProjectColumns {
  id: number;
  at: string;
  actor: string;
  call: string;
  shelf: string;
  operation: string;
  input: string;
  summary: string;
  preview: string | null;
  rationale: string | null;
  confidence: number | null;
  status: ProposalStatus;
  decided_at: string | null;
  decided_by: string | null;
  reason: string | null;
  edited: string | null;
  result: string | null;
  change: number | null;
  discreet: number | null;
}

export function proposalFromRow(row: ProposalRow): Proposal {
  const { id, at, call, shelf, operation, summary, status } = row;
  const project = projectRefFromRow(row);
  return {
    id,
    at,
    actor: parseStoredJson<Actor>(row.actor),
    call,
    shelf,
    operation,
    input: parseStoredJson<ProposalDraft["input"]>(row.input),
    summary,
    status,
    ...(project && { project }),
    ...(row.preview !== null && { preview: row.preview }),
    ...(row.rationale !== null && { rationale: row.rationale }),
    ...(row.confidence !== null && { confidence: row.confidence }),
    ...(row.decided_at !== null && { decidedAt: row.decided_at }),
    ...(row.decided_by !== null && { decidedBy: parseStoredJson<Actor>(row.decided_by) }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.edited !== null && { edited: parseStoredJson<ProposalDraft["input"]>(row.edited) }),
    ...(row.result !== null && { result: parseStoredJson<ProposalDraft["input"]>(row.result) }),
    ...(row.change !== null && { change: row.change }),
    ...(row.discreet === 1 && { isDiscreet: true }),
  };
}
