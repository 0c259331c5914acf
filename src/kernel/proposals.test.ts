import { expect, test } from "vitest";
import { type NotesHouse, notesHouse } from "../../tests/fixtures/notes-shelf.ts";
import { type CallOptions, makeCall } from "./call.ts";
import type { Notice } from "./notices.ts";
import type { Draft } from "./proposal.ts";
import type { Decision } from "./proposals.ts";
import { runSealed } from "./sealed-rows.ts";

const aCall = (more: Partial<CallOptions> = {}) =>
  makeCall({ actor: { surface: "test" }, ...more });
const agent = { surface: "mcp", client: "agent" };
const person = { surface: "web" };

const draft: Draft = {
  shelf: "notes",
  operation: "write_note",
  input: { text: "Hello" },
  summary: "Write a note that says Hello",
  preview: "+ Hello",
  rationale: "It is friendly.",
};

function proposed(more: Partial<Draft> = {}) {
  const house = notesHouse();
  house.proposals.propose({ ...draft, ...more }, aCall({ actor: agent }));
  return house;
}

const decide = (house: NotesHouse, decision: Partial<Decision>, call = aCall({ actor: person })) =>
  house.proposals.decide({ id: 1, decision: "accept", ...decision }, call, {
    perform: house.performByName,
    changes: house.changes,
  });

test("[house.proposals.pending] what an agent proposes waits, and nothing is done", () => {
  const announced: Notice[] = [];
  const house = notesHouse();
  const call = aCall({ actor: agent, onNotice: (notice) => announced.push(notice) });

  const proposal = house.proposals.propose(draft, call);

  expect(proposal).toEqual({
    ...draft,
    id: 1,
    at: expect.stringMatching(/Z$/),
    actor: agent,
    call: call.id,
    status: "pending",
  });
  expect(house.notes()).toEqual([]);
  expect(announced).toEqual([{ topic: "proposals.changed", about: "1" }]);
});

test("what waits to do the same is found, however much waits before it", async () => {
  const house = proposed();
  for (let count = 0; count < 250; count++) {
    house.proposals.propose({ ...draft, input: { text: `Hello ${count}` } }, aCall());
  }
  const waitingFor = (text: string) => house.proposals.waitingFor("write_note", { text })?.id;

  expect(waitingFor("Hello")).toBe(1);
  expect(waitingFor("Hello 249")).toBe(251);
  expect(waitingFor("Hello 250")).toBeUndefined();
  expect(house.proposals.waitingFor("remove_note", draft.input)).toBeUndefined();
  await decide(house, { decision: "reject" });
  expect(waitingFor("Hello")).toBeUndefined();
});

test("[house.proposals.accept] accepting performs the operation and keeps its result", async () => {
  const house = proposed();
  const announced: Notice[] = [];
  const call = aCall({ actor: person, onNotice: (notice) => announced.push(notice) });

  const proposal = await decide(house, { reason: "Nice" }, call);

  expect(house.notes()).toEqual(["1 Hello"]);
  expect(proposal).toMatchObject({
    status: "accepted",
    decidedBy: person,
    decidedAt: expect.stringMatching(/Z$/),
    reason: "Nice",
    result: { id: 1, text: "Hello" },
  });
  expect(proposal).not.toHaveProperty("edited");
  expect(announced.map(({ topic }) => topic)).toContain("proposals.changed");
  expect(house.changes.find(1)).toMatchObject({ call: call.id, actor: person });
});

test("[house.proposals.edited] what a person changes before saying yes is told as theirs in the log", async () => {
  const house = proposed();
  const proposal = await decide(house, { input: { text: "Good day" } });

  expect(house.notes()).toEqual(["1 Good day"]);
  expect(proposal).toMatchObject({
    input: { text: "Hello" },
    edited: { text: "Good day" },
    change: 1,
  });
  expect(house.changes.find(1)).toMatchObject({
    summary: "Wrote note 1, as a person has edited proposal 1",
    actor: person,
  });
});

