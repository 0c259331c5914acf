import { expect, test } from "vitest";
import {
  notesTables,
  openNotesRuntime,
  writeNote,
} from "../../../tests/fixtures/library/notes-shelf.ts";
import { describeEveryStore } from "../../../tests/fixtures/stores/every-store.ts";
import { type CallOptions, createCall } from "../call.ts";
import { perform } from "../calls/perform.ts";
import { checksummedRowTables } from "../integrity/checksummed-rows.ts";
import type { Notice } from "../notices/notices.ts";
import { openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { run as statement, transaction } from "../storage/steps.ts";
import { openChangeLog } from "./change-log.ts";
import { changeLogTables } from "./change-tables.ts";

const aCall = (more: Partial<CallOptions> = {}) =>
  createCall({ actor: { surface: "test" }, ...more });

describeEveryStore(notesTables, (openStore) => {
  const open = async () => openNotesRuntime(await openStore());

  test("[core.changes.record] a change records who did what, in which call and when", async () => {
    const runtime = await open();
    const announced: Notice[] = [];
    const call = aCall({
      actor: { surface: "mcp", client: "agent" },
      onNotice: (notice) => announced.push(notice),
    });
    await perform(writeNote, { text: "Hello" }, runtime, call);

    const change = await runtime.run(runtime.changes.find(1));

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
    const runtime = await open();
    const outcome = await perform(writeNote, { text: "fails late" }, runtime, aCall());

    expect(outcome).toMatchObject({ ok: false, failure: { code: "late" } });
    expect((await runtime.run(runtime.changes.list())).items).toEqual([]);
    expect(await runtime.notes()).toEqual([]);
  });

  test("[core.changes.undo] an undo reverts a change, and can itself be undone", async () => {
    const runtime = await open();
    const { changes, notes, run } = runtime;
    await perform(writeNote, { text: "Hello" }, runtime, aCall());

    const undo = await changes.undo(1, aCall(), runtime);
    expect(await notes()).toEqual([]);
    expect(undo).toMatchObject({ id: 2, operation: "remove_note" });
    expect((await run(changes.find(1)))?.undoneBy).toBe(2);

    const redo = await changes.undo(2, aCall(), runtime);
    expect(await notes()).toEqual(["1 Hello"]);
    expect(redo).toMatchObject({ id: 3, operation: "write_note" });

    await changes.undo(3, aCall(), runtime);
    expect(await notes()).toEqual([]);
  });

  test("[core.changes.undo-twice] a change cannot be undone twice, neither sequentially nor concurrently", async () => {
    const runtime = await open();
    const { changes, notes, run } = runtime;
    for (const text of ["one", "two"]) await perform(writeNote, { text }, runtime, aCall());

    await changes.undo(1, aCall(), runtime);
    await expect(changes.undo(1, aCall(), runtime)).rejects.toMatchObject({
      kind: "conflict",
      code: "already-undone",
      hints: ["Undo change 3 to restore it."],
    });

    const both = [changes.undo(2, aCall(), runtime), changes.undo(2, aCall(), runtime)];
    const ended = await Promise.allSettled(both);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await run(changes.list())).total).toBe(4);
    expect(await notes()).toEqual([]);
  });

  test("an inverse that loses a race is rolled back completely", async () => {
    const runtime = await open();
    const { changes, notes, run } = runtime;
    await perform(writeNote, { text: "kept" }, runtime, aCall());

    const slow = changes.undo(1, aCall(), {
      store: runtime.store,
      async performByName(name, input, call) {
        // Between the check and the undo, another process undoes the change.
        const other = await run(
          changes.record({ call: aCall(), operation: "other", summary: "Another way" }),
        );
        await run(changes.markUndone(1, other.id));
        return runtime.performByName(name, input, call);
      },
    });

    await expect(slow).rejects.toMatchObject({ code: "already-undone" });
    expect(await notes()).toEqual(["1 kept"]);
  });

  test("a change is found by its inverse, the newest of several", async () => {
    const { changes, run } = await open();
    const undo = { operation: "whisper_note", input: { text: "back" } };
    for (const summary of ["First", "Second"]) {
      await run(changes.record({ call: aCall(), operation: "forget_note", summary, undo }));
    }

    expect(await run(changes.findUndoneBy(undo))).toMatchObject({ id: 2, summary: "Second" });
    expect(await run(changes.findUndoneBy({ ...undo, input: { text: "other" } }))).toBeUndefined();
  });

  test("a change that is missing or has no inverse cannot be undone", async () => {
    const runtime = await open();
    const { changes, run } = runtime;
    await run(changes.record({ call: aCall(), operation: "burn_note", summary: "Burned it" }));

    await expect(changes.undo(1, aCall(), runtime)).rejects.toMatchObject({
      kind: "conflict",
      code: "not-undoable",
    });
    await expect(changes.undo(9, aCall(), runtime)).rejects.toMatchObject({
      kind: "not-found",
      message: "Change not found: 9",
    });
  });

  test("if the inverse fails, the change stays and the reason is reported", async () => {
    const runtime = await open();
    const { changes, run } = runtime;
    await perform(writeNote, { text: "Hello" }, runtime, aCall());
    await run(transaction(() => statement("DELETE FROM notes")));

    await expect(changes.undo(1, aCall(), runtime)).rejects.toMatchObject({
      kind: "not-found",
      message: "Note not found: 1",
    });
    expect((await run(changes.find(1)))?.undoneBy).toBeUndefined();
    expect((await run(changes.list())).total).toBe(1);
  });

  test("if the inverse writes no log entry, the undo records it", async () => {
    const runtime = await open();
    const { changes, notes, run } = runtime;
    await run(
      changes.record({
        call: aCall(),
        operation: "forget_note",
        summary: "Forgot a note",
        undo: { operation: "whisper_note", input: { text: "back" } },
      }),
    );

    const by = await changes.undo(1, aCall(), runtime);

    expect(await notes()).toEqual(["1 back"]);
    expect(by).toMatchObject({ id: 2, summary: "Undid: Forgot a note" });
    expect((await run(changes.find(1)))?.undoneBy).toBe(2);
  });

  test("an inverse that asks a question is a conflict", async () => {
    const runtime = await open();
    const { changes, run } = runtime;
    await run(
      changes.record({
        call: aCall(),
        operation: "x",
        summary: "X",
        undo: { operation: "asking_note", input: {} },
      }),
    );
    await expect(changes.undo(1, aCall(), runtime)).rejects.toMatchObject({ code: "asks" });
  });

  test("the list is newest first, and its pages neither repeat nor skip", async () => {
    const { changes, run } = await open();
    const write = (summary: string) =>
      run(changes.record({ call: aCall(), operation: "x", summary }));
    for (let index = 1; index <= 5; index++) await write(`change ${index}`);

    const first = await run(changes.list({ limit: 2 }));
    await write("change 6");
    const second = await run(changes.list({ limit: 2, cursor: first.next_cursor }));
    const third = await run(changes.list({ limit: 2, cursor: second.next_cursor }));

    const summaries = [first, second, third].map(({ items }) =>
      items.map(({ summary }) => summary),
    );
    expect(summaries).toEqual([["change 5", "change 4"], ["change 3", "change 2"], ["change 1"]]);
    expect(first).toMatchObject({ total: 5, truncated: true, remaining: 3 });
    expect(third).toMatchObject({ total: 6, truncated: false });
    await expect(run(changes.list({ cursor: "nonsense" }))).rejects.toThrow(/'cursor'/);
  });
});

test("another file has its own log under a prefix", () => {
  const db = openDatabase(":memory:");
  migrate(db, [
    { owner: "changes", tables: changeLogTables() },
    { owner: "seals", tables: checksummedRowTables },
    { owner: "project", tables: changeLogTables("lectern_") },
  ]);
  const [log, projectLog] = [openChangeLog(), openChangeLog("lectern_")];
  runSteps(db, projectLog.record({ call: aCall(), operation: "x", summary: "Coded" }));

  expect(runSteps(db, projectLog.list()).total).toBe(1);
  expect(runSteps(db, log.list()).total).toBe(0);
});
