import { toPrintable } from "../../text/strings/printable.ts";
import { shorten } from "../../text/strings/shorten.ts";
import type { Actor, Call } from "../call.ts";
import type { Notice } from "../notices/notices.ts";
import { parseStoredJson } from "../storage/stored-json.ts";
import { type ProjectColumns, type ProjectRef, projectRefFromRow } from "./project-ref.ts";

/** An entry of the change log: who did what in which call, and how to undo it. */
export interface Change {
  id: number;
  /** ISO 8601. */
  at: string;
  actor: Actor;
  call: string;
  operation: string;
  /** A sentence for people: `Removed collection 'notes'`. */
  summary: string;
  /** The operation that undoes the change. */
  undo?: InverseOperation;
  /** The change that undid this one. */
  undoneBy?: number;
  /** The project of the change; absent for a change of the home itself. */
  project?: ProjectRef;
  /** The user's consent, if an agent needed it. */
  approval?: Approval;
}

export interface InverseOperation {
  operation: string;
  input: Record<string, unknown>;
}

/** The user's consent to an agent's change. */
export interface Approval {
  /** `page`, `command-line`, or `elicitation` if a trusted client relayed the answer. */
  how: string;
  /** The proposal that was accepted. */
  proposal?: number;
  /** The client that relayed the answer, and the time since which the policy trusts it. */
  client?: string;
  trustedSince?: string;
}

const approvalChannels: Record<string, string> = { web: "page", cli: "command-line" };

export function approvalOf({ accepting, relayed, actor }: Call): Approval | undefined {
  if (relayed) return { how: "elicitation", ...relayed };
  if (!accepting) return undefined;
  return { how: approvalChannels[actor.surface] ?? actor.surface, proposal: accepting.proposal };
}

/** Marks a proposal that the user edited before accepting it. */
export const editNote = ({ accepting }: Call): string =>
  accepting?.isEdited ? `, after a person edited proposal ${accepting.proposal}` : "";

/** A row of the change log. The log of a project lacks the columns for project and approval. */
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

export function changeFromRow(row: ChangeRow): Change {
  const { id, at, call, operation, summary } = row;
  const { undo, undone_by, approval = null, project = null, project_name = null } = row;
  const projectRef = projectRefFromRow({ project, project_name });
  return {
    id,
    at,
    actor: parseStoredJson<Actor>(row.actor),
    call,
    operation,
    summary,
    ...(undo !== null && { undo: parseStoredJson<InverseOperation>(undo) }),
    ...(undone_by !== null && { undoneBy: undone_by }),
    ...(projectRef && { project: projectRef }),
    ...(approval !== null && { approval: parseStoredJson<Approval>(approval) }),
  };
}

/** The notice that a page shows for an agent's change, with the id for undoing it. */
export function agentActedNotice({ id, operation, summary, actor, project }: Change): Notice {
  const agent = shorten(toPrintable(actor.client || actor.surface));
  const about = { change_id: id, operation, summary, agent, project: project?.name };
  return { topic: "agent.acted", about: JSON.stringify(about), project: project?.root };
}
