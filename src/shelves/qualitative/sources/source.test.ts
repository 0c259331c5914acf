import { expect, test } from "vitest";
import { naughtyStrings } from "../../../../tests/fixtures/inputs/naughty-strings.ts";
import {
  interviewLibrary,
  interviews,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const ana = [...interviews.Ana];

test("[qualitative.sources.list] sources are listed with type, size and codings, and filtered by type", async () => {
  const { call } = await interviewLibrary();
  const { count, sources } = await call("list_sources");

  expect(count).toBe(2);
  expect(sources).toMatchObject([
    {
      id: 1,
      name: "Ana",
      type: "text",
      status: "coded",
      file_path: null,
      file_size: Buffer.byteLength(interviews.Ana),
      code_count: 1,
      folder_id: null,
    },
    { id: 2, name: "David", status: "imported", code_count: 0 },
  ]);
  expect(await call("list_sources", { source_type: "text" })).toMatchObject({ count: 2 });
  expect(await call("list_sources", { source_type: "vinyl" })).toEqual({ count: 0, sources: [] });
});

test("[qualitative.sources.read] a text is read in parts that add up to the whole, by code points", async () => {
  const { call } = await interviewLibrary();
  const parts: string[] = [];
  let start: unknown = 0;
  while (start !== undefined) {
    const part = await call("read_source_content", {
      source_id: "1",
      start_pos: start,
      max_length: 7,
    });
    parts.push(String(part.content));
    expect(part.has_more).toBe(part.next_start_pos !== undefined);
    start = part.next_start_pos;
  }

  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join("")).toBe(interviews.Ana);
});

test("[qualitative.sources.read] a part ends at the requested position, and has no more then", async () => {
  const { call } = await interviewLibrary();

  expect(await call("read_source_content", { source_id: 1, start_pos: 9, end_pos: 12 })).toEqual({
    source_id: 1,
    source_name: "Ana",
    content: "😀 I",
    start_pos: 9,
    end_pos: 12,
    total_length: ana.length,
    has_more: false,
  });
  expect(await call("read_source_content", { source_id: 1, start_pos: ana.length })).toMatchObject({
    content: "",
    has_more: false,
  });
});

test("[qualitative.positions.outside] positions outside the text are refused", async () => {
  const { refusal } = await interviewLibrary();
  const check = async (name: string, start_pos: number, end_pos?: number) =>
    expect(
      await refusal(name, { source_id: 1, start_pos, ...(end_pos !== undefined && { end_pos }) }),
    ).toMatchObject({ kind: "invalid", code: "INVALID_POSITION" });

  await check("read_source_content", -1);
  await check("read_source_content", ana.length + 1);
  await check("read_source_content", 5, 4);
  await check("read_source_content", 0, ana.length + 1);
  await check("navigate_to_segment", 0, ana.length + 1);
  await check("navigate_to_segment", 3, 3);
  await check("navigate_to_segment", -1, 3);
});

test("[qualitative.sources.unknown] every operation reports an unknown source with its code", async () => {
  const { refusal } = await interviewLibrary();
  for (const [name, more] of [
    ["read_source_content", {}],
    ["remove_source", {}],
    ["list_segments_for_source", {}],
    ["suggest_source_metadata", { language: "en" }],
    ["move_source_to_folder", {}],
    ["navigate_to_segment", { start_pos: 0, end_pos: 1 }],
  ] as const) {
    expect([name, await refusal(name, { source_id: 99, ...more })]).toMatchObject([
      name,
      { kind: "not-found", code: "SOURCE_NOT_FOUND" },
    ]);
  }
});

test("[qualitative.sources.add] a text is added under a unique name", async () => {
  const { call, refusal, notices } = await interviewLibrary();

  expect(
    await call("add_text_source", { name: "Eva", content: "Nein.", origin: "Archive" }),
  ).toMatchObject({ source_id: 3, name: "Eva", type: "text", status: "imported", file_size: 5 });
  expect(notices).toContainEqual({ topic: "source.changed", about: "3" });
  expect(((await call("list_sources")).sources as object[])[2]).toMatchObject({
    origin: "Archive",
  });
  const check = async (name: string, content: string, reason: string) =>
    expect(await refusal("add_text_source", { name, content })).toMatchObject({
      code: `SOURCE_NOT_ADDED/${reason}`,
    });
  await check("EVA", "x", "DUPLICATE_NAME");
  await check(" ", "x", "EMPTY_NAME");
  await check("F", "", "EMPTY_CONTENT");
  await check("F", "half \uD83D", "INVALID_TEXT");
  await check("x".repeat(256), "x", "NAME_TOO_LONG");
});

