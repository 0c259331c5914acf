import type { Actor } from "./call.ts";
import { readKept } from "./kept-json.ts";
import { type ProjectColumns, type ProjectRoot, projectIn } from "./project-root.ts";

export const proposalStatuses = ["pending", "accepted", "rejected", "withdrawn"] as const;

export type ProposalStatus = (typeof proposalStatuses)[number];

/** A write that an agent asked for and that waits for a person's yes. */
export interface Proposal extends Draft {
  id: number;
  /** ISO 8601. */
  at: string;
  actor: Actor;
  call: string;
  status: ProposalStatus;
  decidedAt?: string;
  decidedBy?: Actor;
  reason?: string;
  /** What was performed instead of `input`, where a person changed it. */
  edited?: Record<string, unknown>;
  /** What the accepted operation answered. */
  result?: Record<string, unknown>;
  /** The change by which it was done or refused, in the list of activity. */
  change?: number;
}

/** What is proposed: an operation as a value, and what a person needs to judge it. */
export interface Draft {
  shelf: string;
  operation: string;
  input: Record<string, unknown>;
  /** Where it would be done, and nowhere else. */
  project?: ProjectRoot;
  /** A sentence: what would be done. */
  summary: string;
  /** A difference or a passage, as text. */
  preview?: string;
  /** Why the agent thinks so. */
  rationale?: string;
  /** How sure it is, from 0 to 100. */
  confidence?: number;
  /** Only a person reads what it holds: words in it may have become private since. */
  isDiscreet?: boolean;
}

/** A proposal as it is stored. */
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

export function proposalOf(row: ProposalRow): Proposal {
  const { id, at, call, shelf, operation, summary, status } = row;
  const project = projectIn(row);
  return {
    id,
    at,
    actor: readKept<Actor>(row.actor),
    call,
    shelf,
    operation,
    input: readKept<Draft["input"]>(row.input),
    summary,
    status,
    ...(project && { project }),
    ...(row.preview !== null && { preview: row.preview }),
    ...(row.rationale !== null && { rationale: row.rationale }),
    ...(row.confidence !== null && { confidence: row.confidence }),
    ...(row.decided_at !== null && { decidedAt: row.decided_at }),
    ...(row.decided_by !== null && { decidedBy: readKept<Actor>(row.decided_by) }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.edited !== null && { edited: readKept<Draft["input"]>(row.edited) }),
    ...(row.result !== null && { result: readKept<Draft["input"]>(row.result) }),
    ...(row.change !== null && { change: row.change }),
    ...(row.discreet === 1 && { isDiscreet: true }),
  };
}
