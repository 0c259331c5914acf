import { expect, test } from "vitest";
import { bodyOf, readUntil } from "../../../tests/fixtures/event-stream.ts";
import { interviewLibrary } from "../../../tests/fixtures/project-library.ts";
import { makeApp } from "../../surfaces/http/app.ts";

test("[qualitative.navigate.seen] a passage reaches every open page, and the caller learns how many there are", async () => {
  const { library, call, beside } = await interviewLibrary();
  const app = makeApp({ library, mcp: async () => new Response() });
  const open = async () => bodyOf(await app.request("/events"));
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
