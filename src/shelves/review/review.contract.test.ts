import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import {
  notesTables,
  openNotesRuntime,
  writeNote,
} from "../../../tests/fixtures/library/notes-shelf.ts";
import { describeEveryStore } from "../../../tests/fixtures/stores/every-store.ts";
import { createCall } from "../../kernel/call.ts";
import { perform } from "../../kernel/calls/perform.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { createCatalogue } from "../../kernel/operations/catalogue.ts";
import type { OutputBlock } from "../../kernel/operations/output-block.ts";
import { createBoundary } from "../../kernel/paths/boundary.ts";
import { listActivity, undoRecordedChange } from "./operations/activity.ts";
import { acceptProposal, listProposals, rejectProposal } from "./operations/proposals.ts";
import { review } from "./shelf.ts";
import { openReview } from "./state.ts";

const agent = { surface: "mcp", client: "agent" };

/** The text shown to a person. */
async function read(
  run: (operation: AnyOperation, input: unknown) => ReturnType<typeof perform>,
  operation: AnyOperation,
  given: unknown,
) {
  const outcome = await run(operation, given);
  if (!outcome.ok) throw new Error("It failed.", { cause: outcome });
  const blocks: OutputBlock[] = operation.present?.(outcome.value, outcome.input, "person") ?? [];
  return blocks.map((block) => ("text" in block ? block.text : "")).join("\n");
}

test("[core.review.people-only] the review shelf has no tools, and its deciding operations are declared as such", () => {
  for (const { name, expose, effect } of review.operations) {
    expect([name, expose.mcp]).toEqual([name, undefined]);
    expect([name, effect]).toEqual([
      name,
      /accept|reject|undo/.test(name) ? "decides" : /reopen/.test(name) ? "writes" : "reads",
    ]);
  }
  expect(createCatalogue([review], { readOnly: true }).entries).toHaveLength(2);
});

describeEveryStore(notesTables, (openStore) => {
  const open = async () => openNotesRuntime(await openStore());

  async function reviewWith(count: number) {
    const runtime = await open();
    for (let index = 1; index <= count; index++) {
      await runtime.run(
        runtime.proposals.propose(
          {
            shelf: "notes",
            operation: "write_note",
            input: { text: `note ${index}` },
            summary: `Write note ${index}`,
            preview: `+ note ${index}\n+ and more`,
            rationale: "It was asked for.",
          },
          createCall({ actor: agent }),
        ),
      );
    }
    const boundary = createBoundary({ base: tmpdir() });
    const state = openReview({ ...runtime, boundary, settings: { forceRoot: undefined } });
    const run = (operation: AnyOperation, input: unknown) =>
      perform(operation, input, state, createCall({ actor: { surface: "web" } }));
    return { runtime, run };
  }

  test("[core.review.proposals] pending proposals are listed, and decided ones on request", async () => {
    const { run } = await reviewWith(3);
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

  test("[core.review.decide] a proposal number is accepted as a path segment and as a shell argument", async () => {
    const { runtime, run } = await reviewWith(1);
    const outcome = await run(acceptProposal, { id: "1" });

    expect(outcome).toMatchObject({
      ok: true,
      value: { id: 1, status: "accepted", result: { id: 1, text: "note 1" } },
    });
    expect(await runtime.notes()).toEqual(["1 note 1"]);
    for (const id of ["x", "0", "-1", "1.5", 0, 1.5, true, "", null]) {
      expect(await run(acceptProposal, { id })).toMatchObject({
        failure: { kind: "invalid", message: expect.stringContaining("'id'") },
      });
    }
  });

  test("a failed operation is reported as its own failure, and the proposal stays", async () => {
    const { run } = await reviewWith(1);
    expect(await run(acceptProposal, { id: 1, input: { words: "x" } })).toMatchObject({
      failure: { kind: "invalid", message: expect.stringContaining("'words'") },
    });
    expect(await run(listProposals, {})).toMatchObject({ value: { total: 1 } });
  });

  test("[core.review.activity] activity lists what was done, and undo reverts and restores it", async () => {
    const { runtime, run } = await reviewWith(0);
    await perform(writeNote, { text: "Hello" }, runtime, createCall({ actor: agent }));

    expect(await run(undoRecordedChange, { id: "1" })).toMatchObject({
      value: { undone: { id: 1, undone_by: 2, can_undo: false }, by: { id: 2, can_undo: true } },
    });
    expect(await runtime.notes()).toEqual([]);
    expect(await run(undoRecordedChange, { id: 2 })).toMatchObject({ value: { by: { id: 3 } } });
    expect(await runtime.notes()).toEqual(["1 Hello"]);
    expect(await run(undoRecordedChange, { id: 1 })).toMatchObject({
      failure: { kind: "conflict" },
    });

    expect(await run(listActivity, {})).toMatchObject({
      value: {
        total: 3,
        changes: [{ id: 3 }, { id: 2, undone_by: 3 }, { id: 1, actor: agent, undone_by: 2 }],
      },
    });
  });

  test("[core.review.proposals] a client's name stays on its line, whatever it contains", async () => {
    const { runtime, run } = await reviewWith(0);
    const client = `x\n   accepted${"y".repeat(5_000)}`;
    await perform(
      writeNote,
      { text: "Hello" },
      runtime,
      createCall({ actor: { surface: "mcp", client } }),
    );
    const received = await read(run, listActivity, {});
    expect(received).not.toContain("\n");
    expect(received.length).toBeLessThan(400);
  });

  test("the text output has one line per item", async () => {
    const { runtime, run } = await reviewWith(2);
    expect(await read(run, listActivity, {})).toBe("There are no changes yet.");
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
    expect(await read(run, listProposals, {})).toBe("No proposals are waiting.");
    expect((await read(run, listActivity, {})).replace(/\S+Z/g, "…").split("\n")).toEqual([
      "2  …  Rejected proposal 2: Write note 2 (web)",
      "1  …  Wrote note 1 (web, proposal 1 approved on the page)",
    ]);
    expect(await read(run, undoRecordedChange, { id: 1 })).toContain("Undone: Wrote note 1");
    expect(await runtime.notes()).toEqual([]);
  });
});
