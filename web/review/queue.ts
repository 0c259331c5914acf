import { computed, signal } from "@preact/signals";
import { address, go } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";

export type Proposal = Output<"proposals">["proposals"][number];

const mostShown = 100;

/** Proposals decided on this page that the last answer may still list as pending. */
const settled = signal<ReadonlySet<number>>(new Set());

const settle = (id: number): void => {
  settled.value = new Set([...settled.value, id]);
};

/** What waits for a person, the oldest first. */
export const waiting = asking(async (signal) => {
  const known = settled.peek();
  const answer = await call("proposals", { status: "pending", limit: mostShown }, signal);
  // Asked for after those decisions, the answer already reflects them, and an undo of them too.
  settled.value = new Set([...settled.value].filter((id) => !known.has(id)));
  return answer;
});

export const queue = computed(() =>
  (waiting.answer.value?.proposals ?? []).filter(({ id }) => !settled.value.has(id)),
);

/** The one that is looked at: named by the address, else the first. */
export const current = computed(() => {
  const number = Number(address.value.of);
  return queue.value.find(({ id }) => id === number) ?? queue.value[0];
});

/** What the last decision did, or why it could not be done, and the changes that it made. */
export const outcome = signal<{ words: string; changes: readonly number[] }>({
  words: "",
  changes: [],
});

const say = (words: string, changes: readonly number[] = []): void => {
  outcome.value = { words, changes };
};

/** Moves along the queue without deciding. */
export function step(by: 1 | -1): void {
  const at = queue.value.findIndex(({ id }) => id === current.value?.id);
  const next = queue.value[at + by];
  if (next) go({ of: String(next.id) }, "replace");
}

export async function accept(
  { id, summary }: Proposal,
  input?: Record<string, unknown>,
): Promise<void> {
  await decide(id, `${input ? "Accepted as edited" : "Accepted"}: ${summary}`, () =>
    call("accept_proposal", { id, ...(input && { input }) }),
  );
}

export async function reject({ id, summary }: Proposal, reason: string): Promise<void> {
  await decide(id, `Rejected: ${summary}`, () =>
    call("reject_proposal", { id, ...(reason && { reason }) }),
  );
}

/** Those that are ticked, to be accepted together. */
export const ticked = signal<ReadonlySet<number>>(new Set());

export function tick(...ids: number[]): void {
  const next = new Set(ticked.value);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  ticked.value = next;
}

/** One after the other; one that cannot be done is told and goes on waiting. */
export async function acceptTicked(): Promise<void> {
  const chosen = queue.value.filter(({ id }) => ticked.value.has(id));
  const changes: number[] = [];
  const problems: string[] = [];
  let done = 0;
  for (const { id } of chosen) {
    try {
      const { change_id } = await call("accept_proposal", { id });
      if (change_id !== undefined) changes.push(change_id);
      settle(id);
      done++;
    } catch (error) {
      problems.push(`Number ${id}: ${wordsOf(error)}`);
    }
  }
  ticked.value = new Set();
  say([`Accepted ${done} of ${chosen.length}.`, ...problems].join(" "), changes);
}

/** Takes back what the last decision did, the newest first. */
export async function undoOutcome(): Promise<void> {
  const { changes } = outcome.value;
  try {
    for (const id of changes.toReversed()) await call("undo_change", { id });
    say(changes.length > 1 ? `Took back ${changes.length} changes.` : "Took it back.");
  } catch (error) {
    say(wordsOf(error));
  }
}

/** Those whose answer is on its way: whoever strikes a key twice has decided once. */
const decided = new Set<number>();

async function decide(
  id: number,
  said: string,
  send: () => Promise<{ change_id?: number | undefined }>,
): Promise<void> {
  if (decided.has(id)) return;
  decided.add(id);
  const at = queue.value.findIndex((one) => one.id === id);
  try {
    const { change_id } = await send();
    settle(id);
    say(said, change_id === undefined ? [] : [change_id]);
    const next = queue.value[at];
    go({ of: next ? String(next.id) : "" }, "replace");
  } catch (error) {
    say(wordsOf(error));
  } finally {
    decided.delete(id);
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
