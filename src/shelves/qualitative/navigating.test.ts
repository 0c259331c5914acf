import { expect, test } from "vitest";
import { interviewLibrary } from "../../../tests/fixtures/project-library.ts";
import { makeApp } from "../../surfaces/http/app.ts";

async function readUntil(stream: ReadableStream<Uint8Array>, wanted: string): Promise<string> {
  const reader = stream.getReader();
  let words = "";
  while (!words.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) break;
    words += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return words;
}

test("[qualitative.navigate.seen] a passage reaches every open page, and the caller learns how many there are", async () => {
  const { library, call, beside } = await interviewLibrary();
  const app = makeApp({ library, mcp: async () => new Response() });
  const open = async (): Promise<ReadableStream<Uint8Array>> => {
    const { body } = await app.request("/events");
    if (!body) throw new Error("The answer has no body.");
    return body;
  };
  const place = { source_id: 1, start_pos: 2, end_pos: 7 };
  expect(await call("navigate_to_segment", place)).toMatchObject({ seen_by: 0 });

  const pages = [await open(), await open()];
  expect(await call("navigate_to_segment", place)).toMatchObject({ seen_by: 2 });
  for (const page of pages) {
    expect(await readUntil(page, "segment.navigate")).toContain('\\"start_pos\\":2');
  }

  // An agent at another process of the home is answered the same.
  const other = beside();
  await other.call("open_project", { path: "interviews.qda" });
  await pages[0]?.cancel();
  expect(await other.call("navigate_to_segment", place)).toMatchObject({ seen_by: 1 });
  await pages[1]?.cancel();
  expect(await other.call("navigate_to_segment", place)).toMatchObject({ seen_by: 0 });
});
