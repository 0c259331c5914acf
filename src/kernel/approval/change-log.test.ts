import { expect, test } from "vitest";
import { openNotesRuntime, writeNote } from "../../../tests/fixtures/library/notes-shelf.ts";
import { type CallOptions, createCall } from "../call.ts";
import { perform } from "../calls/perform.ts";
import { checksummedRowTables } from "../integrity/checksummed-rows.ts";
import type { Notice } from "../notices/notices.ts";
import { openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { openChangeLog } from "./change-log.ts";
import { changeLogTables } from "./change-tables.ts";

const aCall = (more: Partial<CallOptions> = {}) =>
  createCall({ actor: { surface: "test" }, ...more });

test("[core.changes.record] a change records who did what, in which call and when", async () => {
  const runtime = openNotesRuntime();
  const announced: Notice[] = [];
  const call = aCall({
    actor: { surface: "mcp", client: "agent" },
    onNotice: (notice) => announced.push(notice),
  });
  await perform(writeNote, { text: "Hello" }, runtime, call);

  const change = runtime.changes.find(1);

  expect(change).toEqual({
    id: 1,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    actor: { surface: "mcp", client: "agent" },
    call: call.id,
    operation: "write_note",
    summary: "Wrote note 1",
    undo: { operation: "remove_note", input: { id: 1 } },
  });
  expect(announced.map(({ topic }) => topic)).toEqual(["activity.changed", "agent.acted"]);
});

test("a change that is rolled back leaves no entry", async () => {
  const runtime = openNotesRuntime();
  const outcome = await perform(writeNote, { text: "fails late" }, runtime, aCall());

  expect(outcome).toMatchObject({ ok: false, failure: { code: "late" } });
  expect(runtime.changes.list().items).toEqual([]);
  expect(runtime.notes()).toEqual([]);
});

test("[core.changes.undo] an undo reverts a change, and can itself be undone", async () => {
  const { changes, performByName, notes, ...runtime } = openNotesRuntime();
  await perform(writeNote, { text: "Hello" }, { changes, ...runtime }, aCall());

  const undo = await changes.undo(1, aCall(), performByName);
  expect(notes()).toEqual([]);
  expect(undo).toMatchObject({ id: 2, operation: "remove_note" });
  expect(changes.find(1)?.undoneBy).toBe(2);

  const redo = await changes.undo(2, aCall(), performByName);
  expect(notes()).toEqual(["1 Hello"]);
  expect(redo).toMatchObject({ id: 3, operation: "write_note" });

  await changes.undo(3, aCall(), performByName);
  expect(notes()).toEqual([]);
});

test("[core.changes.undo-twice] a change cannot be undone twice, neither sequentially nor concurrently", async () => {
  const { changes, performByName, notes, ...runtime } = openNotesRuntime();
  for (const text of ["one", "two"])
    await perform(writeNote, { text }, { changes, ...runtime }, aCall());

  await changes.undo(1, aCall(), performByName);
  await expect(changes.undo(1, aCall(), performByName)).rejects.toMatchObject({
    kind: "conflict",
    code: "already-undone",
    hints: ["Undo change 3 to restore it."],
  });

  const both = [changes.undo(2, aCall(), performByName), changes.undo(2, aCall(), performByName)];
  const ended = await Promise.allSettled(both);
  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(changes.list().total).toBe(4);
  expect(notes()).toEqual([]);
});

test("an inverse that loses a race is rolled back completely", async () => {
  const { changes, performByName, notes, ...runtime } = openNotesRuntime();
  await perform(writeNote, { text: "kept" }, { changes, ...runtime }, aCall());

  const slow = changes.undo(1, aCall(), async (name, input, call) => {
    // Between the check and the undo, another process undoes the change.
    const other = changes.record({ call: aCall(), operation: "other", summary: "Another way" });
    changes.markUndone(1, other.id);
    return performByName(name, input, call);
  });

  await expect(slow).rejects.toMatchObject({ code: "already-undone" });
  expect(notes()).toEqual(["1 kept"]);
});

test("a change is found by its inverse, the newest of several", () => {
  const { changes } = openNotesRuntime();
  const undo = { operation: "whisper_note", input: { text: "back" } };
  for (const summary of ["First", "Second"]) {
    changes.record({ call: aCall(), operation: "forget_note", summary, undo });
  }

  expect(changes.findUndoneBy(undo)).toMatchObject({ id: 2, summary: "Second" });
  expect(changes.findUndoneBy({ ...undo, input: { text: "other" } })).toBeUndefined();
});

test("a change that is missing or has no inverse cannot be undone", async () => {
  const { changes, performByName } = openNotesRuntime();
  changes.record({ call: aCall(), operation: "burn_note", summary: "Burned it" });

  await expect(changes.undo(1, aCall(), performByName)).rejects.toMatchObject({
    kind: "conflict",
    code: "not-undoable",
  });
  await expect(changes.undo(9, aCall(), performByName)).rejects.toMatchObject({
    kind: "not-found",
    message: "Change not found: 9",
  });
});

test("if the inverse fails, the change stays and the reason is reported", async () => {
  const { changes, performByName, db, ...runtime } = openNotesRuntime();
  await perform(writeNote, { text: "Hello" }, { changes, db, ...runtime }, aCall());
  db.run("DELETE FROM notes");

  await expect(changes.undo(1, aCall(), performByName)).rejects.toMatchObject({
    kind: "not-found",
    message: "Note not found: 1",
  });
  expect(changes.find(1)?.undoneBy).toBeUndefined();
  expect(changes.list().total).toBe(1);
});

test("if the inverse writes no log entry, the undo records it", async () => {
  const { changes, performByName, notes } = openNotesRuntime();
  changes.record({
    call: aCall(),
    operation: "forget_note",
    summary: "Forgot a note",
    undo: { operation: "whisper_note", input: { text: "back" } },
  });

  const by = await changes.undo(1, aCall(), performByName);

  expect(notes()).toEqual(["1 back"]);
  expect(by).toMatchObject({ id: 2, summary: "Undid: Forgot a note" });
  expect(changes.find(1)?.undoneBy).toBe(2);
});

test("an inverse that asks a question is a conflict", async () => {
  const { changes, performByName } = openNotesRuntime();
  changes.record({
    call: aCall(),
    operation: "x",
    summary: "X",
    undo: { operation: "asking_note", input: {} },
  });
  await expect(changes.undo(1, aCall(), performByName)).rejects.toMatchObject({ code: "asks" });
});

test("the list is newest first, and its pages neither repeat nor skip", () => {
  const { changes } = openNotesRuntime();
  const write = (summary: string) => changes.record({ call: aCall(), operation: "x", summary });
  for (let index = 1; index <= 5; index++) write(`change ${index}`);

  const first = changes.list({ limit: 2 });
  write("change 6");
  const second = changes.list({ limit: 2, cursor: first.next_cursor });
  const third = changes.list({ limit: 2, cursor: second.next_cursor });

  const summaries = [first, second, third].map(({ items }) => items.map(({ summary }) => summary));
  expect(summaries).toEqual([["change 5", "change 4"], ["change 3", "change 2"], ["change 1"]]);
  expect(first).toMatchObject({ total: 5, truncated: true, remaining: 3 });
  expect(third).toMatchObject({ total: 6, truncated: false });
  expect(() => changes.list({ cursor: "nonsense" })).toThrow(/'cursor'/);
});

test("another file has its own log under a prefix", () => {
  const db = openDatabase(":memory:");
  migrate(db, [
    { owner: "changes", tables: changeLogTables() },
    { owner: "seals", tables: checksummedRowTables },
    { owner: "project", tables: changeLogTables("lectern_") },
  ]);
  openChangeLog(db, "lectern_").record({ call: aCall(), operation: "x", summary: "Coded" });

  expect(openChangeLog(db, "lectern_").list().total).toBe(1);
  expect(openChangeLog(db).list().total).toBe(0);
});
