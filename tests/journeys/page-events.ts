import type { Notice } from "../../src/kernel/notices/notices.ts";

/** The events that an open page receives on `/events`, collected from now on. */
export async function openEvents(url: string) {
  const leaving = new AbortController();
  const { body } = await fetch(`${url}/events`, { signal: leaving.signal });
  if (!body) throw new Error("/events has no body.");
  const received: Notice[] = [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // The stream greets each page; later events are received.
  await reader.read();
  const gather = async () => {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data: ")) received.push(JSON.parse(line.slice("data: ".length)));
      }
    }
  };
  gather().catch(() => {});
  return { received, close: () => leaving.abort() };
}
