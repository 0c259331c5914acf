import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../../tests/fixtures/qualitative/project-library.ts";

test("[qualitative.folders.make] folders can be nested, with unique names among siblings", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await call("create_folder", { name: "Pilot", parent_id: "1" })).toMatchObject({
    folder_id: 3,
    name: "Pilot",
    parent_id: 1,
  });
  expect(await call("create_folder", { name: "Pilot" })).toMatchObject({ parent_id: null });
  const check = async (input: object, reason: string) =>
    expect(await refusal("create_folder", input)).toMatchObject({
      code: `FOLDER_NOT_CREATED/${reason}`,
    });
  await check({ name: "round 1" }, "DUPLICATE_NAME");
  await check({ name: "a/b" }, "INVALID_NAME");
  await check({ name: "" }, "INVALID_NAME");
  await check({ name: "a\uD800" }, "INVALID_NAME");
  await check({ name: "a", parent_id: 99 }, "PARENT_NOT_FOUND");
  expect(await call("list_folders")).toMatchObject({
    total_count: 4,
    folders: [{ name: "Pilot" }, { name: "Pilot" }, { name: "Round 1", source_count: 0 }, {}],
  });
});

test("[qualitative.folders.rename] a folder can be renamed, but not to a name in use", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await call("rename_folder", { folder_id: 1, new_name: "ROUND 1" })).toMatchObject({
    folder_id: 1,
    name: "ROUND 1",
  });
  expect(await refusal("rename_folder", { folder_id: 1, new_name: "round 2" })).toMatchObject({
    code: "FOLDER_NOT_RENAMED/DUPLICATE_NAME",
  });
  expect(await refusal("rename_folder", { folder_id: 9, new_name: "x" })).toMatchObject({
    code: "FOLDER_NOT_RENAMED/NOT_FOUND",
  });
});

test("[qualitative.folders.move] a source is moved into a folder and back to the top level", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await call("move_source_to_folder", { source_id: 1, folder_id: 2 })).toMatchObject({
    source_id: 1,
    old_folder_id: null,
    new_folder_id: 2,
  });
  for (const top of [0, "0", null]) {
    await call("move_source_to_folder", { source_id: 1, folder_id: 2 });
    expect(await call("move_source_to_folder", { source_id: 1, folder_id: top })).toMatchObject({
      old_folder_id: 2,
      new_folder_id: null,
    });
  }
  expect(await refusal("move_source_to_folder", { source_id: 1, folder_id: 9 })).toMatchObject({
    code: "SOURCE_NOT_MOVED/FOLDER_NOT_FOUND",
  });
});

test("[qualitative.folders.delete] only an empty folder can be deleted", async () => {
  const { call, refusal } = await interviewLibrary();
  await call("move_source_to_folder", { source_id: 1, folder_id: 1 });
  await call("create_folder", { name: "Inner", parent_id: 2 });
  const check = async (folder_id: number, reason: string) =>
    expect(await refusal("delete_folder", { folder_id })).toMatchObject({
      code: `FOLDER_NOT_DELETED/${reason}`,
    });

  await check(1, "HAS_SOURCES");
  await check(2, "NOT_EMPTY");
  await check(9, "NOT_FOUND");
  await call("move_source_to_folder", { source_id: 1 });
  expect(await call("delete_folder", { folder_id: 1 })).toMatchObject({ name: "Round 1" });
});

test("[qualitative.folders.other-source] a new source does not inherit the folder of a deleted source with the same number", async () => {
  const { call, root } = await interviewLibrary();
  await call("move_source_to_folder", { source_id: 2, folder_id: 1 });
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  db.run("DELETE FROM source WHERE id = 2");
  db.run("INSERT INTO source (id, name, fulltext, date) VALUES (2, 'Other', 'x', '2001-01-01')");

  expect(await call("list_folders")).toMatchObject({ folders: [{ source_count: 0 }, {}] });
  expect(await call("move_source_to_folder", { source_id: 2, folder_id: 2 })).toMatchObject({
    old_folder_id: null,
    new_folder_id: 2,
  });
});
