import { expect, test } from "vitest";
import {
  type NotesRuntime,
  notesTables,
  openNotesRuntime,
} from "../../../tests/fixtures/library/notes-shelf.ts";
import { describeEveryStore } from "../../../tests/fixtures/stores/every-store.ts";
import { type CallOptions, createCall } from "../call.ts";
import { runChecksummed } from "../integrity/checksummed-rows.ts";
import type { Notice } from "../notices/notices.ts";
import type { ListPage } from "../operations/list-page.ts";
import type { Proposal, ProposalDraft } from "./proposal.ts";
import type { ProposalDecision } from "./proposals.ts";

const aCall = (more: Partial<CallOptions> = {}) =>
  createCall({ actor: { surface: "test" }, ...more });
const agent = { surface: "mcp", client: "agent" };
const person = { surface: "web" };

const draft: ProposalDraft = {
  shelf: "notes",
  operation: "write_note",
  input: { text: "Hello" },
  summary: "Write a note that says Hello",
  preview: "+ Hello",
  rationale: "It is friendly.",
};

const undo = async (runtime: NotesRuntime, id: number): Promise<string[]> => {
  const announced: Notice[] = [];
  const call = aCall({ actor: person, onNotice: (notice) => announced.push(notice) });
  await runtime.changes.undo(id, call, runtime);
  return announced.map(({ topic }) => topic);
};

const decide = (
  runtime: NotesRuntime,
  decision: Partial<ProposalDecision>,
  call = aCall({ actor: person }),
) => runtime.proposals.decide({ id: 1, decision: "accept", ...decision }, call, runtime);

