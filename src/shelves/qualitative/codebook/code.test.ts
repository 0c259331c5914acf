import { expect, test } from "vitest";
import { interviewLibrary } from "../../../../tests/fixtures/qualitative/project-library.ts";

test("[qualitative.codes.list] codes are listed with color, memo, category and number of codings", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await call("list_codes")).toMatchObject({
    codes: [
      {
        id: 1,
        name: "Hope",
        color: "#00AA00",
        memo: "Whatever holds up",
        category_id: null,
        owner: "AI Agent",
        segment_count: 1,
      },
      { id: 2, name: "Waiting", segment_count: 0 },
    ],
  });
  expect(await call("get_code", { code_id: "2" })).toMatchObject({ name: "Waiting" });
  expect(await refusal("get_code", { code_id: 99 })).toMatchObject({
    kind: "not-found",
    code: "CODE_NOT_FOUND",
  });
});

test("[qualitative.codes.create] a code has a unique name, a color and optionally a category", async () => {
  const { call, refusal } = await interviewLibrary();
  await call("create_category", { name: "Feelings" });

  expect(await call("create_code", { name: "Doubt", color: "#c40", category_id: 1 })).toMatchObject(
    { code_id: 3, name: "Doubt", color: "#CC4400", memo: null, category_id: 1 },
  );
  const check = async (input: object, reason: string) =>
    expect(await refusal("create_code", { name: "New", color: "#112233", ...input })).toMatchObject(
      {
        code: `CODE_NOT_CREATED/${reason}`,
      },
    );
  await check({ name: "hope" }, "DUPLICATE_NAME");
  await check({ name: "" }, "EMPTY_NAME");
  await check({ name: "x".repeat(101) }, "NAME_TOO_LONG");
  await check({ color: "red" }, "INVALID_COLOR");
  await check({ category_id: 9 }, "CATEGORY_NOT_FOUND");
});

test("[qualitative.codes.update] only the given fields change", async () => {
  const { call, refusal } = await interviewLibrary();
  await call("create_category", { name: "Feelings" });
  await call("update_code", { code_id: 1, name: "hope", category_id: 1 });

  expect(await call("update_code", { code_id: 1, color: "#000" })).toMatchObject({
    name: "hope",
    color: "#000000",
    memo: "Whatever holds up",
    category_id: 1,
  });
  expect(await call("update_code", { code_id: 1, category_id: null })).toMatchObject({
    category_id: null,
  });
  expect(await refusal("update_code", { code_id: 1, name: "WAITING" })).toMatchObject({
    code: "CODE_NOT_RENAMED/DUPLICATE_NAME",
  });
});

test("[qualitative.codes.delete] deleting a code in use requires an extra flag and a preview", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await refusal("delete_code", { code_id: 1, confirm: true })).toMatchObject({
    code: "CODE_NOT_DELETED/HAS_REFERENCES",
    message: "Code has 1 segment(s) and cannot be deleted",
  });
  expect(await call("delete_code", { code_id: 1, delete_segments: true })).toMatchObject({
    preview: true,
    segments_count: 1,
  });
  expect(await call("get_code", { code_id: 1 })).toMatchObject({ name: "Hope" });
  expect(
    await call("delete_code", { code_id: 1, delete_segments: true, confirm: true }),
  ).toMatchObject({ deleted: true, segments_removed: 1 });
  expect(await call("list_segments_for_source", { source_id: 1 })).toEqual({ segments: [] });
});

test("[qualitative.codes.merge] merging keeps codings and memos, without duplicates", async () => {
  const { call, refusal } = await interviewLibrary();
  const at = (code_id: number, start_position: number, end_position: number) => ({
    code_id,
    source_id: 1,
    start_position,
    end_position,
  });
  await call("batch_apply_codes", { operations: [at(2, 2, 7), at(2, 0, 1)] });
  await call("update_code", { code_id: 2, memo: "Time passes" });

  expect(await call("merge_codes", { source_code_id: 2, target_code_id: 1 })).toMatchObject({
    preview: true,
    segments_count: 2,
    segments_moved: 1,
    duplicates_dropped: 1,
    message:
      "This will move 1 coded segment(s) of 'Waiting' to 'Hope', drop 1 that 'Hope' already has, and delete 'Waiting'",
  });
  expect(
    await call("merge_codes", { source_code_id: 2, target_code_id: 1, confirm: true }),
  ).toMatchObject({
    source_code_name: "Waiting",
    target_code_name: "Hope",
    segments_moved: 1,
    duplicates_dropped: 1,
  });
  expect(await call("list_codes")).toMatchObject({
    codes: [{ id: 1, segment_count: 2, memo: "Whatever holds up\nTime passes" }],
  });
  for (const [source_code_id, target_code_id, reason] of [
    [1, 1, "SAME_CODE"],
    [2, 1, "SOURCE_NOT_FOUND"],
    [1, 2, "TARGET_NOT_FOUND"],
  ]) {
    expect(await refusal("merge_codes", { source_code_id, target_code_id })).toMatchObject({
      code: `CODES_NOT_MERGED/${reason}`,
    });
  }
});

test("[qualitative.codes.categories] categories form a tree and count their codes", async () => {
  const { call, refusal } = await interviewLibrary();
  await call("create_category", { name: "Feelings" });
  await call("create_category", { name: "Bright", parent_id: 1, memo: "Good ones" });
  await call("update_code", { code_id: 1, category_id: 2 });

  expect(await call("list_categories")).toMatchObject({
    categories: [
      { id: 2, name: "Bright", parent_id: 1, memo: "Good ones", code_count: 1 },
      { id: 1, name: "Feelings", parent_id: null, code_count: 0 },
    ],
  });
  for (const [input, reason] of [
    [{ name: "bright" }, "DUPLICATE_NAME"],
    [{ name: "" }, "EMPTY_NAME"],
    [{ name: "x", parent_id: 9 }, "PARENT_NOT_FOUND"],
  ] as const) {
    expect(await refusal("create_category", input)).toMatchObject({
      code: `CATEGORY_NOT_CREATED/${reason}`,
    });
  }
});
