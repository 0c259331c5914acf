import { computed, signal } from "@preact/signals";
import { address, go, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { attempt, letGo, nothingSelected, said } from "./applying.ts";
import { inboxName, isShown, opened, project } from "./project.ts";
import { passageOf } from "./selection.ts";

export type Waiting = Output<"list_inbox">["items"][number];

const mostShown = 200;

/** What lost its place when a text was edited. */
export const waiting = asking((signal) =>
  isShown.value && project.value ? call("list_inbox", { limit: mostShown }, signal) : undefined,
);

export const waitingCount = computed(() => waiting.answer.value?.total ?? 0);

export const isInbox = computed(() => isShown.value && address.value.of === inboxName);

/** The one that is looked at: named by the address, else the first. */
export const looked = computed(() => {
  const items = waiting.answer.value?.items ?? [];
  return items.find(({ id }) => String(id) === address.value.part) ?? items[0];
});

/** As much of the text as is shown around the proposed place, on both sides. */
const around = 160;

/** The text as it is now, at the proposed place. */
export const nowThere = asking(async (signal) => {
  const item = isInbox.value ? looked.value : undefined;
  const { start_position: start, end_position: end } = item ?? {};
  if (!item || start === undefined || end === undefined) return undefined;
  const from = Math.max(0, start - around);
  const { content } = await call(
    "read_source_content",
    { source_id: item.source_id, start_pos: from, max_length: end - from + around },
    signal,
  );
  const letters = [...content];
  const cut = (first: number, last?: number): string => letters.slice(first, last).join("");
  return {
    id: item.id,
    before: cut(0, start - from),
    there: cut(start - from, end - from),
    behind: cut(end - from),
  };
});

export function stepInbox(by: 1 | -1): void {
  const items = waiting.answer.value?.items ?? [];
  const next = items[items.findIndex(({ id }) => id === looked.value?.id) + by];
  if (next) go(screen("coding", inboxName, String(next.id)), "replace");
}

export const accept = ({ id }: Waiting): Promise<boolean> =>
  attempt(async () => {
    await call("settle_inbox", { item_id: id });
    return "Put at the proposed place.";
  });

export const dismiss = ({ id }: Waiting): Promise<boolean> =>
  attempt(async () => {
    await call("settle_inbox", { item_id: id, dismiss: true });
    return "Let go. Undo brings it back.";
  });

/** What somebody looks for a place for, in the text. */
export const placing = signal<Waiting | undefined>(undefined);

export function beginPlacing(item: Waiting): void {
  placing.value = item;
  said.value = "Select where it belongs, then press h.";
  go(screen("coding", String(item.source_id), String(item.start_position ?? 0)));
}

/** Puts it where the selection is, and goes on with what waits. */
export async function placeHere(): Promise<void> {
  const item = placing.value;
  const passage = opened.value && passageOf(opened.value);
  if (!item) return;
  if (!passage || passage.source_id !== item.source_id) {
    said.value = nothingSelected;
    return;
  }
  const { start_position: start_pos, end_position: end_pos } = passage;
  const isDone = await attempt(async () => {
    await call("settle_inbox", { item_id: item.id, start_pos, end_pos });
    return "Placed.";
  });
  if (!isDone) return;
  placing.value = undefined;
  letGo();
  go(screen("coding", inboxName));
}

export function leavePlacing(): void {
  placing.value = undefined;
  go(screen("coding", inboxName));
}
