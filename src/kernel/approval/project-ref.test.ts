import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { record } from "../../../tests/fixtures/architecture/decision-library.ts";
import { type OpenedProject, twoProjects } from "../../../tests/fixtures/processes/two-projects.ts";
import type { Actor } from "../call.ts";
import { runChecksummed } from "../integrity/checksummed-rows.ts";
import { runSteps } from "../storage/sqlite-store.ts";

const agent: Actor = { surface: "mcp", client: "claude" };

const decision = "docs/adr/0002-b.md";
const page = "docs/lamp.md";
const objects = "things/lamp.qmd.md";

const files = {
  "docs/adr/0001-a.md": record("1. A"),
  [decision]: record("2. B", "Proposed"),
  "src/lamp.ts": "export function lightLamp(name: string): boolean { return true; }\n",
  [page]: "# Lamps\n\nCall `lightLamp(name: string): boolean`.\n",
  [objects]: "# [[lamp: Thing]]\n\n- kind: old\n",
};

/** Proposals of an agent of project A, one per shelf: the changed file and the change. */
const proposals: [string, string, (a: OpenedProject) => Promise<unknown>][] = [
  [
    "architecture",
    decision,
    ({ call }) => call("propose-decision", { kind: "status", id: "2", status: "accepted" }, agent),
  ],
  [
    "objects",
    objects,
    async ({ call }) =>
      call(
        "qmdc_rename_object",
        { path: ".", old_id: "lamp", new_id: "light", propose: true },
        agent,
      ),
  ],
  [
    "repository",
    page,
    async ({ root, call }) => {
      const sync = (mode: string) =>
        call("sync_code_to_docs", { projectPath: ".", mode }, agent) as Promise<{
          data: { pendingChanges: { proposalId: number }[] };
        }>;
      await sync("detect");
      writeFileSync(join(root, "src/lamp.ts"), files["src/lamp.ts"].replaceAll("light", "kindle"));
      return { proposal_id: (await sync("apply")).data.pendingChanges[0]?.proposalId };
    },
  ],
];

/** Removes the project of an entry, which older versions did not record. */
function forgetProjects({ library }: OpenedProject): void {
  for (const table of ["proposals", "changes"] as const) {
    const sql = `UPDATE ${table} SET project = NULL, project_name = NULL`;
    runSteps(library.runtime.db, runChecksummed(table, sql));
  }
}

const idOf = (answer: unknown): number => (answer as { proposal_id: number }).proposal_id;

test.each(proposals)(
  "[core.proposals.project] a proposal to the %s shelf is applied and undone in its own project, wherever it is accepted",
  async (_shelf, file, propose) => {
    const projects = twoProjects(files);
    const [a, b] = [projects.open("A"), projects.open("B")];
    const before = a.read(file);
    const id = idOf(await propose(a));

    expect((await b.call("proposals")).proposals).toMatchObject([
      { id, project: { root: a.root, name: "A" } },
    ]);
    const { change_id } = await b.call("accept_proposal", { id });
    expect(b.read(file)).toBe(before);
    const after = a.read(file);
    expect(after).not.toBe(before);
    expect((await b.call("activity")).changes).toMatchObject([
      { id: change_id, project: { root: a.root, name: "A" } },
    ]);

    await b.call("undo_change", { id: change_id });
    expect([a.read(file), b.read(file)]).toEqual([before, before]);
    await b.call("undo_change", { id: Number(change_id) + 1 });
    expect([a.read(file), b.read(file)]).toEqual([after, before]);
  },
);

test("[core.proposals.project] codings are proposed to a project by its path, and can be decided from anywhere", async () => {
  const projects = twoProjects({});
  const [a, b] = [projects.open("A"), projects.open("B")];
  for (const { call } of [a, b]) {
    await call("create_project", { path: "talks.qda" });
    await call("add_text_source", { name: "Ana", content: "I hoped." });
  }
  const id = idOf(await a.call("suggest_source_metadata", { source_id: 1, language: "en" }, agent));
  const root = join(a.root, "talks.qda");
  expect((await b.call("proposals")).proposals).toMatchObject([
    { id, project: { root, name: "talks" } },
  ]);
  const { change_id } = await b.call("accept_proposal", { id });
  const languages = async () => {
    const all = [];
    for (const { call } of [a, b]) all.push((await call("list_sources")).sources);
    return all;
  };
  expect(await languages()).toMatchObject([
    [{ language: "en" }],
    [expect.not.objectContaining({ language: "en" })],
  ]);
  await b.call("undo_change", { id: change_id });
  expect(await languages()).toMatchObject([
    [expect.not.objectContaining({ language: "en" })],
    [expect.not.objectContaining({ language: "en" })],
  ]);
});

test("[core.proposals.project] an edited proposal cannot be redirected to another project", async () => {
  const projects = twoProjects(files);
  const [a, b] = [projects.open("A"), projects.open("B")];
  const rename = { path: ".", old_id: "lamp", new_id: "light", propose: true };
  const id = idOf(await a.call("qmdc_rename_object", rename, agent));
  const input = { path: b.root, old_id: "lamp", new_id: "light" };
  const before = b.read(objects);

  await expect(b.call("accept_proposal", { id, input })).rejects.toMatchObject({
    kind: "conflict",
    code: "other-project",
    message: expect.stringContaining("'A'"),
  });
  expect([a.read(objects), b.read(objects)]).toEqual([before, before]);
  expect((await b.call("proposals")).proposals).toMatchObject([{ id, status: "pending" }]);
});

test("[core.proposals.project] a process confined to another project sees neither proposal nor change", async () => {
  const projects = twoProjects(files);
  const [a, b] = [
    projects.open("A"),
    projects.open("B", { forceRoot: join(projects.folder, "B") }),
  ];
  const status = { kind: "status", id: "2", status: "accepted" };
  const id = idOf(await a.call("propose-decision", status, agent));
  const before = a.read(decision);

  expect((await b.call("proposals")).total).toBe(0);
  await expect(b.call("accept_proposal", { id })).rejects.toMatchObject({ kind: "not-found" });
  expect([a.read(decision), b.read(decision)]).toEqual([before, before]);

  const { change_id } = await a.call("accept_proposal", { id });
  const after = a.read(decision);
  await expect(b.call("undo_change", { id: change_id })).rejects.toMatchObject({
    kind: "not-found",
  });
  expect((await b.call("activity")).total).toBe(0);
  expect([a.read(decision), b.read(decision)]).toEqual([after, before]);
});

test("[core.proposals.project] proposals and changes of an older version write nothing into the current folder", async () => {
  const projects = twoProjects(files);
  const [a, b] = [projects.open("A"), projects.open("B")];
  const status = { kind: "status", id: "2", status: "accepted" };
  const id = idOf(await a.call("propose-decision", status, agent));
  const { change_id } = await a.call("accept_proposal", { id });
  const again = idOf(await a.call("propose-decision", { kind: "new", title: "C" }, agent));
  forgetProjects(a);
  const [inA, inB] = [a.read(decision), b.read(decision)];

  const refusal = { kind: "conflict", code: "no-project" };
  await expect(b.call("accept_proposal", { id: again })).rejects.toMatchObject(refusal);
  await expect(b.call("undo_change", { id: change_id })).rejects.toMatchObject(refusal);
  expect([a.read(decision), b.read(decision)]).toEqual([inA, inB]);
});
