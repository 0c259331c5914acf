import type { Notice } from "../../src/kernel/notices.ts";

/** What an open page hears on `/events`, gathered from the moment this resolves. */
export async function openEvents(url: string) {
  const leaving = new AbortController();
  const { body } = await fetch(`${url}/events`, { signal: leaving.signal });
  if (!body) throw new Error("/events has no body.");
  const heard: Notice[] = [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // The stream greets each page; what is told after that is heard.
  await reader.read();
  const gather = async () => {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data: ")) heard.push(JSON.parse(line.slice("data: ".length)));
      }
    }
  };
  gather().catch(() => {});
  return { heard, close: () => leaving.abort() };
}
