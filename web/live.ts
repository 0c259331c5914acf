import { signal } from "@preact/signals";
import type { Topic } from "../src/kernel/notices.ts";
import { noteAct } from "./agent-acts.ts";
import { followPassage } from "./following.ts";
import { pageKey } from "./page-key.ts";

/** Grows whenever documents or collections have changed; whoever reads it asks again. */
export const changes = signal(0);

/** Grows when texts of sources may have changed; a long one is read again for nothing else. */
export const sourceChanges = signal(0);

/** Grows when work of the server has come further, or clients have come and gone. */
export const houseChanges = signal(0);

/** Whether the server tells us of changes at this moment. */
export const isLive = signal(true);

const topics: Topic[] = [
  "documents.changed",
  "collections.changed",
  "proposals.changed",
  "activity.changed",
  "agent.acted",
  "source.changed",
  "segments.changed",
  "prompts.changed",
  "resources.changed",
  "resource.updated",
];

/** A batch of files makes many notices; one question answers them all. */
const settleMs = 50;
const tryAgainMs = 5_000;

/**
 * Listens while the page is seen. A browser opens six connections to a server at most, so a
 * seventh page would wait for ever if pages in the background kept theirs.
 */
export function listen(): void {
  let events: EventSource | undefined;
  let hasMissed = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function follow(): void {
    if (!document.hidden) events ??= open();
    else {
      events?.close();
      events = undefined;
      hasMissed = true;
    }
  }

  function open(): EventSource {
    const source = new EventSource(`/events?key=${pageKey()}`);
    for (const topic of topics) source.addEventListener(topic, changed);
    source.addEventListener("source.changed", () => sourceChanges.value++);
    source.addEventListener("house.changed", () => houseChanges.value++);
    source.addEventListener("agent.acted", ({ data }) => noteAct(data));
    source.addEventListener("segment.navigate", ({ data }) => followPassage(data));
    source.addEventListener("ready", () => {
      if (hasMissed) {
        sourceChanges.value++;
        changed();
      }
      hasMissed = false;
      isLive.value = true;
    });
    source.addEventListener("error", () => {
      hasMissed = true;
      isLive.value = false;
      if (source.readyState !== EventSource.CLOSED) return;
      // Where the answer was no stream the browser gives up, so trying again is left to us.
      events = undefined;
      setTimeout(follow, tryAgainMs);
    });
    return source;
  }

  function changed(): void {
    clearTimeout(waiting);
    waiting = setTimeout(() => changes.value++, settleMs);
  }

  document.addEventListener("visibilitychange", follow);
  follow();
}
