import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  interviews,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const place = (code_id: number, start_position: number, end_position: number) => ({
  code_id,
  source_id: 1,
  start_position,
  end_position,
});

test("[qualitative.coding.positions] the stored text is the text between the positions", async () => {
  const { call, root, notices } = await interviewLibrary();
  const { results } = await call("batch_apply_codes", { operations: [place(2, 9, 12)] });

  expect(results).toEqual([
    {
      index: 0,
      success: true,
      segment_id: 2,
      error: null,
      error_code: null,
      source_id: 1,
      start_position: 9,
      end_position: 12,
      selected_text: "😀 I",
    },
  ]);
  expect(notices).toContainEqual({ topic: "segments.changed", about: "1" });
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  for (const row of db.all<{ text: string; part: string }>(
    `SELECT c.seltext AS text, substr(s.fulltext, c.pos0 + 1, c.pos1 - c.pos0) AS part
       FROM code_text c JOIN source s ON s.id = c.fid`,
  )) {
    expect(row.text).toBe(row.part);
  }
});

test("[qualitative.coding.quote] a quote is located in the text, and a wrong position is corrected", async () => {
  const { call } = await interviewLibrary();
  const { results } = await call("batch_apply_codes", {
    operations: [
      { code_id: 2, source_id: 1, quote: "doubted" },
      { code_id: 2, source_id: 1, quote: "hoped", start_position: 30 },
      { code_id: 2, source_id: 1, quote: "too. Then" },
      { code_id: 1, source_id: 1, quote: "I doubted", start_position: 11, end_position: 20 },
      { code_id: 2, source_id: 1, quote: "hoped" },
      { code_id: 2, source_id: 1, quote: "despaired" },
    ],
  });
  const text = [...interviews.Ana];

  expect(results).toMatchObject([
    { success: true, selected_text: "doubted", start_position: 13 },
    { success: true, selected_text: "hoped", corrected: true },
    { success: true, selected_text: "too.\r\nThen", corrected: true },
    { success: true, selected_text: "I doubted" },
    { success: false, error_code: "QUOTE_AMBIGUOUS" },
    { success: false, error_code: "QUOTE_NOT_FOUND" },
  ]);
  const [first, second, , fourth] = results as { start_position: number; end_position: number }[];
  for (const one of [first, second]) {
    expect(text.slice(one?.start_position, one?.end_position).join("")).toMatch(/doubted|hoped/);
  }
  expect(second?.start_position).toBeGreaterThan(20);
  expect(first).not.toHaveProperty("corrected");
  expect(fourth).not.toHaveProperty("corrected");
});

test("[qualitative.coding.quote] half a surrogate pair is not a passage", async () => {
  const { refusal } = await interviewLibrary();
  const { details } = await refusal("batch_apply_codes", {
    operations: [{ code_id: 1, source_id: 1, quote: "\uD83D" }],
  });

  expect(details).toMatchObject({ results: [{ error_code: "INVALID_POSITION" }] });
});

test("[qualitative.coding.partial] a failed item does not affect the others, and each has its result", async () => {
  const { call } = await interviewLibrary();
  const answer = await call("batch_apply_codes", {
    operations: [
      place(1, 0, 1),
      place(99, 0, 1),
      { ...place(1, 0, 1), source_id: 99 },
      place(1, 0, 9_999),
      place(1, 3, 3),
      place(1, 2, 7),
      { code_id: 1, source_id: 1, start_position: 4 },
      { ...place(2, 3, 6), memo: "short", importance: 1 },
    ],
  });

  expect(answer).toMatchObject({ total: 8, succeeded: 2, failed: 6, all_succeeded: false });
  expect((answer.results as { error_code: string }[]).map((one) => one.error_code)).toEqual([
    null,
    "CODE_NOT_FOUND",
    "SOURCE_NOT_FOUND",
    "INVALID_POSITION",
    "INVALID_POSITION",
    "DUPLICATE_SEGMENT",
    "BATCH_APPLY_CODES/INVALID_OPERATION",
    null,
  ]);
  expect(await call("list_segments_for_source", { source_id: 1 })).toMatchObject({
    segments: [
      { start_position: 0, end_position: 1, selected_text: "I" },
      { start_position: 2, end_position: 7, owner: "AI Agent" },
      { start_position: 3, memo: "short", importance: 1 },
    ],
  });
});

