import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  type ProjectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { joinMemos } from "../project/memo.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

const code = ({ call }: ProjectLibrary, code_id: number, ...quotes: string[]) =>
  call("batch_apply_codes", {
    operations: quotes.map((quote) => ({ code_id, source_id: 1, quote, memo: `of ${code_id}` })),
  });

test("[qualitative.codebook.merge-memos] merging keeps both memos, of codes and of shared passages", async () => {
  const opened = await interviewLibrary();
  await code(opened, 1, "doubted");
  await code(opened, 2, "doubted", "again");
  await opened.call("update_code", { code_id: 2, memo: "Second" });
  await opened.call("merge_codes", { source_code_id: 2, target_code_id: 1, confirm: true });

  expect(await opened.call("get_code", { code_id: 1 })).toMatchObject({
    memo: "Whatever holds up\nSecond",
    segment_count: 3,
  });
  const { segments } = await opened.call("list_segments_for_source", { source_id: 1 });
  expect(segments).toMatchObject([
    { selected_text: "hoped" },
    { selected_text: "doubted", memo: "of 1\nof 2" },
    { selected_text: "again", memo: "of 2" },
  ]);
});

test("[qualitative.codebook.merge-memos] private memo text stays private in the merged memo", () => {
  expect(joinMemos("a #####b", "c #####d")).toBe("a\nc\n#####b\n#####d");
  expect(joinMemos("a", "a")).toBe("a");
  expect(joinMemos(null, "c")).toBe("c");
});

test("[qualitative.codebook.split] the selected passages move to a new code, and one undo restores them", async () => {
  const opened = await interviewLibrary();
  const { call } = opened;
  await code(opened, 1, "doubted", "again");
  const split = { code_id: 1, name: "Lasting", segment_ids: [2, "3"] };
  const { new_code_id, change_id } = await call("split_code", split);

  expect((await call("list_codes")).codes).toMatchObject([
    { name: "Hope", segment_count: 1 },
    { id: new_code_id, name: "Lasting", segment_count: 2, color: "#00AA00" },
    { name: "Waiting" },
  ]);
  await expect(
    call("split_code", { code_id: 1, name: "Other", segment_ids: [1, 2] }),
  ).rejects.toMatchObject({ code: "CODE_NOT_SPLIT/SEGMENT_NOT_FOUND" });
  await call("undo_change", { id: change_id }, person);
  expect(await call("get_code", { code_id: 1 })).toMatchObject({ segment_count: 3 });
});

test("[qualitative.codebook.in-vivo] a passage's text becomes the name of a code, once", async () => {
  const { call } = await interviewLibrary();
  const first = await call("create_in_vivo_code", { source_id: 1, quote: "hoped again" });
  expect(first).toMatchObject({ name: "hoped again", created: true });
  const upper = await call("create_in_vivo_code", {
    source_id: 1,
    start_position: 2,
    end_position: 7,
  });
  expect(upper).toMatchObject({ name: "hoped", created: true });
  await expect(
    call("create_in_vivo_code", { source_id: 1, quote: "hoped again" }),
  ).rejects.toMatchObject({ code: "DUPLICATE_SEGMENT" });

  await call("add_text_source", { name: "Long", content: `${"word ".repeat(60)}end` });
  const long = await call("create_in_vivo_code", {
    source_id: 3,
    start_position: 0,
    end_position: 303,
  });
  expect([...String(long.name)].length).toBeLessThanOrEqual(100);
  expect((await call("list_segments_for_source", { source_id: 3 })).segments).toMatchObject([
    { end_position: 303 },
  ]);
});

test("[qualitative.codebook.duplicates] similar codes are detected by name and by shared passages", async () => {
  const opened = await interviewLibrary();
  const { call } = opened;
  await call("create_code", { name: "the Hope", color: "#123" });
  await call("create_code", { name: "hópe, the", color: "#123" });
  await code(opened, 2, "hoped again");
  await call("create_code", { name: "Patience", color: "#123" });
  await code(opened, 5, "hoped again.");
  await call("create_code", { name: "!!!", color: "#123" });
  await call("create_code", { name: "???", color: "#123" });

  const { candidates, codes_analyzed } = await call("find_duplicate_codes");
  expect(codes_analyzed).toBe(7);
  expect(candidates).toMatchObject([
    { code_a_name: "hópe, the", code_b_name: "the Hope", name_similarity: 100, shared_passages: 0 },
    { code_a_name: "Patience", code_b_name: "Waiting", shared_passages: 100 },
  ]);
});

