import { join } from "node:path";
import { expect, test } from "vitest";
import { makeInterviews } from "../../../../tests/fixtures/qualitative/interviews.ts";
import {
  databaseOf,
  type ProjectLibrary,
  projectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** The example project with data of every kind, all created by one actor. */
async function madeBy(maker: typeof person | typeof agent): Promise<ProjectLibrary> {
  const opened = projectLibrary();
  const call = (name: string, input: object = {}) => opened.call(name, input, maker);
  await makeInterviews(call);
  await call("save_category", { name: "Feelings" });
  await call("save_case", { name: "Kim", link: [{ source_id: 1 }], attributes: { age: 3 } });
  await call("save_journal", { name: "Week 1", entry: "We met." });
  return opened;
}

/** Every operation with which an agent can delete or overwrite project data. */
const destructive: [string, object][] = [
  ["update_code", { code_id: 1, name: "Trust" }],
  ["delete_code", { code_id: 1, delete_segments: true, confirm: true }],
  ["merge_codes", { source_code_id: 1, target_code_id: 2, confirm: true }],
  ["remove_coding", { segment_id: 1 }],
  ["change_coding", { segment_id: 1, memo: "Other" }],
  ["erase_coding", { segment_id: 1, start_position: 2, end_position: 4 }],
  ["remove_source", { source_id: 1, confirm: true }],
  ["edit_source_text", { source_id: 1, content: "I doubted." }],
  ["move_source_to_folder", { source_id: 1, folder_id: 1 }],
  ["rename_folder", { folder_id: 1, new_name: "Other" }],
  ["delete_folder", { folder_id: 1 }],
  ["save_category", { name: "Feelings", memo: "Other" }],
  ["delete_category", { name: "Feelings" }],
  ["save_case", { name: "Kim", attributes: { age: 4 } }],
  ["delete_case", { name: "Kim" }],
  ["save_journal", { name: "Week 1", entry: "We parted." }],
  ["delete_journal", { name: "Week 1" }],
];

const databaseIn = ({ root }: ProjectLibrary) =>
  databaseOf(join(root, "interviews.qda", "data.qda"));

function rowsOf(opened: ProjectLibrary): unknown {
  const db = databaseIn(opened);
  return db
    .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .filter(({ name }) => !/^(sqlite_|lectern_(changes|schema|agent)|coder_names)/.test(name))
    .map(({ name }) => [name, db.all(`SELECT * FROM ${name}`)]);
}

/** The preview of the pending proposal, as shown to a person. */
async function previewIn({ call }: ProjectLibrary): Promise<string> {
  const { proposals } = await call("proposals", {}, person);
  const [{ preview = "" } = {}] = proposals as { preview?: string }[];
  return preview;
}

const pending = { status: "pending_approval", requires_approval: true };

test.each(destructive)(
  "[qualitative.trust.default] %s changes agents' work immediately",
  async (name, input) => {
    const opened = await madeBy(agent);
    const before = rowsOf(opened);
    expect(await opened.call(name, input, agent)).not.toHaveProperty("proposal_id");
    expect(rowsOf(opened)).not.toEqual(before);
  },
);

test.each(destructive)(
  "[qualitative.trust.default] %s on a person's work becomes a proposal that states what it affects",
  async (name, input) => {
    const opened = await madeBy(person);
    const before = rowsOf(opened);
    expect(await opened.call(name, input, agent)).toMatchObject(pending);
    expect(rowsOf(opened)).toEqual(before);
    expect(await previewIn(opened)).toMatch(/Coded work affected: |source 1/);

    const { change_id } = await opened.call("accept_proposal", { id: 1 }, person);
    expect(rowsOf(opened)).not.toEqual(before);
    await opened.call("undo_change", { id: change_id }, person);
    expect(rowsOf(opened)).toEqual(before);
    expect((await opened.call("proposals", {}, person)).proposals).toMatchObject([
      { id: 1, status: "pending" },
    ]);
  },
);

test("[qualitative.trust.default] additions by an agent to a person's project are applied immediately", async () => {
  const opened = await madeBy(person);
  for (const [name, input] of [
    ["create_code", { name: "Doubt", color: "#123456" }],
    ["batch_apply_codes", { operations: [{ code_id: 1, source_id: 1, quote: "doubted" }] }],
    ["auto_code_pattern", { code_id: 2, pattern: "waited" }],
    ["add_text_source", { name: "Eve", content: "I waited, too.", origin: "Talk" }],
    ["create_folder", { name: "Round 3" }],
    ["move_source_to_folder", { source_id: 3, folder_id: 1 }],
    ["save_journal", { name: "Week 2", entry: "We met again." }],
  ] as const) {
    const answer = await opened.call(name, input, agent);
    expect([name, answer]).toEqual([name, expect.not.objectContaining(pending)]);
  }
  expect((await opened.call("proposals", {}, person)).total).toBe(0);
});

test("[qualitative.trust.default] a person's coding under an agent's code protects the code and its source", async () => {
  const opened = await madeBy(agent);
  const operations = [
    { code_id: 1, source_id: 1, quote: "doubted" },
    { code_id: 1, source_id: 2, quote: "asked" },
  ];
  await opened.call("batch_apply_codes", { operations }, person);
  for (const [name, input] of [
    ["delete_code", { code_id: 1, delete_segments: true, confirm: true }],
    ["merge_codes", { source_code_id: 1, target_code_id: 2, confirm: true }],
    ["remove_source", { source_id: 1, confirm: true }],
  ] as const) {
    expect(await opened.call(name, input, agent)).toMatchObject(pending);
  }
  const { proposals } = await opened.call("proposals", {}, person);
  expect(proposals).toMatchObject([
    {
      preview: expect.stringContaining(
        "Coded work affected: 3 codings in 2 sources by 2 coders, 2 of them by a person.",
      ),
    },
    {},
    {
      preview: expect.stringContaining(
        "Coded work affected: 2 codings in 1 source by 2 coders, 1 of them by a person.",
      ),
    },
  ]);
});

test("[qualitative.trust.default] a rename states the number of codings under the code", async () => {
  const opened = await madeBy(person);
  await opened.call("update_code", { code_id: 1, name: "Trust" }, agent);
  expect(await previewIn(opened)).toContain(
    "Coded work affected: 1 coding in 1 source by 1 coder, 1 of them by a person.",
  );
});

test.each<[string, (opened: ProjectLibrary) => unknown]>([
  ["edited it", ({ call }) => call("update_code", { code_id: 2, memo: "Mine" }, person)],
  [
    "edited it in QualCoder",
    (opened) => databaseIn(opened).run("UPDATE code_name SET color = '#000000' WHERE cid = 2"),
  ],
  [
    "brought it back",
    async ({ call }) => {
      const { change_id } = await call("delete_code", { code_id: 2, confirm: true }, agent);
      await call("undo_change", { id: change_id }, person);
    },
  ],
  [
    "made another one of its number in QualCoder",
    (opened) =>
      databaseIn(opened).run(
        "UPDATE code_name SET name = 'Zeta', date = '2026-01-01 00:00:00' WHERE cid = 2",
      ),
  ],
])(
  "[qualitative.trust.default] what an agent made is protected once a person has %s",
  async (_what, change) => {
    const opened = await madeBy(agent);
    await change(opened);
    const answer = await opened.call("delete_code", { code_id: 2, confirm: true }, agent);
    expect(answer).toMatchObject(pending);
  },
);

test("[qualitative.trust.default] codings split off a person's coding stay that person's", async () => {
  const opened = await madeBy(person);
  const erase = { segment_id: 1, start_position: 3, end_position: 4 };
  await opened.call("erase_coding", erase, agent);
  await opened.call("accept_proposal", { id: 1 }, person);
  for (const segment_id of [1, 2]) {
    expect(await opened.call("remove_coding", { segment_id }, agent)).toMatchObject(pending);
  }
});

test("[qualitative.trust.default] the policy describes its default, and a person can loosen it with a rule", async () => {
  const opened = await madeBy(person);
  const { operations, meanings } = await opened.call("list_policy");
  expect(operations).toContainEqual(
    expect.objectContaining({ operation: "delete_code", tier: "protect", default: "protect" }),
  );
  expect(meanings).toContainEqual({
    tier: "protect",
    means: expect.stringContaining("a person made or edited"),
  });

  await opened.call("set_policy", { operation: "*", tier: "notify", agent: "claude" }, person);
  const wish = { code_id: 2, confirm: true };
  expect(await opened.call("delete_code", wish, agent)).toMatchObject(pending);
  await opened.call("set_policy", { operation: "delete_code", tier: "notify" }, person);
  expect(await opened.call("delete_code", wish, agent)).toMatchObject({ deleted: true });
});
