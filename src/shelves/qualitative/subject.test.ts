import { expect, test } from "vitest";
import { outcomeOf } from "../../../tests/fixtures/named-call.ts";
import { interviewLibrary, type ProjectLibrary } from "../../../tests/fixtures/project-library.ts";
import type { Answer } from "../../kernel/call.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** The project of the examples, in which an agent proposes whatever it writes. */
async function withProposals(tier = "suggest") {
  const opened = await interviewLibrary();
  await opened.call("set_policy", { operation: "*", tier }, person);
  const proposed = async (name: string, input: object) =>
    (await opened.call(name, input, agent)).proposal_id;
  return { ...opened, proposed, accept: accepting(opened) };
}

const accepting =
  ({ call }: ProjectLibrary) =>
  (id: unknown, input?: object) =>
    call("accept_proposal", { id, ...(input && { input }) }, person);

const stale = { kind: "conflict", code: "PREVIEW_STALE" };

/** Where a proposal was refused, it waits on. */
async function expectWaiting({ call }: Pick<ProjectLibrary, "call">, id: unknown): Promise<void> {
  const { proposals } = await call("proposals", {}, person);
  expect(proposals).toMatchObject([{ id, status: "pending" }]);
}

/** What the agent has coded in a source. */
async function codedIn({ call }: Pick<ProjectLibrary, "call">, source_id = 1): Promise<string[]> {
  const { segments } = await call("list_segments_for_source", { source_id }, person);
  return (segments as { selected_text: string; owner: string }[])
    .filter(({ owner }) => owner === agent.client)
    .map(({ selected_text }) => selected_text);
}

test("[qualitative.trust.subject] a yes codes the words that were proposed, or none", async () => {
  const opened = await withProposals();
  const operations = [{ code_id: 2, source_id: 1, start_position: 13, end_position: 20 }];
  const id = await opened.proposed("batch_apply_codes", { operations });
  const content = "XXXX I hoped. 😀 I doubted, too.\r\nThen I hoped again.";
  await opened.call("edit_source_text", { source_id: 1, content }, person);

  await expect(opened.accept(id)).rejects.toMatchObject({
    ...stale,
    message: expect.stringContaining("not what was proposed"),
  });
  await expectWaiting(opened, id);
  expect(await codedIn(opened)).toEqual([]);

  const again = await opened.proposed("batch_apply_codes", {
    operations: [{ code_id: 2, source_id: 1, quote: "doubted" }],
  });
  await opened.call("reject_proposal", { id }, person);
  expect(await opened.accept(again)).toMatchObject({ status: "accepted" });
  expect(await codedIn(opened)).toEqual(["doubted"]);
});

test("[qualitative.trust.subject] what an edit has left in its place is coded as proposed", async () => {
  const opened = await withProposals();
  const operations = [{ code_id: 2, source_id: 1, start_position: 13, end_position: 20 }];
  const id = await opened.proposed("batch_apply_codes", { operations });
  const content = "I hoped. 😀 I doubted, too.\r\nThen I feared again.";
  await opened.call("edit_source_text", { source_id: 1, content }, person);

  expect(await opened.accept(id)).toMatchObject({ status: "accepted" });
  expect(await codedIn(opened)).toEqual(["doubted"]);
});

test("[qualitative.trust.subject] a source that has another's number gets nothing of what was proposed for that", async () => {
  for (const [name, input] of [
    ["suggest_source_metadata", { source_id: 2, language: "en" }],
    ["batch_apply_codes", { operations: [{ code_id: 2, source_id: 2, quote: "Nobody" }] }],
    ["move_source_to_folder", { source_id: 2, folder_id: 1 }],
  ] as const) {
    const opened = await withProposals();
    const id = await opened.proposed(name, input);
    await opened.call("remove_source", { source_id: 2, confirm: true }, person);
    const other = { name: "Kim", content: "Nobody asked me." };
    expect(await opened.call("add_text_source", other, person)).toMatchObject({ source_id: 2 });

    await expect(opened.accept(id)).rejects.toMatchObject({
      ...stale,
      message: expect.stringContaining("source 2"),
    });
    await expectWaiting(opened, id);
    expect(await codedIn(opened, 2)).toEqual([]);
    const { sources } = await opened.call("list_sources", {}, person);
    expect(sources).toContainEqual(expect.not.objectContaining({ language: "en" }));
  }
});

test("[qualitative.trust.subject] a code that has another's number is not renamed for it", async () => {
  const opened = await withProposals();
  const id = await opened.proposed("update_code", { code_id: 2, name: "Patience" });
  await opened.call("delete_code", { code_id: 2, confirm: true }, person);
  const made = await opened.call("create_code", { name: "Zeta", color: "#123456" }, person);
  expect(made).toMatchObject({ code_id: 2 });

  await expect(opened.accept(id)).rejects.toMatchObject(stale);
  await expectWaiting(opened, id);
  expect((await opened.call("list_codes", {}, person)).codes).toMatchObject([
    { name: "Hope" },
    { name: "Zeta" },
  ]);
});