test("[qualitative.codebook.growth] too many codes or pairs to compare are refused", async () => {
  const opened = await interviewLibrary();
  const addCodes = (from: number, to: number) =>
    databaseOf(join(opened.root, "interviews.qda", "data.qda")).exec(
      `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
       INSERT INTO code_name (name, memo, owner, date, color) SELECT 'Code ' || i, '', '', '', '#123456' FROM n`,
    );
  addCodes(1, 700);
  expect(await opened.refusal("find_duplicate_codes", { threshold: 0 })).toMatchObject({
    kind: "too-large",
    hints: ["Give a higher threshold."],
  });
  addCodes(701, 10_000);
  expect(await opened.refusal("find_duplicate_codes")).toMatchObject({
    kind: "too-large",
    message: "The project has 10002 codes.",
  });
});

test("[qualitative.codebook.nested] codes are nested below codes, never below themselves", async () => {
  const { call } = await interviewLibrary();
  await call("nest_code", { code_id: 2, parent_code_id: 1 });
  for (const [code_id, parent_code_id] of [
    [1, 2],
    [1, 1],
  ]) {
    await expect(call("nest_code", { code_id, parent_code_id })).rejects.toMatchObject({
      code: "CODE_NOT_MOVED/CIRCLE",
    });
  }
  expect((await call("list_codes")).codes).toMatchObject([{ id: 1 }, { id: 2, parent_code_id: 1 }]);
  await call("nest_code", { code_id: 2, parent_code_id: null });
  expect(await call("get_code", { code_id: 2 })).not.toHaveProperty("parent_code_id");
});

test("[qualitative.codebook.categories] categories are renamed, moved and deleted, and their codes remain", async () => {
  const { call } = await interviewLibrary();
  const { category_id: top } = await call("save_category", { name: "Feelings", memo: "m" });
  const { category_id: low } = await call("save_category", { name: "Low", parent_id: top });
  await call("update_code", { code_id: 1, category_id: top });
  await expect(call("save_category", { name: "feelings", parent_id: low })).rejects.toMatchObject({
    code: "CATEGORY_NOT_SAVED/CIRCLE",
  });
  expect(await call("save_category", { name: "Feelings", new_name: "Moods" })).toMatchObject({
    category_id: top,
    created: false,
  });
  await call("delete_category", { name: "moods" });

  expect((await call("list_categories")).categories).toMatchObject([{ id: low, parent_id: null }]);
  expect(await call("get_code", { code_id: 1 })).toMatchObject({ category_id: null });
  expect(await call("delete_category", { name: "Moods" })).toEqual({
    name: "Moods",
    deleted: false,
  });
});

test("[qualitative.codebook.cases] a case has attributes and sources, stored as in QualCoder", async () => {
  const { call, root } = await interviewLibrary();
  await call("save_case", {
    name: "Ana",
    memo: "seen ##### not seen",
    link: [{ source_id: 1 }, { source_id: 2, start_pos: 1, end_pos: 7 }],
    attributes: { age: 34, place: "Bonn" },
  });
  await call("save_case", { name: "Kim" });
  await call("save_case", { name: "Ana", unlink: [1], attributes: { place: null }, memo: "new" });

  expect((await call("list_cases")).cases).toEqual([
    {
      id: 1,
      name: "Ana",
      memo: "new",
      attributes: { age: "34" },
      sources: [{ source_id: 2, source_name: "David", start_pos: 1, end_pos: 7 }],
    },
    { id: 2, name: "Kim", memo: "", attributes: {}, sources: [] },
  ]);
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  expect(db.all("SELECT memo FROM cases WHERE caseid = 1")).toEqual([
    { memo: "new\n##### not seen" },
  ]);
  expect(
    db.all("SELECT name, value FROM attribute WHERE attr_type = 'case' AND id = 2 ORDER BY name"),
  ).toEqual([
    { name: "age", value: "" },
    { name: "place", value: "" },
  ]);
  await expect(
    call("save_case", { name: "Kim", attributes: { age: "old" } }),
  ).rejects.toMatchObject({
    code: "NOT_A_NUMBER",
  });
  await expect(
    call("set_source_attributes", { source_id: 1, attributes: { Age: 3 } }),
  ).rejects.toMatchObject({ code: "ATTRIBUTE_NOT_MADE/DUPLICATE_NAME" });

  await call("set_source_attributes", { source_id: 1, attributes: { room: 7, gone: null } });
  await call("add_text_source", { name: "Late", content: "x" });
  expect(
    await call("set_source_attributes", { source_id: 3, attributes: { room: 8 } }),
  ).toMatchObject({ attributes: { room: "8" } });
  expect((await call("list_attributes")).attributes).toMatchObject([
    { name: "age", of: "case", type: "numeric" },
    { name: "place", type: "character" },
    { name: "room", of: "file", type: "numeric" },
  ]);

  await call("delete_case", { name: "Ana" });
  expect(db.all("SELECT 1 FROM case_text")).toEqual([]);
  expect(db.all("SELECT id FROM attribute WHERE attr_type = 'case' AND id = 1")).toEqual([]);
});

