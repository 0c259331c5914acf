import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  interviews,
  type ProjectLibrary,
} from "../../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "web" };
const agent = { surface: "mcp", client: "claude" };

/** Text, memo, importance and owner of the codings in the first source. */
async function coded({ call }: ProjectLibrary) {
  const { segments } = await call("list_segments_for_source", { source_id: 1 });
  return (segments as Record<string, unknown>[]).map((segment) => [
    segment.selected_text,
    segment.memo,
    segment.importance,
    segment.owner,
  ]);
}

async function codedDoubt() {
  const opened = await interviewLibrary();
  const operations = [
    { code_id: 2, source_id: 1, quote: "😀 I doubted, too", memo: "Why?", importance: 1 },
  ];
  await opened.call("batch_apply_codes", { operations }, person);
  return opened;
}

test("[qualitative.recoding.change] boundaries, memo and importance change, and one undo restores them", async () => {
  const opened = await codedDoubt();
  const wish = { segment_id: 2, start_position: 13, memo: "Since when?", importance: 3 };
  expect(await opened.call("change_coding", wish, person)).toMatchObject({
    selected_text: "doubted, too",
    start_position: 13,
    end_position: 25,
  });
  expect((await coded(opened))[1]).toEqual(["doubted, too", "Since when?", 3, "default"]);

  await opened.call("undo_last", {}, person);
  expect((await coded(opened))[1]).toEqual(["😀 I doubted, too", "Why?", 1, "default"]);
});

test("[qualitative.recoding.change] omitted fields stay unchanged, even if all are omitted", async () => {
  const opened = await codedDoubt();
  const before = await coded(opened);

  expect(await opened.call("change_coding", { segment_id: 2 }, person)).toMatchObject({
    selected_text: "😀 I doubted, too",
  });
  expect(await coded(opened)).toEqual(before);
});

test("[qualitative.recoding.change] positions that are outside, empty or already coded are refused", async () => {
  const opened = await codedDoubt();
  const twin = [{ code_id: 2, source_id: 1, start_position: 13, end_position: 20 }];
  await opened.call("batch_apply_codes", { operations: twin }, person);
  const ends = [...interviews.Ana].length;
  for (const [wish, code] of [
    [{ segment_id: 2, end_position: ends + 1 }, "INVALID_POSITION"],
    [{ segment_id: 2, start_position: 25 }, "INVALID_POSITION"],
    [{ segment_id: 2, start_position: 13, end_position: 20 }, "DUPLICATE_SEGMENT"],
    [{ segment_id: 9 }, "SEGMENT_NOT_FOUND"],
  ] as const) {
    expect(await opened.refusal("change_coding", wish)).toMatchObject({ code });
  }
});

test("[qualitative.recoding.change] the private part of a memo stays", async () => {
  const opened = await codedDoubt();
  await opened.call("set_policy", { operation: "change_coding", tier: "notify" }, person);
  await opened.call("change_coding", { segment_id: 2, memo: "Shared\n#####mine" }, person);
  await opened.call("change_coding", { segment_id: 2, memo: "Other" }, agent);
  const db = databaseOf(join(opened.root, "interviews.qda", "data.qda"));
  expect(db.get("SELECT memo FROM code_text WHERE rowid = 2")).toEqual({
    memo: "Other\n#####mine",
  });
});

test("[qualitative.recoding.erase] erasing in the middle leaves two codings with memo, importance and owner", async () => {
  const opened = await codedDoubt();
  const erase = { segment_id: 2, start_position: 11, end_position: 12 };
  await opened.call("set_policy", { operation: "erase_coding", tier: "notify" }, person);
  expect(await opened.call("erase_coding", erase, agent)).toMatchObject({
    rest: [
      { segment_id: 2, selected_text: "😀" },
      { segment_id: 3, selected_text: "doubted, too" },
    ],
  });
  expect((await coded(opened)).slice(1)).toEqual([
    ["😀", "Why?", 1, "default"],
    ["doubted, too", "Why?", 1, "default"],
  ]);
  await opened.call("undo_last", {}, person);
  expect((await coded(opened)).slice(1)).toEqual([["😀 I doubted, too", "Why?", 1, "default"]]);
});

test("[qualitative.recoding.erase] erasing at an end keeps the coding's number and trims white space", async () => {
  const opened = await codedDoubt();
  const erase = { segment_id: 2, start_position: 9, end_position: 13 };
  expect(await opened.call("erase_coding", erase, person)).toMatchObject({
    rest: [{ segment_id: 2, start_position: 13, selected_text: "doubted, too" }],
  });
});

test("[qualitative.recoding.erase] erasing nothing and erasing everything have different errors", async () => {
  const opened = await codedDoubt();
  const beside = { segment_id: 2, start_position: 0, end_position: 9 };
  expect(await opened.refusal("erase_coding", beside)).toMatchObject({ code: "NOTHING_TO_ERASE" });
  const whole = { segment_id: 2, start_position: 0, end_position: 30 };
  expect(await opened.refusal("erase_coding", whole)).toMatchObject({ code: "NOTHING_LEFT" });
});

test("[qualitative.codebook.new-name] an unknown name creates a code with its first coding, in one step", async () => {
  const opened = await interviewLibrary();
  const wish = { source_id: 1, quote: "doubted", name: "Unsure", memo: "Why?", importance: 2 };
  expect(await opened.call("create_in_vivo_code", wish, person)).toMatchObject({
    name: "Unsure",
    created: true,
  });
  expect((await coded(opened))[1]).toEqual(["doubted", "Why?", 2, "default"]);
  await opened.call("undo_last", {}, person);
  expect((await opened.call("list_codes")).codes).toHaveLength(2);
});

test("[qualitative.trust.edited] a coding edited by a person is made in the person's name", async () => {
  const opened = await interviewLibrary();
  const policy = { operation: "batch_apply_codes", tier: "suggest" };
  await opened.call("set_policy", policy, person);
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  const { proposal_id: id } = await opened.call("batch_apply_codes", { operations }, agent);
  const { proposals } = await opened.call("proposals", {}, person);
  const [{ input }] = proposals as [{ input: Record<string, unknown> }];
  const better = { ...input, input: { operations: [{ ...operations[0], quote: "I doubted" }] } };
  await opened.call("accept_proposal", { id, input: better }, person);

  expect((await coded(opened))[1]).toEqual(["I doubted", "", 0, "default"]);
  const { changes } = await opened.call("activity", { limit: 1 });
  expect(changes).toMatchObject([
    { summary: `Coded 1 passage (interviews), after a person edited proposal ${id}` },
  ]);
});
