import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "cli" };

/** The owner of codings by an agent with this client name. */
async function ownerOf(
  { call }: Awaited<ReturnType<typeof interviewLibrary>>,
  client: string,
): Promise<string | undefined> {
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  await call("batch_apply_codes", { operations }, { surface: "mcp", client });
  const { segments } = await call("list_segments_for_source", { source_id: 1 }, person);
  return (segments as { id: number; owner: string }[]).toSorted((a, b) => a.id - b.id).at(-1)
    ?.owner;
}

/** A project in which `anna` codes, `bert` owns a code, and `Cleo` is in the coder list. */
async function withPeople() {
  const opened = await interviewLibrary();
  await opened.call("save_coder", { name: "Cleo" }, person);
  await opened.call("save_coder", { name: "anna", is_me: true }, person);
  const db = databaseOf(`${opened.root}/interviews.qda/data.qda`);
  db.exec("UPDATE code_name SET owner = 'bert' WHERE cid = 2");
  return opened;
}

test.each([
  ["bert", "bert (agent)"],
  ["ANNA", "ANNA (agent)"],
  [" anna ", "anna (agent)"],
  ["anna\u200b", "anna (agent)"],
  ["ａｎｎａ", "ａｎｎａ (agent)"],
  ["cleo", "cleo (agent)"],
  ["default", "default (agent)"],
  ["claude\r\n  code", "claude code"],
  ["  ", "AI Agent"],
])(
  "[qualitative.coding.borrowed-name] an agent that calls itself %j codes as %j",
  async (client, owner) => {
    const opened = await withPeople();
    expect(await ownerOf(opened, client)).toBe(owner);
    const { coders } = await opened.call("list_coders", {}, person);
    const agents = (coders as { name: string; agent: boolean }[]).filter(({ agent }) => agent);
    expect(agents.map(({ name }) => name).toSorted()).toEqual([...new Set(["AI Agent", owner])]);
  },
);

test("[qualitative.coding.borrowed-name] a very long name is truncated", async () => {
  const opened = await interviewLibrary();
  expect(await ownerOf(opened, "x".repeat(5_000))).toBe("x".repeat(100));
});

test("[qualitative.coding.borrowed-name] an agent keeps its known name", async () => {
  const opened = await interviewLibrary();
  expect(await ownerOf(opened, "claude")).toBe("claude");
  const operations = [{ code_id: 1, source_id: 1, quote: "doubted" }];
  await opened.call("batch_apply_codes", { operations }, { surface: "mcp", client: "claude" });

  const { segments } = await opened.call("list_segments_for_source", { source_id: 1 }, person);
  expect((segments as { owner: string }[]).map(({ owner }) => owner)).toContain("claude");
});

test("[qualitative.coding.borrowed-name] a name that a person takes before the approval stays that person's", async () => {
  const { call, root } = await interviewLibrary();
  await call("set_policy", { operation: "*", tier: "suggest" }, person);
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  const agent = { surface: "mcp", client: "dora" };
  const { proposal_id: id } = await call("batch_apply_codes", { operations }, agent);
  await call("save_coder", { name: "Dora" }, person);
  await call("accept_proposal", { id }, person);

  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  expect(db.all("SELECT owner FROM code_text ORDER BY ctid")).toMatchObject([
    { owner: "AI Agent" },
    { owner: "dora (agent)" },
  ]);
});
