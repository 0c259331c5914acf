import { computed, signal } from "@preact/signals";
import { address, go } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";

export type Proposal = Output<"proposals">["proposals"][number];

const mostShown = 100;

/** What waits for a person, the oldest first. */
export const waiting = asking((signal) =>
  call("proposals", { status: "pending", limit: mostShown }, signal),
);

export const queue = computed(() => waiting.answer.value?.proposals ?? []);

/** The one that is looked at: named by the address, else the first. */
export const current = computed(() => {
  const number = Number(address.value.of);
  return queue.value.find(({ id }) => id === number) ?? queue.value[0];
});

/** What the last decision did, or why it could not be done. */
export const outcome = signal("");

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
  await decide(id, `Accepted: ${summary}`, () =>
    call("accept_proposal", { id, ...(input && { input }) }),
  );
}

export async function reject({ id, summary }: Proposal, reason: string): Promise<void> {
  await decide(id, `Rejected: ${summary}`, () =>
    call("reject_proposal", { id, ...(reason && { reason }) }),
  );
}

/** One after the other; stops at the first that cannot be done. */
export async function acceptAll(proposals: readonly Proposal[]): Promise<void> {
  let done = 0;
  for (const { id } of proposals) {
    try {
      await call("accept_proposal", { id });
      done++;
    } catch (error) {
      outcome.value = `Accepted ${done} of ${proposals.length}. Number ${id}: ${wordsOf(error)}`;
      return;
    }
  }
  outcome.value = `Accepted ${done} of ${proposals.length}.`;
}

async function decide(id: number, said: string, send: () => Promise<unknown>): Promise<void> {
  const after = queue.value[queue.value.findIndex((one) => one.id === id) + 1];
  try {
    await send();
    outcome.value = said;
    go({ of: after ? String(after.id) : "" }, "replace");
  } catch (error) {
    outcome.value = wordsOf(error);
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
