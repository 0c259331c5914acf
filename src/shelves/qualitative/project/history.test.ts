import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "cli" };

/** Every row of the project that is not about the changes themselves. */
function contentsOf(root: string): unknown {
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  const tables = ["source", "code_name", "code_cat", "code_text", "lectern_folders"];
  return [...tables, "lectern_sources"].map((table) => db.all(`SELECT * FROM ${table}`));
}

test("[qualitative.undo.everything] every kind of change is undone row by row, and redone", async () => {
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

test("[qualitative.undo.another-process] a person undoes in another process that has no project open", async () => {
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

test("[qualitative.undo.changed-since] an undo does not overwrite later changes", async () => {
  const { call, refusal } = await interviewLibrary();
  const { change_id } = await call("update_code", { code_id: 1, name: "Faith" });
  await call("update_code", { code_id: 1, name: "Trust" });

  expect(await refusal("undo_change", { id: change_id })).toMatchObject({
    kind: "conflict",
    code: "CHANGED_SINCE",
  });
  expect(await call("get_code", { code_id: 1 })).toMatchObject({ name: "Trust" });
});

/** Records of changes as another program could have written them into a project. */
const forgedRecords: Record<string, string> = {
  "another table": undoOf({ table: "sqlite_schema", id: 1, before: { sql: "x" }, after: null }),
  "SQL for a table": undoOf({
    table: "code_name, (SELECT 1 AS one)",
    id: 1,
    before: null,
    after: null,
  }),
  "a condition for a table": undoOf({
    table: "source WHERE 1 OR rowid",
    id: 1,
    before: null,
    after: null,
  }),
  "text for an id": undoOf({ table: "source", id: "1", before: null, after: null }),
  "an object for a value": undoOf({ table: "source", id: 9, before: { name: {} }, after: null }),
  "no row": undoOf(null),
  "no rows": JSON.stringify({ operation: "undo_project_change", input: {} }),
  "no input": '"x"',
  nothing: "null",
  "no JSON": "{",
};

function undoOf(row: object | null): string {
  return JSON.stringify({ operation: "undo_project_change", input: { rows: [row] } });
}

test("[qualitative.undo.forged] a record that Lectern would not write is not undone", async () => {
  const { call, root, beside } = await interviewLibrary();
  await call("create_code", { name: "Doubt", color: "#123456" });
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  const before = contentsOf(root);
  for (const [name, undo] of Object.entries(forgedRecords)) {
    db.run(
      `INSERT INTO lectern_changes (at, actor, call, operation, summary, undo)
        VALUES ('2026', '{"surface":"cli"}', 'c', 'create_code', 'Created a code', ?)`,
      undo,
    );
    const other = beside();
    await other.call("open_project", { path: "interviews.qda" });
    const failure = await other.call("undo_last", {}, person).catch((error: unknown) => error);
    expect([name, failure]).toEqual([
      name,
      expect.objectContaining({ kind: "conflict", code: "CHANGE_UNREADABLE" }),
    ]);
    expect([name, contentsOf(root)]).toEqual([name, before]);
  }
});

test("[qualitative.undo.forged] names of columns are not read as SQL", async () => {
  const { call, root } = await interviewLibrary();
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  db.exec(`ALTER TABLE code_name ADD COLUMN "memo = 'x' WHERE 1 --" TEXT`);
  const { change_id } = await call("update_code", { code_id: 1, name: "Faith" }, person);
  const before = contentsOf(root);
  const { by } = await call("undo_change", { id: change_id }, person);
  await call("undo_change", { id: (by as { id: number }).id }, person);

  expect(contentsOf(root)).toEqual(before);
});
