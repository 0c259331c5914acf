import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf, outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";
import type { Call } from "../../../kernel/call.ts";
import { createCall } from "../../../kernel/call.ts";

const person = { actor: { surface: "web" } };
const agents = [{ actor: { surface: "mcp", client: "claude" } }, { actor: { surface: "http" } }];

async function subject() {
  const { library, home } = await searchLibrary({ "notes/a.md": "a", "notes/deep/b.md": "b" });
  const { runtime } = library;
  const decide = (id: unknown, decision: "accept" | "reject" = "accept") =>
    runtime.proposals.decide({ id: Number(id), decision }, createCall(person) as Call, runtime);
  return { library, home, decide, runtime };
}

test.each(agents)(
  "[search.approval.others] %o can only propose to remove, rename or overwrite a person's entries",
  async (agent) => {
    const { library, home, decide, runtime } = await subject();
    // The collection is older than the record of creators, so it counts as a person's.
    await answerOf(library, "add_collection", { name: "own", path: join(home, "notes") }, person);
    await answerOf(library, "add_context", { path: "notes", text: "Meetings" }, person);
    const before = JSON.stringify(runtime.config.read());
    const asked: [string, object][] = [
      ["rename_collection", { name: "notes", newName: "papers" }],
      ["add_context", { path: "notes", text: "Nothing" }],
      ["remove_context", { path: "notes" }],
      ["remove_collection", { name: "own" }],
      ["remove_collection", { name: "notes" }],
    ];
    for (const [name, input] of asked) {
      const answer = await answerOf(library, name, input, agent);
      expect([name, answer]).toEqual([
        name,
        expect.objectContaining({ status: "pending_approval", proposalId: expect.any(Number) }),
      ]);
      // A repeated request creates no second proposal.
      expect((await answerOf(library, name, input, agent)).proposalId).toBe(answer.proposalId);
    }
    expect(JSON.stringify(runtime.config.read())).toBe(before);
    expect(await runtime.store.run(runtime.documents.count({ root: "notes" }))).toBe(2);
    const { items } = await runtime.store.run(runtime.proposals.list({ status: "pending" }));
    expect(items.map(({ summary }) => summary)).toEqual([
      "Rename collection 'notes' to 'papers'",
      "Replace the context of notes",
      "Remove the context of notes",
      "Remove collection 'own'",
      "Remove collection 'notes'",
    ]);
    expect(items[4]?.preview).toContain("2 documents");

    await decide(items[1]?.id);
    expect({ ...runtime.config.read().contexts }).toEqual({ notes: "Nothing" });
    // A proposal for another text is not applied to this one.
    await expect(decide(items[2]?.id)).rejects.toMatchObject({ code: "changed" });
    await decide(items[3]?.id);
    await decide(items[4]?.id);
    expect(Object.keys(runtime.config.read().collections)).toEqual([]);
  },
);

test.each(agents)(
  "[search.approval.own] %o changes its own entries directly, until a person changes them",
  async (agent) => {
    const { library, home, runtime } = await subject();
    const ask = (name: string, input: object, as: typeof person = agent) =>
      answerOf(library, name, input, as);
    const path = join(home, "notes");
    await ask("add_collection", { name: "mine", path });
    await ask("add_context", { path: "mine/deep", text: "One" });
    expect(await ask("add_context", { path: "mine/deep", text: "Two" })).toMatchObject({
      status: "added",
    });
    await ask("rename_collection", { name: "mine", newName: "still-mine" });
    expect(await ask("remove_context", { path: "still-mine/deep" })).toMatchObject({
      status: "removed",
    });
    expect(await ask("remove_collection", { name: "still-mine" })).toMatchObject({
      status: "removed",
    });

    await ask("add_collection", { name: "taken", path });
    await ask("add_context", { path: "taken", text: "One" });
    await ask("add_context", { path: "taken", text: "Better" }, person);
    await ask("rename_collection", { name: "taken", newName: "theirs" }, person);
    for (const [name, input] of [
      ["add_context", { path: "theirs", text: "One" }],
      ["remove_collection", { name: "theirs" }],
    ] as const) {
      expect(await ask(name, input)).toMatchObject({ status: "pending_approval" });
    }
    // The file may also be changed in an editor.
    await ask("add_collection", { name: "edited", path });
    await runtime.store.run(
      runtime.config.update(({ collections }) => {
        if (collections.edited) collections.edited.pattern = "**/*.txt";
      }),
    );
    expect(await ask("remove_collection", { name: "edited" })).toMatchObject({
      status: "pending_approval",
    });
  },
);

test("[search.approval.own-user] a REST call of the server's own user, without a credential, changes a person's entries directly", async () => {
  const { library, home } = await subject();
  const ownProgram = { actor: { surface: "http", isOwnUser: true as const } };
  await answerOf(library, "add_collection", { name: "own", path: join(home, "notes") }, person);
  await answerOf(library, "add_context", { path: "notes", text: "Meetings" }, person);
  for (const [name, input, status] of [
    ["rename_collection", { name: "own", newName: "papers" }, "renamed"],
    ["add_context", { path: "notes", text: "Minutes" }, "added"],
    ["remove_context", { path: "notes" }, "removed"],
    ["remove_collection", { name: "papers" }, "removed"],
  ] as const) {
    expect([name, await answerOf(library, name, input, ownProgram)]).toEqual([
      name,
      expect.objectContaining({ status }),
    ]);
  }
});

test("[search.contexts.undo] undoing the removal of a context whose collection is missing reports it", async () => {
  const { library, runtime } = await subject();
  await answerOf(library, "add_context", { path: "notes/deep", text: "Deep" }, person);
  await answerOf(library, "remove_context", { path: "notes/deep" }, person);
  const [removal] = (await runtime.store.run(runtime.changes.list({ limit: 1 }))).items;
  await answerOf(library, "remove_collection", { name: "notes" }, person);
  const undo = () => runtime.changes.undo(removal?.id ?? 0, createCall(person), runtime);
  await expect(undo()).rejects.toMatchObject({
    code: "collection-gone",
    message: expect.stringContaining("'notes'"),
  });
  const [removed] = (await runtime.store.run(runtime.changes.list({ limit: 1 }))).items;
  await runtime.changes.undo(removed?.id ?? 0, createCall(person), runtime);
  await undo();
  expect({ ...runtime.config.read().contexts }).toEqual({ "notes/deep": "Deep" });
  expect((await outcomeOf(library, "status", {})).ok).toBe(true);
});
