import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { notesHouse, writeNote } from "../../../tests/fixtures/notes-shelf.ts";
import type { Block } from "../../kernel/block.ts";
import { makeBoundary } from "../../kernel/boundary.ts";
import { makeCall } from "../../kernel/call.ts";
import { makeCatalogue } from "../../kernel/catalogue.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { perform } from "../../kernel/perform.ts";
import { listActivity, undoChange } from "./operations/activity.ts";
import { acceptProposal, listProposals, rejectProposal } from "./operations/proposals.ts";
import { desk } from "./shelf.ts";
import { openDesk } from "./state.ts";

const agent = { surface: "mcp", client: "agent" };

function deskWith(count: number) {
  const house = notesHouse();
  for (let index = 1; index <= count; index++) {
    house.proposals.propose(
      {
        shelf: "notes",
        operation: "write_note",
        input: { text: `note ${index}` },
        summary: `Write note ${index}`,
        preview: `+ note ${index}\n+ and more`,
        rationale: "It was asked for.",
      },
      makeCall({ actor: agent }),
    );
  }
  const boundary = makeBoundary({ base: tmpdir() });
  const state = openDesk({ ...house, boundary, settings: { forceRoot: undefined } });
  const run = (operation: AnyOperation, input: unknown) =>
    perform(operation, input, state, makeCall({ actor: { surface: "web" } }));
  return { house, run };
}

/** What a person reads. */
async function read(
  run: ReturnType<typeof deskWith>["run"],
  operation: AnyOperation,
  given: unknown,
) {
  const outcome = await run(operation, given);
  if (!outcome.ok) throw new Error("It failed.", { cause: outcome });
  const blocks: Block[] = operation.present?.(outcome.value, outcome.input, "person") ?? [];
  return blocks.map((block) => ("text" in block ? block.text : "")).join("\n");
}

test("[house.desk.people-only] nothing on the desk is a tool, and what decides says so", () => {
  for (const { name, expose, effect } of desk.operations) {
    expect([name, expose.mcp]).toEqual([name, undefined]);
    expect([name, effect]).toEqual([
      name,
      /accept|reject|undo/.test(name) ? "decides" : /reopen/.test(name) ? "writes" : "reads",
    ]);
  }
  expect(makeCatalogue([desk], { readOnly: true }).entries).toHaveLength(2);
});

test("[house.desk.proposals] what waits is listed, and what was decided is so by asking for it", async () => {
  const { run } = deskWith(3);
  await run(rejectProposal, { id: 2, reason: "No" });

  expect(await run(listProposals, {})).toMatchObject({
    ok: true,
    value: { total: 2, truncated: false, proposals: [{ id: 1 }, { id: 3, actor: agent }] },
  });
  expect(await run(listProposals, { status: "rejected" })).toMatchObject({
    value: { proposals: [{ id: 2, reason: "No", decided_by: { surface: "web" } }] },
  });
  expect(await run(listProposals, { status: "all", limit: 1 })).toMatchObject({
    value: { total: 3, truncated: true, remaining: 2, next_cursor: expect.any(String) },
  });
  expect(await run(listProposals, { status: "acepted" })).toMatchObject({
    failure: { kind: "invalid", message: expect.stringContaining("'status'") },
  });
});

test("[house.desk.decide] a number is taken as a path or a shell writes it", async () => {
  const { house, run } = deskWith(1);
  const outcome = await run(acceptProposal, { id: "1" });

  expect(outcome).toMatchObject({
    ok: true,
    value: { id: 1, status: "accepted", result: { id: 1, text: "note 1" } },
  });
  expect(house.notes()).toEqual(["1 note 1"]);
  for (const id of ["x", "0", "-1", "1.5", 0, 1.5, true, "", null]) {
    expect(await run(acceptProposal, { id })).toMatchObject({
      failure: { kind: "invalid", message: expect.stringContaining("'id'") },
    });
  }
});

test("deciding tells a failure of the operation as its own, and the proposal stays", async () => {
  const { run } = deskWith(1);
  expect(await run(acceptProposal, { id: 1, input: { words: "x" } })).toMatchObject({
    failure: { kind: "invalid", message: expect.stringContaining("'words'") },
  });
  expect(await run(listProposals, {})).toMatchObject({ value: { total: 1 } });
});

test("[house.desk.activity] activity tells what was done, and undo takes it back and forth", async () => {
  const { house, run } = deskWith(0);
  await perform(writeNote, { text: "Hello" }, house, makeCall({ actor: agent }));

  expect(await run(undoChange, { id: "1" })).toMatchObject({
    value: { undone: { id: 1, undone_by: 2, can_undo: false }, by: { id: 2, can_undo: true } },
  });
  expect(house.notes()).toEqual([]);
  expect(await run(undoChange, { id: 2 })).toMatchObject({ value: { by: { id: 3 } } });
  expect(house.notes()).toEqual(["1 Hello"]);
  expect(await run(undoChange, { id: 1 })).toMatchObject({ failure: { kind: "conflict" } });

  expect(await run(listActivity, {})).toMatchObject({
    value: {
      total: 3,
      changes: [{ id: 3 }, { id: 2, undone_by: 3 }, { id: 1, actor: agent, undone_by: 2 }],
    },
  });
});

test("[house.desk.proposals] a client's name stays in its line, however it calls itself", async () => {
  const { house, run } = deskWith(0);
  const client = `x\n   accepted${"y".repeat(5_000)}`;
  await perform(
    writeNote,
    { text: "Hello" },
    house,
    makeCall({ actor: { surface: "mcp", client } }),
  );
  const told = await read(run, listActivity, {});
  expect(told).not.toContain("\n");
  expect(told.length).toBeLessThan(400);
});

test("people read lists as lines", async () => {
  const { house, run } = deskWith(2);
  expect(await read(run, listActivity, {})).toBe("Nothing was changed yet.");
  expect(await read(run, listProposals, { status: "rejected" })).toBe("There are no proposals.");
  expect((await read(run, listProposals, { limit: 1 })).replace(/at \S+Z/, "at …")).toBe(
    [
      "1  Write note 1",
      "   pending, proposed by agent (mcp) at …",
      "   Why: It was asked for.",
      "   + note 1",
      "   + and more",
      "",
      "… and 1 more.",
    ].join("\n"),
  );
  await run(acceptProposal, { id: 1 });
  await run(rejectProposal, { id: 2 });
  expect(await read(run, listProposals, {})).toBe("Nothing waits for you.");
  expect((await read(run, listActivity, {})).replace(/\S+Z/g, "…").split("\n")).toEqual([
    "2  …  Rejected proposal 2: Write note 2 (web)",
    "1  …  Wrote note 1 (web, proposal 1 approved on the page)",
  ]);
  expect(await read(run, undoChange, { id: 1 })).toContain("Undone: Wrote note 1");
  expect(house.notes()).toEqual([]);
});