test("[house.proposals.edited] what is sent back unchanged is the agent's still", async () => {
  const house = proposed();
  expect(await decide(house, { input: { text: "Hello" } })).toMatchObject({ change: 1 });
  expect(house.changes.find(1)).toMatchObject({ summary: "Wrote note 1" });
});

test.each([
  ["reject", "rejected"],
  ["withdraw", "withdrawn"],
] as const)("to %s does nothing but say so", async (decision, status) => {
  const house = proposed();
  const proposal = await decide(house, { decision, reason: "No need" });

  expect(proposal).toMatchObject({ status, reason: "No need", decidedBy: person });
  expect(house.notes()).toEqual([]);
});

test("[house.proposals.failure] a failure on accepting leaves the proposal pending and tells why", async () => {
  for (const more of [
    { input: { text: "" } },
    { input: { text: "fails late" } },
    { operation: "remove_note", input: { id: 7 } },
    { operation: "no_such_operation" },
    { operation: "asking_note", input: {} },
  ]) {
    const house = proposed(more);
    await expect(decide(house, {})).rejects.toMatchObject({ name: "Failure" });
    expect(house.proposals.find(1)).toMatchObject({ status: "pending" });
    expect(house.proposals.find(1)).not.toHaveProperty("decidedAt");
    expect(house.notes()).toEqual([]);
    expect(house.changes.list().total).toBe(0);
    await expect(decide(house, { decision: "reject" })).resolves.toMatchObject({
      status: "rejected",
    });
  }
});

test("[house.proposals.twice] nothing is decided twice", async () => {
  for (const first of ["accept", "reject", "withdraw"] as const) {
    const house = proposed();
    await decide(house, { decision: first });
    for (const second of ["accept", "reject", "withdraw"] as const) {
      await expect(decide(house, { decision: second })).rejects.toMatchObject({
        kind: "conflict",
        code: "already-decided",
      });
    }
    expect(house.notes()).toHaveLength(first === "accept" ? 1 : 0);
  }
});

test.each(["write_note", "whisper_note"])(
  "two who accept %s at once get it done once",
  async (operation) => {
    const house = proposed({ operation });
    const ended = await Promise.allSettled([decide(house, {}), decide(house, {})]);

    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(house.notes()).toHaveLength(1);
  },
);

test("[house.proposals.atomic] what another process decided meanwhile rolls the operation back", async () => {
  const house = proposed();
  const perform: typeof house.performByName = (name, input, call) => {
    runSealed(house.db, "proposals", "UPDATE proposals SET status = 'rejected'");
    return house.performByName(name, input, call);
  };
  const accepting = house.proposals.decide({ id: 1, decision: "accept" }, aCall(), {
    perform,
    changes: house.changes,
  });

  await expect(accepting).rejects.toMatchObject({ code: "already-decided" });
  expect(house.notes()).toEqual([]);
  expect(house.changes.list().total).toBe(0);
});

const undo = async (house: NotesHouse, id: number): Promise<string[]> => {
  const announced: Notice[] = [];
  const call = aCall({ actor: person, onNotice: (notice) => announced.push(notice) });
  await house.changes.undo(id, call, house.performByName);
  return announced.map(({ topic }) => topic);
};

test("[house.proposals.undone] what was accepted waits again once its change is undone, also of many", async () => {
  const house = notesHouse();
  for (let count = 1; count <= 16; count++) {
    house.proposals.propose({ ...draft, input: { text: `Note ${count}` } }, aCall());
    await decide(house, { id: count, input: { text: `Edited ${count}` } });
  }
  for (let id = 16; id >= 1; id--) expect(await undo(house, id)).toContain("proposals.changed");

  expect(house.notes()).toEqual([]);
  const { items, total } = house.proposals.list({ status: "pending" });
  expect(total).toBe(16);
  expect(items[0]).toMatchObject({ id: 1, input: { text: "Note 1" } });
  for (const gone of ["edited", "result", "change", "decidedBy", "decidedAt"]) {
    expect(items[0]).not.toHaveProperty(gone);
  }
  expect(await decide(house, { id: 1 })).toMatchObject({ status: "accepted" });
});

