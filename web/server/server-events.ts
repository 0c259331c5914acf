import { signal } from "@preact/signals";
import type { Topic } from "../../src/kernel/notices/notices.ts";
import { addAgentAction } from "../agents/agent-actions.ts";
import { followPassage } from "../agents/passage-follower.ts";
import { pageKey } from "./page-key.ts";

/** Incremented when documents or collections change. Queries that read it run again. */
export const dataChanges = signal(0);

/** Incremented when source texts may have changed; long texts are fetched again only then. */
export const sourceChanges = signal(0);

/** Incremented when jobs make progress, and when clients connect or disconnect. */
export const systemChanges = signal(0);

/** Whether the event stream is connected. */
export const isConnected = signal(true);

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

/** A batch of files causes many events, which are answered by one refresh. */
const debounceMs = 50;
const retryMs = 5_000;

/**
 * Listens for server events while the page is visible. Browsers open at most six HTTP/1.1
 * connections per server, so background pages must not hold theirs.
 */
export function listenForServerEvents(): void {
  let events: EventSource | undefined;
  let hasMissed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function updateConnection(): void {
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
    source.addEventListener("system.changed", () => systemChanges.value++);
    source.addEventListener("agent.acted", ({ data }) => addAgentAction(data));
    source.addEventListener("segment.navigate", ({ data }) => followPassage(data));
    source.addEventListener("ready", () => {
      if (hasMissed) {
        sourceChanges.value++;
        changed();
      }
      hasMissed = false;
      isConnected.value = true;
    });
    source.addEventListener("error", () => {
      hasMissed = true;
      isConnected.value = false;
      if (source.readyState !== EventSource.CLOSED) return;
      // After a response that is not an event stream, the browser does not reconnect by itself.
      events = undefined;
      setTimeout(updateConnection, retryMs);
    });
    return source;
  }

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => dataChanges.value++, debounceMs);
  }

  document.addEventListener("visibilitychange", updateConnection);
  updateConnection();
}
