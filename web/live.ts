import { signal } from "@preact/signals";
import type { Topic } from "../src/kernel/notices.ts";

/** Grows whenever documents or collections have changed; whoever reads it asks again. */
export const changes = signal(0);

/** Whether the server tells us of changes at this moment. */
export const isLive = signal(true);

const topics: Topic[] = ["documents.changed", "collections.changed", "resource.updated"];

/** A batch of files makes many notices; one question answers them all. */
const settleMs = 50;

export function listen(): void {
  const events = new EventSource("/events");
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => changes.value++, settleMs);
  };
  for (const topic of topics) events.addEventListener(topic, changed);
  events.addEventListener("ready", () => {
    // What happened while nobody listened was told to nobody.
    if (!isLive.peek()) changed();
    isLive.value = true;
  });
  events.addEventListener("error", () => {
    isLive.value = false;
    // Where the answer was no stream the browser gives up, so the trying again is ours.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5_000);
  });
}