test("[qualitative.coding.malformed] a malformed item has its own error, and the others are coded", async () => {
  const { call, refusal } = await interviewLibrary();
  const operations = [
    place(1, 0, 1),
    "code it",
    null,
    { ...place(1, 0, 2), code_id: "one" },
    { ...place(1, 0, 3), start_position: 0.5 },
    { ...place(1, 0, 4), importance: 9 },
    { ...place(1, 0, 5), colour: "red" },
    { source_id: 1, quote: "doubted" },
    { code_id: 1, source_id: 1 },
    { ...place(2, 3, 6), source_id: "1" },
  ];
  const answer = await call("batch_apply_codes", { operations });

  expect(answer).toMatchObject({ total: 10, succeeded: 2, failed: 8 });
  const received = answer.results as { error: string | null; error_code: string | null }[];
  expect(received.map(({ error_code }) => error_code)).toEqual([
    null,
    ...Array.from({ length: 8 }, () => "BATCH_APPLY_CODES/INVALID_OPERATION"),
    null,
  ]);
  for (const [index, names] of [
    [1, /object/],
    [3, /'code_id': give a whole number/],
    [4, /'start_position'/],
    [5, /'importance'/],
    [6, /'colour'/],
    [7, /'code_id'/],
    [8, /start_position and end_position, or quote/],
  ] as const) {
    expect(received[index]?.error).toMatch(new RegExp(`^Invalid operation at index ${index}: `));
    expect(received[index]?.error).toMatch(names);
  }
  expect(await refusal("batch_apply_codes", { operations, atomic: true })).toMatchObject({
    code: "BATCH_APPLY_CODES/ALL_FAILED",
    details: { succeeded: 0 },
  });
  expect((await call("list_segments_for_source", { source_id: 1 })).segments).toHaveLength(3);
});

test("[qualitative.coding.malformed] an agent's proposal with an invalid item is performed as it was previewed", async () => {
  const { call } = await interviewLibrary();
  const person = { surface: "cli" };
  await call("set_policy", { operation: "batch_apply_codes", tier: "suggest" }, person);
  const operations = [place(2, 0, 1), { code_id: 2 }];
  const { proposal_id: id } = await call("batch_apply_codes", { operations });

  expect(await call("accept_proposal", { id }, person)).toMatchObject({ status: "accepted" });
  expect((await call("list_segments_for_source", { source_id: 1 })).segments).toHaveLength(2);
});

test("[qualitative.coding.all-failed] if no item could be coded the call fails, with the reason for each", async () => {
  const { refusal } = await interviewLibrary();
  const failure = await refusal("batch_apply_codes", { operations: [place(99, 0, 1)] });

  expect(failure).toMatchObject({ code: "BATCH_APPLY_CODES/ALL_FAILED" });
  expect(failure.message).toContain("CODE_NOT_FOUND");
  expect(failure.details).toMatchObject({
    total: 1,
    failed: 1,
    results: [{ index: 0, success: false, error_code: "CODE_NOT_FOUND" }],
  });
  expect(await refusal("batch_apply_codes", { operations: [] })).toMatchObject({
    code: "BATCH_APPLY_CODES/EMPTY_BATCH",
  });
});

test("[qualitative.coding.atomic] an atomic batch codes all items or none", async () => {
  const { call, refusal } = await interviewLibrary();
  const failure = await refusal("batch_apply_codes", {
    atomic: true,
    operations: [place(2, 0, 1), place(2, 5, 2)],
  });

  expect(failure.details).toMatchObject({
    succeeded: 0,
    results: [
      { success: false, segment_id: null, error_code: "NOT_APPLIED" },
      { success: false, error_code: "INVALID_POSITION" },
    ],
  });
  expect((await call("list_segments_for_source", { source_id: 1 })).segments).toHaveLength(1);
});

test("[qualitative.coding.owner] an agent codes in its own name, a person in the project's", async () => {
  const { call } = await interviewLibrary();
  const operations = [place(2, 0, 1)];
  await call("batch_apply_codes", { operations }, { surface: "mcp", client: "claude" });
  await call("batch_apply_codes", { operations }, { surface: "web", client: "Firefox" });

  const { segments } = await call("list_segments_for_source", { source_id: 1 });
  expect((segments as { owner: string }[]).map(({ owner }) => owner)).toEqual([
    "claude",
    "default",
    "AI Agent",
  ]);
});

test("[qualitative.coding.remove] a coding is removed, and an unknown one is reported", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await call("remove_coding", { segment_id: "1" })).toMatchObject({
    deleted: true,
    segment_id: 1,
  });
  expect(await refusal("remove_coding", { segment_id: 1 })).toMatchObject({
    code: "SEGMENT_NOT_REMOVED/NOT_FOUND",
  });
});

test("[qualitative.coding.many] a thousand items are coded in one call and reverted by one undo", async () => {
  const { call } = await interviewLibrary();
  await call("add_text_source", { name: "Long", content: "word ".repeat(1_000) });
  const operations = Array.from({ length: 1_000 }, (_, at) => ({
    code_id: 1,
    source_id: 3,
    start_position: at * 5,
    end_position: at * 5 + 4,
  }));
  const { change_id, succeeded } = await call("batch_apply_codes", { operations });

  expect(succeeded).toBe(1_000);
  await call("undo_change", { id: change_id });
  expect(await call("list_segments_for_source", { source_id: 3 })).toEqual({ segments: [] });
});
