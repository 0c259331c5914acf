import { shorten } from "../text/shorten.ts";
import { visible } from "../text/visible.ts";
import type { Actor, Call } from "./call.ts";
import { readKept } from "./kept-json.ts";
import type { Notice } from "./notices.ts";
import { type ProjectColumns, type ProjectRoot, projectIn } from "./project-root.ts";

/** Who did what, by which call, and how to undo it. */
export interface Change {
  id: number;
  /** ISO 8601. */
  at: string;
  actor: Actor;
  call: string;
  operation: string;
  /** A sentence for people: `Removed collection 'notes'`. */
  summary: string;
  /** The inverse as a value: performing it takes the change back. */
  undo?: Inverse;
  /** The change that took this one back. */
  undoneBy?: number;
  /** Where it was made, and is undone; none for a change of the home itself. */
  project?: ProjectRoot;
  /** How a person agreed to it, where an agent had to ask. */
  approval?: Approval;
}

export interface Inverse {
  operation: string;
  input: Record<string, unknown>;
}

/** How a person agreed to what an agent wanted to do. */
export interface Approval {
  /** `page`, `command-line`, or `elicitation` where a trusted client relayed the answer. */
  how: string;
  /** The proposal that was accepted. */
  proposal?: number;
  /** The client that relayed the answer, and since when the policy has trusted it. */
  client?: string;
  trustedSince?: string;
}

const ways: Record<string, string> = { web: "page", cli: "command-line" };

export function approvalOf({ accepting, relayed, actor }: Call): Approval | undefined {
  if (relayed) return { how: "elicitation", ...relayed };
  if (!accepting) return undefined;
  return { how: ways[actor.surface] ?? actor.surface, proposal: accepting.proposal };
}

/** What a person has changed in a proposal is told as theirs, and no longer as the agent's. */
export const authorship = ({ accepting }: Call): string =>
  accepting?.isEdited ? `, as a person has edited proposal ${accepting.proposal}` : "";

/** A change as it is stored. A project's own log has no columns for projects and approvals. */
export interface ChangeRow extends Partial<ProjectColumns> {
  id: number;
  at: string;
  actor: string;
  call: string;
  operation: string;
  summary: string;
  undo: string | null;
  undone_by: number | null;
  approval?: string | null;
}

export function changeOf(row: ChangeRow): Change {
  const { id, at, call, operation, summary } = row;
  const { undo, undone_by, approval = null, project = null, project_name = null } = row;
  const place = projectIn({ project, project_name });
  return {
    id,
    at,
    actor: readKept<Actor>(row.actor),
    call,
    operation,
    summary,
    ...(undo !== null && { undo: readKept<Inverse>(undo) }),
    ...(undone_by !== null && { undoneBy: undone_by }),
    ...(place && { project: place }),
    ...(approval !== null && { approval: readKept<Approval>(approval) }),
  };
}

/** What a page shows at once: what an agent did, where, and the number by which it is undone. */
export function actedNotice({ id, operation, summary, actor, project }: Change): Notice {
  const agent = shorten(visible(actor.client || actor.surface));
  const about = { change_id: id, operation, summary, agent, project: project?.name };
  return { topic: "agent.acted", about: JSON.stringify(about) };
}
