import type { Notice } from "../../src/kernel/notices/notices.ts";

/** Collects the events that an open page receives on `/events`. */
export async function openEvents(url: string) {
  const closing = new AbortController();
  const { body } = await fetch(`${url}/events`, { signal: closing.signal });
  if (!body) throw new Error("/events has no body.");
  const notices: Notice[] = [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // The first event confirms the connection; later events are collected.
  await reader.read();
  const gather = async () => {
    let buffer = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (buffer + value).split("\n");
      buffer = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data: ")) notices.push(JSON.parse(line.slice("data: ".length)));
      }
    }
  };
  gather().catch(() => {});
  return { notices, close: () => closing.abort() };
}
