import { computed, signal } from "@preact/signals";
import { address, navigate, screenAddress } from "../../app/address.ts";
import { call, type Output } from "../../server/client.ts";
import { createLiveQuery } from "../../server/live-query.ts";
import { clearSelection, nothingSelected, runAndReport, statusMessage } from "../coding-actions.ts";
import { inboxName, isCodingShown, openedSource, projectPath } from "../project-state.ts";
import { selectedPassage } from "../text/selection.ts";

export type InboxItem = Output<"list_inbox">["items"][number];

const maxInboxItems = 200;

/** The codings and notes that lost their position when a text was edited. */
export const inboxItems = createLiveQuery((signal) =>
  isCodingShown.value && projectPath.value
    ? call("list_inbox", { limit: maxInboxItems }, signal)
    : undefined,
);

export const inboxCount = computed(() => inboxItems.answer.value?.total ?? 0);

export const isInboxShown = computed(() => isCodingShown.value && address.value.item === inboxName);

/** The current item: named by the URL, else the first. */
export const currentInboxItem = computed(() => {
  const items = inboxItems.answer.value?.items ?? [];
  return items.find(({ id }) => String(id) === address.value.part) ?? items[0];
});

/** Characters of context on each side of the proposed position. */
const contextChars = 160;

/** The current text at the proposed position. */
export const proposedPassage = createLiveQuery(async (signal) => {
  const item = isInboxShown.value ? currentInboxItem.value : undefined;
  const { start_position: start, end_position: end } = item ?? {};
  if (!item || start === undefined || end === undefined) return undefined;
  const from = Math.max(0, start - contextChars);
  const { content } = await call(
    "read_source_content",
    { source_id: item.source_id, start_pos: from, max_length: end - from + contextChars },
    signal,
  );
  const codePoints = [...content];
  const cut = (first: number, last?: number): string => codePoints.slice(first, last).join("");
  return {
    id: item.id,
    before: cut(0, start - from),
    passage: cut(start - from, end - from),
    after: cut(end - from),
  };
});

export function stepInbox(by: 1 | -1): void {
  const items = inboxItems.answer.value?.items ?? [];
  const next = items[items.findIndex(({ id }) => id === currentInboxItem.value?.id) + by];
  if (next) navigate(screenAddress("coding", inboxName, String(next.id)), "replace");
}

export const acceptInboxItem = ({ id }: InboxItem): Promise<boolean> =>
  runAndReport(async () => {
    await call("settle_inbox", { item_id: id });
    return "Placed at the proposed position.";
  });

export const dismissInboxItem = ({ id }: InboxItem): Promise<boolean> =>
  runAndReport(async () => {
    await call("settle_inbox", { item_id: id, dismiss: true });
    return "Discarded. Undo restores it.";
  });

/** The item that the user is placing manually. */
export const itemBeingPlaced = signal<InboxItem | undefined>(undefined);

export function startPlacement(item: InboxItem): void {
  itemBeingPlaced.value = item;
  statusMessage.value = "Select the new position, then press h.";
  navigate(screenAddress("coding", String(item.source_id), String(item.start_position ?? 0)));
}

/** Places the item at the selection and returns to the inbox. */
export async function placeAtSelection(): Promise<void> {
  const item = itemBeingPlaced.value;
  const passage = openedSource.value && selectedPassage(openedSource.value);
  if (!item) return;
  if (!passage || passage.source_id !== item.source_id) {
    statusMessage.value = nothingSelected;
    return;
  }
  const { start_position: start_pos, end_position: end_pos } = passage;
  const isDone = await runAndReport(async () => {
    await call("settle_inbox", { item_id: item.id, start_pos, end_pos });
    return "Placed.";
  });
  if (!isDone) return;
  itemBeingPlaced.value = undefined;
  clearSelection();
  navigate(screenAddress("coding", inboxName));
}

export function cancelPlacement(): void {
  itemBeingPlaced.value = undefined;
  navigate(screenAddress("coding", inboxName));
}
