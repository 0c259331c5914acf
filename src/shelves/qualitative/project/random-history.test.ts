import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { walkThroughHistory } from "../../../../tests/fixtures/qualitative/project-commands.ts";
import { interviewLibrary } from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "cli" };

test("[qualitative.undo.random] undoing all random commands restores the start, redoing all the end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-history-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const walk = await walkThroughHistory(folder, { sequences: 40, seed: 1 });

  expect(walk.steps).toBeGreaterThan(100);
});

test("[qualitative.undo.steps] many steps are undone and redone together, also after a restart", async () => {
  const { call, beside } = await interviewLibrary();
  const names = async (from: typeof call) =>
    ((await from("list_codes")).codes as { name: string }[]).map(({ name }) => name);
  for (const name of ["A", "B", "C"]) await call("create_code", { name, color: "#123" });
  const other = beside();
  await other.call("open_project", { path: "interviews.qda" });

  expect(await other.call("undo_last", { steps: 2 }, person)).toMatchObject({ steps: 2 });
  expect(await names(call)).toEqual(["A", "Hope", "Waiting"]);
  expect(await call("redo_last", { steps: 9 }, person)).toMatchObject({ steps: 2 });
  expect(await names(other.call)).toEqual(["A", "B", "C", "Hope", "Waiting"]);

  await call("undo_last", {}, person);
  await call("create_code", { name: "D", color: "#123" });
  await expect(call("redo_last", {}, person)).rejects.toMatchObject({ code: "NOTHING_TO_REDO" });
  await call("undo_last", { steps: 100 }, person);
  expect(await names(call)).toEqual([]);
  await expect(call("undo_last", {}, person)).rejects.toMatchObject({ code: "NOTHING_TO_UNDO" });
});

test("[qualitative.project.backup] many undo steps on a closed project create one backup", async () => {
  const { call, beside, root } = await interviewLibrary();
  for (const name of ["A", "B", "C"]) await call("create_code", { name, color: "#123" });
  const other = beside();
  const project = join(root, "interviews.qda");
  const copies = () => readdirSync(root).filter((name) => name.includes("_BKUP_"));

  expect(await other.call("undo_last", { steps: 3, project }, person)).toMatchObject({ steps: 3 });
  expect(copies()).toHaveLength(1);
  const database = join(project, "data.qda");
  expect(await other.call("redo_last", { steps: 3, project: database }, person)).toMatchObject({
    steps: 3,
  });
  expect(copies()).toHaveLength(2);
});

test("[qualitative.undo.listed] changes undone by steps are also undone in the activity list", async () => {
  const { call } = await interviewLibrary();
  const { change_id } = await call("create_code", { name: "A", color: "#123" });
  await call("undo_last", {}, person);

  const { changes } = await call("activity");
  const entry = (changes as { id: number; can_undo: boolean }[]).find(({ id }) => id === change_id);
  expect(entry).toMatchObject({ can_undo: false, undone_by: expect.any(Number) });
});

test("[qualitative.undo.person] an agent cannot undo by steps", async () => {
  const { call } = await interviewLibrary();
  const undo = call("undo_last", {}, { surface: "mcp", client: "claude" });

  await expect(undo).rejects.toMatchObject({ code: "ONLY_A_PERSON" });
});