test("[qualitative.trust.subject] an edited proposal acts on the source that it was about, too", async () => {
  const opened = await withProposals();
  const operations = [{ code_id: 2, source_id: 2, quote: "Nobody" }];
  const id = await opened.proposed("batch_apply_codes", { operations });
  await opened.call("remove_source", { source_id: 2, confirm: true }, person);
  await opened.call("add_text_source", { name: "Kim", content: "Nobody asked me." }, person);
  const { proposals } = await opened.call("proposals", {}, person);
  const [{ input }] = proposals as [{ input: Record<string, unknown> }];
  const edited = { ...input, input: { operations: [{ ...operations[0], quote: "asked" }] } };

  await expect(opened.accept(id, edited)).rejects.toMatchObject(stale);
  expect(await codedIn(opened, 2)).toEqual([]);
});

test("[qualitative.trust.subject] what one yes did does not undo the next", async () => {
  const opened = await withProposals();
  const ids = [
    await opened.proposed("suggest_source_metadata", { source_id: 1, language: "en" }),
    await opened.proposed("suggest_source_metadata", { source_id: 1, topics: ["work"] }),
    await opened.proposed("move_source_to_folder", { source_id: 1, folder_id: 1 }),
    await opened.proposed("create_code", { name: "Doubt", color: "#123456" }),
    await opened.proposed("create_code", { name: "Fear", color: "#123457" }),
    await opened.proposed("batch_apply_codes", {
      operations: [{ code_id: 2, source_id: 1, quote: "doubted" }],
    }),
    await opened.proposed("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 1, quote: "doubted" }],
    }),
    await opened.proposed("auto_code_pattern", { code_id: 2, pattern: "hoped" }),
  ];
  for (const id of ids) expect(await opened.accept(id)).toMatchObject({ status: "accepted" });
});

test("[qualitative.trust.subject] what is private is left out by a yes, as it was when it was proposed", async () => {
  const opened = await withProposals();
  await opened.call("set_source_privacy", { source_id: 1 }, person);
  const id = await opened.proposed("auto_code_pattern", { code_id: 2, pattern: "I" });

  expect(await opened.accept(id)).toMatchObject({ status: "accepted", result: { coded: 1 } });
  expect(await codedIn(opened)).toEqual([]);
});

test("[qualitative.trust.subject] a person's yes holds for a source that was made private before it", async () => {
  const opened = await withProposals();
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  const id = await opened.proposed("batch_apply_codes", { operations });
  await opened.call("set_source_privacy", { source_id: 1 }, person);

  expect(await opened.accept(id)).toMatchObject({ status: "accepted" });
  expect(await codedIn(opened)).toEqual(["doubted"]);
});

test("[qualitative.trust.subject] a question is asked again where the text was changed before the answer", async () => {
  const { library, call } = await withProposals("require");
  const entry = library.catalogue.find("batch_apply_codes");
  if (!entry) throw new Error("There is no batch_apply_codes.");
  const operations = [{ code_id: 2, source_id: 1, start_position: 0, end_position: 7 }];
  const { key } = await call("trust_client", { client: agent.client }, person);
  const asking = { actor: agent, canAsk: () => true, clientKey: String(key) };
  const asked = await library.call(entry, { operations, rationale: "She says so." }, asking);
  if (asked.ok || asked.failure) throw new Error("Nothing was asked.");
  const { approval } = asked.questions;
  for (const words of ["'Waiting' in 'Ana'", "“I hoped”", "She says so."]) {
    expect(approval).toMatchObject({ message: expect.stringContaining(words) });
  }
  const edits = [{ start_pos: 0, end_pos: 1, text: "We" }];
  await call("edit_source_text", { source_id: 1, edits }, person);
  const answers: Record<string, Answer> = {
    approval: { kind: "form", action: "accept", content: {} },
  };

  const answered = { ...asking, answers, memory: asked.memory };
  expect(await library.call(entry, { operations }, answered)).toMatchObject({
    value: { status: "pending_approval" },
  });
});

test("[qualitative.trust.told] a person reads which words, code and source a proposal is about", async () => {
  const opened = await withProposals();
  const operations = [
    { code_id: 2, source_id: 1, start_position: 13, end_position: 20, memo: "At last." },
  ];
  await opened.proposed("batch_apply_codes", { operations });
  await opened.proposed("update_code", { code_id: 1, name: "Trust" });
  await opened.proposed("suggest_source_metadata", { source_id: 2, language: "en" });
  const { proposals } = await opened.call("proposals", {}, person);

  expect(proposals).toMatchObject([
    { preview: expect.stringContaining("'Waiting' in 'Ana' [13:20]: “doubted” (At last.)") },
    { preview: expect.stringContaining("code 1: 'Hope'") },
    { preview: expect.stringContaining("source 2: 'David'") },
  ]);
  const [{ preview }] = proposals as [{ preview: string }];
  expect(preview).not.toContain("code_id");
});

test("[qualitative.trust.told] what touches a private source is not asked through a client, though it is trusted", async () => {
  const { library, call } = await withProposals("require");
  const { key } = await call("trust_client", { client: agent.client }, person);
  const merge = () =>
    outcomeOf(
      library,
      "merge_codes",
      { source_code_id: 1, target_code_id: 2, confirm: true },
      { actor: agent, canAsk: () => true, clientKey: String(key) },
    );
  expect(await merge()).toMatchObject({ ok: false, questions: { approval: { kind: "form" } } });

  await call("set_source_privacy", { source_id: 1 }, person);
  const outcome = await merge();
  expect(outcome).toMatchObject({ ok: true, value: { status: "pending_approval" } });
  expect(JSON.stringify(outcome)).not.toMatch(/Ana|hoped/);
});
