import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  interviewLibrary,
  type ProjectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "web" };
const passage = { code_id: 2, source_id: 1, start_position: 0, end_position: 6 };

/**
 * The state of both files if the process is killed after the activity list was
 * written and before the project's transaction was committed.
 */
async function cutOff(opened: ProjectLibrary, work: () => Promise<unknown>): Promise<void> {
  const database = join(opened.root, "interviews.qda", "data.qda");
  copyFileSync(database, `${database}.before`);
  await work();
  await opened.call("close_project");
  copyFileSync(`${database}.before`, database);
}

async function activityOf({ call }: ProjectLibrary): Promise<{ id: number; summary: string }[]> {
  const { changes } = await call("activity");
  return changes as { id: number; summary: string }[];
}

test("[qualitative.undo.cut-off] an interrupted change is not listed", async () => {
  const opened = await interviewLibrary();
  const before = await activityOf(opened);
  await cutOff(opened, () => opened.call("batch_apply_codes", { operations: [passage] }));

  const next = opened.beside();
  expect(await activityOf(next)).toHaveLength(before.length + 1);
  await next.call("open_project", { path: "interviews.qda" });
  expect(await activityOf(next)).toEqual(before);

  await next.call("batch_apply_codes", { operations: [passage] });
  const { segments } = await next.call("list_segments_for_source", { source_id: 1 });
  expect(segments).toHaveLength(2);
  expect(await activityOf(next)).toHaveLength(before.length + 1);
});

test("[qualitative.undo.cut-off] a proposal whose acceptance was interrupted is pending again", async () => {
  const opened = await interviewLibrary();
  await opened.call(
    "set_policy",
    { operation: "batch_apply_codes", agent: "*", tier: "suggest" },
    person,
  );
  const agent = { surface: "http", client: "agent" };
  await opened.call("batch_apply_codes", { operations: [passage] }, agent);
  await cutOff(opened, () => opened.call("accept_proposal", { id: 1 }, person));

  const next = opened.beside();
  await next.call("open_project", { path: "interviews.qda" });
  expect(await next.call("proposals", { status: "pending" })).toMatchObject({ total: 1 });
  expect(await next.call("accept_proposal", { id: 1 }, person)).toMatchObject({
    status: "accepted",
  });
  const { segments } = await next.call("list_segments_for_source", { source_id: 1 });
  expect(segments).toHaveLength(2);
});

test("[qualitative.undo.cut-off] an interrupted undo can be repeated", async () => {
  const opened = await interviewLibrary();
  const { change_id } = await opened.call("batch_apply_codes", { operations: [passage] });
  await cutOff(opened, () => opened.call("undo_change", { id: change_id }, person));

  const next = opened.beside();
  await next.call("open_project", { path: "interviews.qda" });
  await next.call("undo_change", { id: change_id }, person);
  const { segments } = await next.call("list_segments_for_source", { source_id: 1 });
  expect(segments).toHaveLength(1);
});

test("[qualitative.undo.cut-off] changes in a project stay listed if an older copy replaces it", async () => {
  const opened = await interviewLibrary();
  await cutOff(opened, async () => {
    for (const name of ["One", "Two"]) await opened.call("create_code", { name, color: "#123456" });
  });
  const reported = await activityOf(opened);

  const next = opened.beside();
  await next.call("open_project", { path: "interviews.qda" });
  await next.call("create_code", { name: "Three", color: "#123456" });
  expect((await activityOf(next)).slice(1)).toEqual(reported);
});