test("[qualitative.codebook.journals] journals are written, appended and deleted; agents see only the shared part", async () => {
  const { call } = await interviewLibrary();
  await call("set_policy", { operation: "save_journal", tier: "notify" }, person);
  await call("save_journal", { name: "Week 1", entry: "Seen.\n#####\nNot seen." }, person);
  await call("save_journal", { name: "week 1", entry: "More.", append: true }, agent);

  expect((await call("list_journals", {}, agent)).journals).toMatchObject([
    { name: "Week 1", entry: "Seen.\nMore." },
  ]);
  expect((await call("list_journals", { name: "WEEK 1" }, person)).journals).toMatchObject([
    { entry: "Seen.\nMore.\n#####\nNot seen." },
  ]);
  expect(await call("delete_journal", { name: "Week 1" }, person)).toMatchObject({ deleted: true });
  expect((await call("list_journals")).journals).toEqual([]);
});

test("[qualitative.codebook.coders] a coder is hidden and shown, and a person codes under a chosen name", async () => {
  const { call } = await interviewLibrary();
  const shown = async () =>
    ((await call("list_segments_for_source", { source_id: 1 })).segments as unknown[]).length;
  await call("save_coder", { name: "AI Agent", hidden: true }, person);
  expect(await shown()).toBe(0);
  await call("save_coder", { name: "Kim", is_me: true }, person);
  await call(
    "batch_apply_codes",
    { operations: [{ code_id: 1, source_id: 1, quote: "again" }] },
    person,
  );

  expect(await call("list_coders")).toEqual({
    current: "Kim",
    coders: [
      { name: "AI Agent", agent: true, hidden: true, segment_count: 1 },
      { name: "default", agent: false, hidden: false, segment_count: 0 },
      { name: "Kim", agent: false, hidden: false, segment_count: 1 },
    ],
  });
  await call("save_coder", { name: "AI Agent", hidden: false }, person);
  expect(await shown()).toBe(2);
  await expect(call("save_coder", { name: "Kin", hidden: true }, person)).rejects.toMatchObject({
    code: "CODER_NOT_FOUND",
    hints: ["Known coders: AI Agent, Kim, default."],
  });
  await expect(call("save_coder", { name: "Kim", hidden: true }, agent)).rejects.toMatchObject({
    code: "ONLY_A_PERSON",
  });
});

test("[qualitative.codebook.coders] in a project without a coder list a person chooses a name, and no coder is hidden", async () => {
  const { call, root } = await interviewLibrary();
  databaseOf(join(root, "interviews.qda", "data.qda")).exec(`
    DROP VIEW code_text_visible; DROP VIEW code_image_visible; DROP VIEW code_av_visible;
    DROP VIEW annotation_visible; DROP TABLE coder_names;
    UPDATE project SET databaseversion = 'v8'`);

  expect(await call("save_coder", { name: "carl", is_me: true }, person)).toMatchObject({
    name: "carl",
    hidden: false,
  });
  expect(await call("list_coders")).toMatchObject({ current: "carl" });
  await expect(
    call("save_coder", { name: "AI Agent", hidden: true }, person),
  ).rejects.toMatchObject({
    code: "OLD_PROJECT",
    hints: ["Open it once in QualCoder 4.0 or later."],
  });
});
