import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  type ProjectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { qualitative } from "../shelf.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** The example project with data for each deletion. */
async function fullProject(): Promise<ProjectLibrary> {
  const opened = await interviewLibrary();
  await opened.call("save_case", { name: "Kim", link: [{ source_id: 1 }], attributes: { age: 3 } });
  await opened.call("save_category", { name: "Feelings" });
  await opened.call("update_code", { code_id: 1, category_id: 1 });
  await opened.call("save_journal", { name: "Week 1", entry: "We met." });
  const coding = { code_id: 2, source_id: 2, quote: "waited" };
  await opened.call("batch_apply_codes", { operations: [coding] });
  await opened.call("edit_source_text", { source_id: 2, content: "Nothing of it is left." });
  return opened;
}

/** The call of each deletion, and a change to the data it would delete. */
const deletions: Record<string, { input: object; change: [string, object] }> = {
  remove_source: {
    input: { source_id: 1 },
    change: [
      "edit_source_text",
      { source_id: 1, edits: [{ start_pos: 0, end_pos: 1, text: "We" }] },
    ],
  },
  delete_code: {
    input: { code_id: 1, delete_segments: true },
    change: ["update_code", { code_id: 1, memo: "Another" }],
  },
  merge_codes: {
    input: { source_code_id: 1, target_code_id: 2 },
    change: ["update_code", { code_id: 1, memo: "Another" }],
  },
  remove_coding: {
    input: { segment_id: 1 },
    change: [
      "edit_source_text",
      { source_id: 1, edits: [{ start_pos: 0, end_pos: 1, text: "We" }] },
    ],
  },
  delete_folder: {
    input: { folder_id: 2 },
    change: ["rename_folder", { folder_id: 2, new_name: "Other" }],
  },
  delete_case: {
    input: { name: "Kim" },
    change: ["save_case", { name: "Kim", attributes: { age: 4 } }],
  },
  delete_category: {
    input: { name: "Feelings" },
    change: ["save_category", { name: "Feelings", memo: "Whatever is felt" }],
  },
  delete_journal: {
    input: { name: "Week 1" },
    change: ["save_journal", { name: "Week 1", entry: "We parted." }],
  },
  settle_inbox: {
    input: { item_id: 1, dismiss: true },
    change: ["merge_codes", { source_code_id: 2, target_code_id: 1, confirm: true }],
  },
};

const deleting = qualitative.operations.filter(({ effect }) => effect === "deletes");

const isConfirmed = (name: string): boolean =>
  deleting.some((one) => one.name === name && "confirm" in one.input.shape);

const previewOf = (opened: ProjectLibrary, name: string, input: object) =>
  opened.call(name, isConfirmed(name) ? input : { ...input, dry_run: true }, agent);

const doneBy = (opened: ProjectLibrary, name: string, input: object, token?: unknown) =>
  opened.call(
    name,
    {
      ...input,
      ...(isConfirmed(name) && { confirm: true }),
      ...(token !== undefined && { preview_token: token }),
    },
    agent,
  );

/** Every row of the project that is not about the changes themselves. */
function rowsOf(root: string, project = "interviews.qda"): unknown {
  const db = databaseOf(join(root, project, "data.qda"));
  return db
    .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .filter(({ name }) => !/^(sqlite_|lectern_(changes|schema|agent)|coder_names)/.test(name))
    .map(({ name }) => [name, db.all(`SELECT * FROM ${name}`)]);
}

test("[qualitative.trust.token] every deleting operation is covered here", () => {
  expect(Object.keys(deletions).sort()).toEqual(deleting.map(({ name }) => name).sort());
});

test.each(Object.entries(deletions))(
  "[qualitative.trust.token] %s shows a preview first, and its token does exactly that once",
  async (name, { input }) => {
    const opened = await fullProject();
    const before = rowsOf(opened.root);
    const { preview_token: token, ...shown } = await previewOf(opened, name, input);
    expect(shown).toMatchObject({
      preview: true,
      requires_approval: true,
      message: expect.stringMatching(/^This will /),
    });
    expect(rowsOf(opened.root)).toEqual(before);
    expect((await previewOf(opened, name, input)).preview_token).toBe(token);

    const { change_id } = await doneBy(opened, name, input, token);
    expect(rowsOf(opened.root)).not.toEqual(before);
    const again = await doneBy(opened, name, input, token).catch((failure: unknown) => failure);
    expect(again).not.toHaveProperty("change_id");

    await opened.call("undo_change", { id: change_id }, person);
    expect(rowsOf(opened.root)).toEqual(before);
  },
);

test.each(Object.entries(deletions))(
  "[qualitative.trust.token] a token of %s is refused if what it showed has changed",
  async (name, { input, change }) => {
    const opened = await fullProject();
    const { preview_token: token } = await previewOf(opened, name, input);
    await opened.call(...change, person);
    const before = rowsOf(opened.root);
    await expect(doneBy(opened, name, input, token)).rejects.toMatchObject({
      kind: "conflict",
      code: "PREVIEW_STALE",
    });
    expect(rowsOf(opened.root)).toEqual(before);
  },
);

test("[qualitative.trust.token] a token is valid only in its project, and not in a copy of it", async () => {
  const opened = await fullProject();
  const { preview_token: token } = await previewOf(opened, "remove_coding", { segment_id: 1 });
  await opened.call("close_project");
  cpSync(join(opened.root, "interviews.qda"), join(opened.root, "copy.qda"), { recursive: true });
  await opened.call("open_project", { path: "copy.qda" });
  const before = rowsOf(opened.root, "copy.qda");

  const stale = doneBy(opened, "remove_coding", { segment_id: 1 }, token);
  await expect(stale).rejects.toMatchObject({ code: "PREVIEW_STALE" });
  expect(rowsOf(opened.root, "copy.qda")).toEqual(before);
});

test.each(Object.entries(deletions))(
  "[qualitative.trust.token-undo] %s without a token is undone like one with a token, if nothing changed since",
  async (name, { input }) => {
    const opened = await fullProject();
    const before = rowsOf(opened.root);
    const { change_id } = await doneBy(opened, name, input);
    const { by } = await opened.call("undo_change", { id: change_id }, person);
    expect(rowsOf(opened.root)).toEqual(before);

    const redone = (by as { id: number }).id;
    await opened.call("undo_change", { id: redone }, person);
    expect(rowsOf(opened.root)).not.toEqual(before);
  },
);

test("[qualitative.trust.token-undo] an undo overwrites nothing that replaced the deleted items", async () => {
  const opened = await fullProject();
  const { change_id } = await doneBy(opened, "delete_journal", { name: "Week 1" });
  await opened.call("save_journal", { name: "Week 1", entry: "Another." });
  const undo = opened.call("undo_change", { id: change_id }, person);

  await expect(undo).rejects.toMatchObject({ kind: "conflict", code: "CHANGED_SINCE" });
  expect(await opened.call("list_journals")).toMatchObject({ journals: [{ entry: "Another." }] });
});
