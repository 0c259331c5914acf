import { signal } from "@preact/signals";
import { call } from "../server/client.ts";

/** A change that an agent made while this page was open. */
export interface AgentAction {
  /** Unique on this page, since two actions may have the same summary. */
  key: number;
  summary: string;
  agent: string;
  project?: string | undefined;
  /** The change to undo; absent for operations that only read. */
  change_id?: number | undefined;
}

/** Older actions are only in the activity list. */
const maxShown = 4;

export const agentActions = signal<readonly AgentAction[]>([]);
/** The result of the last undo. */
export const agentActionOutcome = signal("");

let count = 0;

/** Adds the action of a server event. `about` holds the action as JSON. */
export function addAgentAction(data: string): void {
  const { about } = JSON.parse(data) as { about: string | null };
  if (about === null) return;
  const action = JSON.parse(about) as Omit<AgentAction, "key">;
  if (action.change_id === undefined) return;
  agentActionOutcome.value = "";
  agentActions.value = [...agentActions.value, { ...action, key: count++ }].slice(-maxShown);
}

export function dismissAgentAction(key: number): void {
  agentActions.value = agentActions.value.filter((action) => action.key !== key);
}

export async function undoAgentAction({ key, change_id, summary }: AgentAction): Promise<void> {
  if (change_id === undefined) return;
  try {
    await call("undo_change", { id: change_id });
    agentActionOutcome.value = `Undone: ${summary}`;
  } catch (error) {
    agentActionOutcome.value = error instanceof Error ? error.message : String(error);
  }
  dismissAgentAction(key);
}