describeEveryStore(notesTables, (openStore) => {
  const open = async () => openNotesRuntime(await openStore());

  async function proposed(more: Partial<ProposalDraft> = {}) {
    const runtime = await open();
    await runtime.run(runtime.proposals.propose({ ...draft, ...more }, aCall({ actor: agent })));
    return runtime;
  }

  test("[core.proposals.pending] an agent's proposal is stored as pending, and nothing is changed", async () => {
    const announced: Notice[] = [];
    const runtime = await open();
    const call = aCall({ actor: agent, onNotice: (notice) => announced.push(notice) });

    const proposal = await runtime.run(runtime.proposals.propose(draft, call));

    expect(proposal).toEqual({
      ...draft,
      id: 1,
      at: expect.stringMatching(/Z$/),
      actor: agent,
      call: call.id,
      status: "pending",
    });
    expect(await runtime.notes()).toEqual([]);
    expect(announced).toEqual([{ topic: "proposals.changed", about: "1" }]);
  });

  test("an identical pending proposal is found among any number of others", async () => {
    const runtime = await proposed();
    for (let count = 0; count < 250; count++) {
      await runtime.run(
        runtime.proposals.propose({ ...draft, input: { text: `Hello ${count}` } }, aCall()),
      );
    }
    const waitingFor = async (text: string) =>
      (await runtime.run(runtime.proposals.findPending("write_note", { text })))?.id;

    expect(await waitingFor("Hello")).toBe(1);
    expect(await waitingFor("Hello 249")).toBe(251);
    expect(await waitingFor("Hello 250")).toBeUndefined();
    expect(
      await runtime.run(runtime.proposals.findPending("remove_note", draft.input)),
    ).toBeUndefined();
    await decide(runtime, { decision: "reject" });
    expect(await waitingFor("Hello")).toBeUndefined();
  });

  test("[core.proposals.accept] accepting performs the operation and stores its result", async () => {
    const runtime = await proposed();
    const announced: Notice[] = [];
    const call = aCall({ actor: person, onNotice: (notice) => announced.push(notice) });

    const proposal = await decide(runtime, { reason: "Nice" }, call);

    expect(await runtime.notes()).toEqual(["1 Hello"]);
    expect(proposal).toMatchObject({
      status: "accepted",
      decidedBy: person,
      decidedAt: expect.stringMatching(/Z$/),
      reason: "Nice",
      result: { id: 1, text: "Hello" },
    });
    expect(proposal).not.toHaveProperty("edited");
    expect(announced.map(({ topic }) => topic)).toContain("proposals.changed");
    expect(await runtime.run(runtime.changes.find(1))).toMatchObject({
      call: call.id,
      actor: person,
    });
  });

  test("[core.proposals.edited] values that a person edits before accepting are logged as that person's", async () => {
    const runtime = await proposed();
    const proposal = await decide(runtime, { input: { text: "Good day" } });

    expect(await runtime.notes()).toEqual(["1 Good day"]);
    expect(proposal).toMatchObject({
      input: { text: "Hello" },
      edited: { text: "Good day" },
      change: 1,
    });
    expect(await runtime.run(runtime.changes.find(1))).toMatchObject({
      summary: "Wrote note 1, after a person edited proposal 1",
      actor: person,
    });
  });

  test("[core.proposals.edited] values sent back unchanged remain the agent's", async () => {
    const runtime = await proposed();
    expect(await decide(runtime, { input: { text: "Hello" } })).toMatchObject({ change: 1 });
    expect(await runtime.run(runtime.changes.find(1))).toMatchObject({ summary: "Wrote note 1" });
  });

  test.each([
    ["reject", "rejected"],
    ["withdraw", "withdrawn"],
  ] as const)("to %s does nothing but say so", async (decision, status) => {
    const runtime = await proposed();
    const proposal = await decide(runtime, { decision, reason: "No need" });

    expect(proposal).toMatchObject({ status, reason: "No need", decidedBy: person });
    expect(await runtime.notes()).toEqual([]);
  });

  test("[core.proposals.failure] if performing fails, the proposal stays pending and the reason is reported", async () => {
    for (const more of [
      { input: { text: "" } },
      { input: { text: "fails late" } },
      { operation: "remove_note", input: { id: 7 } },
      { operation: "no_such_operation" },
      { operation: "asking_note", input: {} },
    ]) {
      const runtime = await proposed(more);
      await expect(decide(runtime, {})).rejects.toMatchObject({ name: "Failure" });
      expect(await runtime.run(runtime.proposals.find(1))).toMatchObject({ status: "pending" });
      expect(await runtime.run(runtime.proposals.find(1))).not.toHaveProperty("decidedAt");
      expect(await runtime.notes()).toEqual([]);
      expect((await runtime.run(runtime.changes.list())).total).toBe(0);
      await expect(decide(runtime, { decision: "reject" })).resolves.toMatchObject({
        status: "rejected",
      });
    }
  });

  test("[core.proposals.twice] a proposal cannot be decided twice", async () => {
    for (const first of ["accept", "reject", "withdraw"] as const) {
      const runtime = await proposed();
      await decide(runtime, { decision: first });
      for (const second of ["accept", "reject", "withdraw"] as const) {
        await expect(decide(runtime, { decision: second })).rejects.toMatchObject({
          kind: "conflict",
          code: "already-decided",
        });
      }
      expect(await runtime.notes()).toHaveLength(first === "accept" ? 1 : 0);
    }
  });

  test.each(["write_note", "whisper_note"])(
    "two who accept %s at once get it done once",
    async (operation) => {
      const runtime = await proposed({ operation });
      const ended = await Promise.allSettled([decide(runtime, {}), decide(runtime, {})]);

      expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await runtime.notes()).toHaveLength(1);
    },
  );

  test("[core.proposals.atomic] if another process decided the proposal meanwhile, the operation is rolled back", async () => {
    const runtime = await proposed();
    const performByName: typeof runtime.performByName = async (name, input, call) => {
      await runtime.run(runChecksummed("proposals", "UPDATE proposals SET status = 'rejected'"));
      return runtime.performByName(name, input, call);
    };
    const accepting = runtime.proposals.decide({ id: 1, decision: "accept" }, aCall(), {
      ...runtime,
      performByName,
    });

    await expect(accepting).rejects.toMatchObject({ code: "already-decided" });
    expect(await runtime.notes()).toEqual([]);
    expect((await runtime.run(runtime.changes.list())).total).toBe(0);
  });

  test("[core.proposals.undone] accepted proposals are pending again once their change is undone, also in bulk", async () => {
    const runtime = await open();
    for (let count = 1; count <= 16; count++) {
      await runtime.run(
        runtime.proposals.propose({ ...draft, input: { text: `Note ${count}` } }, aCall()),
      );
      await decide(runtime, { id: count, input: { text: `Edited ${count}` } });
    }
    for (let id = 16; id >= 1; id--) expect(await undo(runtime, id)).toContain("proposals.changed");

    expect(await runtime.notes()).toEqual([]);
    const { items, total } = await runtime.run(runtime.proposals.list({ status: "pending" }));
    expect(total).toBe(16);
    expect(items[0]).toMatchObject({ id: 1, input: { text: "Note 1" } });
    for (const gone of ["edited", "result", "change", "decidedBy", "decidedAt"]) {
      expect(items[0]).not.toHaveProperty(gone);
    }
    expect(await decide(runtime, { id: 1 })).toMatchObject({ status: "accepted" });
  });

  test("[core.proposals.undone] a proposal is accepted again when the undo is undone, unless it was decided since", async () => {
    const runtime = await proposed();
    await decide(runtime, {});
    await undo(runtime, 1);
    await undo(runtime, 2);
    expect(await runtime.notes()).toEqual(["1 Hello"]);
    expect(await runtime.run(runtime.proposals.find(1))).toMatchObject({
      status: "accepted",
      change: 3,
    });

    await undo(runtime, 3);
    expect(await runtime.run(runtime.proposals.find(1))).toMatchObject({ status: "pending" });
    await decide(runtime, { decision: "reject" });
    await undo(runtime, 4);
    expect(await runtime.run(runtime.proposals.find(1))).toMatchObject({ status: "rejected" });
  });

  test("[core.proposals.rejection-undone] a rejection is logged, and undoing it makes the proposal pending again", async () => {
    const runtime = await proposed();
    expect(await decide(runtime, { decision: "reject" })).toMatchObject({ change: 1 });
    expect(await runtime.run(runtime.changes.find(1))).toMatchObject({
      operation: "reject_proposal",
      summary: "Rejected proposal 1: Write a note that says Hello",
      actor: person,
      undo: { operation: "reopen_proposal", input: { id: 1 } },
    });

    const call = aCall({ actor: person });
    const { changes, proposals, run } = runtime;
    await changes.undo(1, call, {
      ...runtime,
      performByName: async () => ({
        ok: true,
        value: { ...(await run(proposals.reopen(1, call, changes))) },
      }),
    });
    expect(await run(proposals.find(1))).toMatchObject({ status: "pending" });
    expect(await run(proposals.find(1))).not.toHaveProperty("change");
    expect(await run(changes.find(2))).toMatchObject({
      summary: "Reopened proposal 1: Write a note that says Hello",
      undo: { operation: "reject_proposal", input: { id: 1 } },
    });
    await expect(run(proposals.reopen(1, call, changes))).rejects.toThrow("pending");
    expect(await decide(runtime, {})).toMatchObject({ status: "accepted" });
  });

  test.each([
    ["web", "page"],
    ["cli", "command-line"],
  ])(
    "[core.changes.approval] the log says that a yes on the surface %s was given by %s, and by whom",
    async (surface, how) => {
      for (const operation of ["write_note", "whisper_note"]) {
        const runtime = await proposed({ operation });
        await decide(runtime, {}, aCall({ actor: { surface } }));
        expect((await runtime.run(runtime.changes.list())).items).toMatchObject([
          { operation, actor: { surface }, approval: { how, proposal: 1 } },
        ]);
      }
    },
  );

  test("[core.changes.approval] the log names the trusted client that relayed an approval, and since when it is trusted", async () => {
    const { changes, run } = await open();
    const relayed = { client: "editor", trustedSince: "2026-01-01T00:00:00.000Z" };
    await run(changes.record({ call: { ...aCall(), relayed }, operation: "x", summary: "X" }));

    expect((await run(changes.find(1)))?.approval).toEqual({ how: "elicitation", ...relayed });
    await run(changes.record({ call: aCall(), operation: "x", summary: "X" }));
    expect(await run(changes.find(2))).not.toHaveProperty("approval");
  });

  test("a missing proposal is not found", async () => {
    const runtime = await open();
    await expect(decide(runtime, { id: 4 })).rejects.toMatchObject({
      kind: "not-found",
      message: "Proposal not found: 4",
    });
    expect(await runtime.run(runtime.proposals.find(4))).toBeUndefined();
  });

  test("the list is oldest first, filtered by status and paged", async () => {
    const runtime = await open();
    for (let index = 1; index <= 6; index++) {
      await runtime.run(
        runtime.proposals.propose({ ...draft, summary: `proposal ${index}` }, aCall()),
      );
    }
    await decide(runtime, { id: 2, decision: "reject" });
    const { proposals, run } = runtime;
    const names = (page: ListPage<Proposal>) =>
      page.items.map(({ summary }) => summary.slice(-1)).join("");

    expect(names(await run(proposals.list()))).toBe("123456");
    expect(names(await run(proposals.list({ status: "rejected" })))).toBe("2");
    const first = await run(proposals.list({ status: "pending", limit: 3 }));
    expect(names(first)).toBe("134");
    expect(first).toMatchObject({ total: 5, truncated: true, remaining: 2 });
    await decide(runtime, { id: 1, decision: "reject" });
    const second = await run(
      proposals.list({ status: "pending", limit: 3, cursor: first.next_cursor }),
    );
    expect(names(second)).toBe("56");
    expect(second).toMatchObject({ total: 4, truncated: false });
  });
});
