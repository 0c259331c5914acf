import { signal } from "@preact/signals";
import { call } from "./client.ts";

/** Something that an agent did while this page is open. */
export interface AgentAct {
  /** Tells several of the same words apart. */
  key: number;
  summary: string;
  agent: string;
  project?: string | undefined;
  /** The change that an undo takes back; what only reads makes none. */
  change_id?: number | undefined;
}

/** More than these are in the list of activity. */
const maxShown = 4;

export const acts = signal<readonly AgentAct[]>([]);
/** What became of an undo. */
export const actOutcome = signal("");

let count = 0;

/** Shows what a notice tells. The server writes notices of this topic in this form. */
export function noteAct(data: string): void {
  const { about } = JSON.parse(data) as { about: string | null };
  if (about === null) return;
  const act = JSON.parse(about) as Omit<AgentAct, "key">;
  if (act.change_id === undefined) return;
  actOutcome.value = "";
  acts.value = [...acts.value, { ...act, key: count++ }].slice(-maxShown);
}

export function dismiss(key: number): void {
  acts.value = acts.value.filter((act) => act.key !== key);
}

export async function undoAct({ key, change_id, summary }: AgentAct): Promise<void> {
  if (change_id === undefined) return;
  try {
    await call("undo_change", { id: change_id });
    actOutcome.value = `Undone: ${summary}`;
  } catch (error) {
    actOutcome.value = error instanceof Error ? error.message : String(error);
  }
  dismiss(key);
}