test("[house.proposals.undone] it counts as accepted again when the undo is undone, unless it was decided since", async () => {
  const house = proposed();
  await decide(house, {});
  await undo(house, 1);
  await undo(house, 2);
  expect(house.notes()).toEqual(["1 Hello"]);
  expect(house.proposals.find(1)).toMatchObject({ status: "accepted", change: 3 });

  await undo(house, 3);
  expect(house.proposals.find(1)).toMatchObject({ status: "pending" });
  await decide(house, { decision: "reject" });
  await undo(house, 4);
  expect(house.proposals.find(1)).toMatchObject({ status: "rejected" });
});

test("[house.proposals.rejection-undone] a rejection is in the log, and to undo it lets the proposal wait again", async () => {
  const house = proposed();
  expect(await decide(house, { decision: "reject" })).toMatchObject({ change: 1 });
  expect(house.changes.find(1)).toMatchObject({
    operation: "reject_proposal",
    summary: "Rejected proposal 1: Write a note that says Hello",
    actor: person,
    undo: { operation: "reopen_proposal", input: { id: 1 } },
  });

  const call = aCall({ actor: person });
  const { changes, proposals } = house;
  await changes.undo(1, call, async () => ({
    ok: true,
    value: { ...proposals.reopen(1, call, changes) },
  }));
  expect(proposals.find(1)).toMatchObject({ status: "pending" });
  expect(proposals.find(1)).not.toHaveProperty("change");
  expect(changes.find(2)).toMatchObject({
    summary: "Reopened proposal 1: Write a note that says Hello",
    undo: { operation: "reject_proposal", input: { id: 1 } },
  });
  expect(() => proposals.reopen(1, call, changes)).toThrow("pending");
  expect(await decide(house, {})).toMatchObject({ status: "accepted" });
});

test.each([
  ["web", "page"],
  ["cli", "command-line"],
])(
  "[house.changes.approval] the log says that a yes on the surface %s was given by %s, and by whom",
  async (surface, how) => {
    for (const operation of ["write_note", "whisper_note"]) {
      const house = proposed({ operation });
      await decide(house, {}, aCall({ actor: { surface } }));
      expect(house.changes.list().items).toMatchObject([
        { operation, actor: { surface }, approval: { how, proposal: 1 } },
      ]);
    }
  },
);

test("[house.changes.approval] what a trusted client relayed is told with the client and since when it is trusted", () => {
  const { changes } = notesHouse();
  const relayed = { client: "editor", trustedSince: "2026-01-01T00:00:00.000Z" };
  changes.record({ call: { ...aCall(), relayed }, operation: "x", summary: "X" });

  expect(changes.find(1)?.approval).toEqual({ how: "elicitation", ...relayed });
  changes.record({ call: aCall(), operation: "x", summary: "X" });
  expect(changes.find(2)).not.toHaveProperty("approval");
});

test("a proposal that is not there is not found", async () => {
  const house = notesHouse();
  await expect(decide(house, { id: 4 })).rejects.toMatchObject({
    kind: "not-found",
    message: "Proposal not found: 4",
  });
  expect(house.proposals.find(4)).toBeUndefined();
});

test("the list shows the oldest first, by status and in parts", async () => {
  const house = notesHouse();
  for (let index = 1; index <= 6; index++) {
    house.proposals.propose({ ...draft, summary: `proposal ${index}` }, aCall());
  }
  await decide(house, { id: 2, decision: "reject" });
  const { proposals } = house;
  const names = (page: ReturnType<typeof proposals.list>) =>
    page.items.map(({ summary }) => summary.slice(-1)).join("");

  expect(names(proposals.list())).toBe("123456");
  expect(names(proposals.list({ status: "rejected" }))).toBe("2");
  const first = proposals.list({ status: "pending", limit: 3 });
  expect(names(first)).toBe("134");
  expect(first).toMatchObject({ total: 5, truncated: true, remaining: 2 });
  await decide(house, { id: 1, decision: "reject" });
  const second = proposals.list({ status: "pending", limit: 3, cursor: first.next_cursor });
  expect(names(second)).toBe("56");
  expect(second).toMatchObject({ total: 4, truncated: false });
});