const { source: kind, strings } = naughtyStrings();

test(`[qualitative.project.exact-text] ${kind} are read as they were added, whole and by quote`, async () => {
  const { call } = await interviewLibrary();
  const texts = strings.filter(
    (text) => text.trim() !== "" && text.isWellFormed() && !text.includes("\0"),
  );
  const content = texts.join("\n");
  await call("add_text_source", { name: "Naughty", content });
  expect(await call("read_source_content", { source_id: 3 })).toMatchObject({
    content,
    total_length: [...content].length,
  });
  let next = 0;
  const operations = texts.map((quote) => {
    const start_position = next;
    next += [...quote].length + 1;
    return { code_id: 1, source_id: 3, quote, start_position };
  });
  const { results } = await call("batch_apply_codes", { operations });
  expect(results).toMatchObject(
    operations.map(({ quote, start_position }) => ({ selected_text: quote, start_position })),
  );
  expect(texts.length).toBeGreaterThan(10);
});

test("[qualitative.sources.remove] a preview counts what would be removed, and only a confirmed call removes it", async () => {
  const { call, refusal } = await interviewLibrary();
  const preview = await call("remove_source", { source_id: 1 });

  expect(preview).toMatchObject({
    preview: true,
    source_name: "Ana",
    source_type: "text",
    coded_segments_count: 1,
    requires_approval: true,
    message: "This will delete source 'Ana' and 1 coded segment(s)",
  });
  expect(await call("list_sources")).toMatchObject({ count: 2 });
  expect(await call("remove_source", { source_id: 1, confirm: true })).toMatchObject({
    removed: true,
    source_name: "Ana",
    segments_removed: 1,
  });
  expect(await refusal("list_segments_for_source", { source_id: 1 })).toMatchObject({
    code: "SOURCE_NOT_FOUND",
  });
});

test("[qualitative.sources.remove] confirming with the preview's token does exactly what it showed, or nothing", async () => {
  const { call, refusal } = await interviewLibrary();
  const { preview_token } = await call("remove_source", { source_id: 1 });
  await call("batch_apply_codes", {
    operations: [{ code_id: 2, source_id: 1, quote: "doubted" }],
  });

  expect(
    await refusal("remove_source", { source_id: 1, confirm: true, preview_token }),
  ).toMatchObject({ kind: "conflict", code: "PREVIEW_STALE" });
  const again = await call("remove_source", { source_id: 1 });
  expect(
    await call("remove_source", {
      source_id: 1,
      confirm: true,
      preview_token: again.preview_token,
    }),
  ).toMatchObject({ removed: true, segments_removed: 2 });
});

test("[qualitative.sources.navigate] showing a passage sends a notice to every page", async () => {
  const { call, notices } = await interviewLibrary();
  const place = { source_id: 1, start_pos: 2, end_pos: 7 };

  expect(await call("navigate_to_segment", place)).toMatchObject({
    navigated_to: { ...place, highlight: true },
    current_screen: "coding",
  });
  expect(notices.at(-1)).toEqual({
    topic: "segment.navigate",
    about: JSON.stringify({ ...place, highlight: true }),
  });
  expect(await call("get_project_context")).toMatchObject({ current_screen: "coding" });
});

test("[qualitative.suggestions.wait] suggested metadata wait for a person, who may be in another process", async () => {
  const { call, beside } = await interviewLibrary();
  const suggested = { language: "en", topics: ["hope", "work"] };
  const { proposal_id, ...answer } = await call("suggest_source_metadata", {
    source_id: 1,
    ...suggested,
  });
  expect(answer).toEqual({
    source_id: 1,
    source_name: "Ana",
    suggested,
    status: "pending_approval",
    requires_approval: true,
  });
  const first = async () => ((await call("list_sources")).sources as object[])[0];
  expect(await first()).not.toHaveProperty("language");

  await beside().call("accept_proposal", { id: proposal_id }, { surface: "cli" });
  expect(await first()).toMatchObject(suggested);
});
