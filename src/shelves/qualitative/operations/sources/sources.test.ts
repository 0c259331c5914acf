import { expect, test } from "vitest";
import { bodyOf, readUntil } from "../../../../../tests/fixtures/http/event-stream.ts";
import { interviewLibrary } from "../../../../../tests/fixtures/qualitative/project-library.ts";
import { createHttpApp } from "../../../../surfaces/http/http-app.ts";

test("[qualitative.navigate.seen] a passage is sent to every open page, and the caller gets their number", async () => {
  const { library, call, beside } = await interviewLibrary();
  const app = createHttpApp({ app: library, mcp: async () => new Response() });
  const open = async () => bodyOf(await app.request("/events"));
  const place = { source_id: 1, start_pos: 2, end_pos: 7 };
  expect(await call("navigate_to_segment", place)).toMatchObject({ seen_by: 0 });

  const pages = [await open(), await open()];
  expect(await call("navigate_to_segment", place)).toMatchObject({ seen_by: 2 });
  for (const page of pages) {
    expect(await readUntil(page, "segment.navigate")).toContain('\\"start_pos\\":2');
  }

  // An agent of another process of the home gets the same answer.
  const other = beside();
  await other.call("open_project", { path: "interviews.qda" });
  await pages[0]?.cancel();
  expect(await other.call("navigate_to_segment", place)).toMatchObject({ seen_by: 1 });
  await pages[1]?.cancel();
  expect(await other.call("navigate_to_segment", place)).toMatchObject({ seen_by: 0 });
});
