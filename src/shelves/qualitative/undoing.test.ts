import { expect, test } from "vitest";
import { databaseOf, interviewLibrary } from "../../../tests/fixtures/project-library.ts";

/** Every row of the project that is not about the changes themselves. */
function contentsOf(root: string): unknown {
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  const tables = ["source", "code_name", "code_cat", "code_text", "lectern_folders"];
  return [...tables, "lectern_sources"].map((table) => db.all(`SELECT * FROM ${table}`));
}

test("[qualitative.undo.everything] every kind of change is taken back row by row, and brought back", async () => {
  const { call, root } = await interviewLibrary();
  for (const [name, input] of [
    ["add_text_source", { name: "Eva", content: "x", origin: "y" }],
    ["remove_source", { source_id: 1, confirm: true }],
    ["create_folder", { name: "Third" }],
    ["rename_folder", { folder_id: 1, new_name: "Other" }],
    ["delete_folder", { folder_id: 2 }],
    ["move_source_to_folder", { source_id: 2, folder_id: 1 }],
    ["create_code", { name: "Doubt", color: "#123456" }],
    ["update_code", { code_id: 1, name: "Faith" }],
    ["delete_code", { code_id: 1, delete_segments: true, confirm: true }],
    ["merge_codes", { source_code_id: 1, target_code_id: 2, confirm: true }],
    ["create_category", { name: "Feelings" }],
    ["batch_apply_codes", { operations: [{ code_id: 2, source_id: 1, quote: "doubted" }] }],
    ["remove_coding", { segment_id: 1 }],
  ] as const) {
    const before = contentsOf(root);
    const { change_id } = await call(name, input);
    const after = contentsOf(root);
    expect([name, after]).not.toEqual([name, before]);

    const { by } = await call("undo_change", { id: change_id });
    expect([name, contentsOf(root)]).toEqual([name, before]);
    const redone = await call("undo_change", { id: (by as { id: number }).id });
    expect([name, contentsOf(root)]).toEqual([name, after]);
    await call("undo_change", { id: (redone.by as { id: number }).id });
  }
});

test("[qualitative.undo.another-process] a person undoes in another process, where nothing is open", async () => {
  const { call, beside } = await interviewLibrary();
  const { change_id } = await call("create_code", { name: "Doubt", color: "#123456" });
  const other = beside();
  await other.call("undo_change", { id: change_id }, { surface: "cli" });

  expect((await call("list_codes")).codes).toHaveLength(2);
  expect(await other.call("get_project_context")).toEqual({ project_open: false });
  expect(await other.refusal("undo_change", { id: change_id })).toMatchObject({
    code: "already-undone",
  });
});

test("[qualitative.undo.changed-since] what was changed since is not overwritten by an undo", async () => {
  const { call, refusal } = await interviewLibrary();
  const { change_id } = await call("update_code", { code_id: 1, name: "Faith" });
  await call("update_code", { code_id: 1, name: "Trust" });

  expect(await refusal("undo_change", { id: change_id })).toMatchObject({
    kind: "conflict",
    code: "CHANGED_SINCE",
  });
  expect(await call("get_code", { code_id: 1 })).toMatchObject({ name: "Trust" });
});
