import { computed, signal } from "@preact/signals";
import { address, navigate } from "../app/address.ts";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";

export type Proposal = Output<"proposals">["proposals"][number];

const maxProposals = 100;

/** The number of decisions on this page, and the sequence number of each by proposal. */
let decisionCount = 0;
const decidedAt = signal<ReadonlyMap<number, number>>(new Map());

const markDecided = (id: number): void => {
  decidedAt.value = new Map(decidedAt.value).set(id, ++decisionCount);
};

/** The pending proposals, oldest first. */
export const pendingProposals = createLiveQuery(async (signal) => {
  const decisionsBefore = decisionCount;
  const answer = await call("proposals", { status: "pending", limit: maxProposals }, signal);
  return { ...answer, decisionsBefore };
});

/** Hides proposals that were decided after the request was sent, since the answer may predate them. */
export const reviewQueue = computed(() => {
  const { proposals = [], decisionsBefore = 0 } = pendingProposals.answer.value ?? {};
  return proposals.filter(({ id }) => (decidedAt.value.get(id) ?? 0) <= decisionsBefore);
});

/** The current proposal: named by the URL, else the first. */
export const currentProposal = computed(() => {
  const number = Number(address.value.item);
  return reviewQueue.value.find(({ id }) => id === number) ?? reviewQueue.value[0];
});

/** The result or error of the last decision, and the ids of its changes. */
export const lastDecision = signal<{ message: string; changes: readonly number[] }>({
  message: "",
  changes: [],
});

const setLastDecision = (message: string, changes: readonly number[] = []): void => {
  lastDecision.value = { message, changes };
};

/** Moves to another proposal without deciding. */
export function stepInQueue(by: 1 | -1): void {
  const index = reviewQueue.value.findIndex(({ id }) => id === currentProposal.value?.id);
  const next = reviewQueue.value[index + by];
  if (next) navigate({ item: String(next.id) }, "replace");
}

export async function acceptProposal(
  { id, summary }: Proposal,
  input?: Record<string, unknown>,
): Promise<void> {
  await decide(id, `${input ? "Accepted as edited" : "Accepted"}: ${summary}`, () =>
    call("accept_proposal", { id, ...(input && { input }) }),
  );
}

export async function rejectProposal({ id, summary }: Proposal, reason: string): Promise<void> {
  await decide(id, `Rejected: ${summary}`, () =>
    call("reject_proposal", { id, ...(reason && { reason }) }),
  );
}

/** The proposals selected to be accepted together. */
export const selectedIds = signal<ReadonlySet<number>>(new Set());

export function toggleSelected(...ids: number[]): void {
  const next = new Set(selectedIds.value);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  selectedIds.value = next;
}

/** Accepts the selected proposals one by one. Those that fail are reported and stay pending. */
export async function acceptSelected(): Promise<void> {
  const selected = reviewQueue.value.filter(({ id }) => selectedIds.value.has(id));
  const changes: number[] = [];
  const problems: string[] = [];
  let done = 0;
  for (const { id } of selected) {
    try {
      const { change_id } = await call("accept_proposal", { id });
      if (change_id !== undefined) changes.push(change_id);
      markDecided(id);
      done++;
    } catch (error) {
      problems.push(`Number ${id}: ${errorMessage(error)}`);
    }
  }
  selectedIds.value = new Set();
  setLastDecision([`Accepted ${done} of ${selected.length}.`, ...problems].join(" "), changes);
}

/** Undoes the changes of the last decision, newest first. */
export async function undoLastDecision(): Promise<void> {
  const { changes } = lastDecision.value;
  try {
    for (const id of changes.toReversed()) await call("undo_change", { id });
    setLastDecision(changes.length > 1 ? `Undone: ${changes.length} changes.` : "Undone.");
  } catch (error) {
    setLastDecision(errorMessage(error));
  }
}

/** Decisions whose answer is pending, so that a repeated key decides only once. */
const decisionsInFlight = new Set<number>();

async function decide(
  id: number,
  message: string,
  send: () => Promise<{ change_id?: number | undefined }>,
): Promise<void> {
  if (decisionsInFlight.has(id)) return;
  decisionsInFlight.add(id);
  const index = reviewQueue.value.findIndex((proposal) => proposal.id === id);
  try {
    const { change_id } = await send();
    markDecided(id);
    setLastDecision(message, change_id === undefined ? [] : [change_id]);
    // The decided proposal has left the queue, so the same index is the next one.
    const next = reviewQueue.value[index];
    navigate({ item: next ? String(next.id) : "" }, "replace");
  } catch (error) {
    setLastDecision(errorMessage(error));
  } finally {
    decisionsInFlight.delete(id);
  }
}

const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
