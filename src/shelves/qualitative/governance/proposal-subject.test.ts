import { expect, test } from "vitest";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import {
  databaseOf,
  interviewLibrary,
  type ProjectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import type { Answer } from "../../../kernel/call.ts";
import { findRow } from "../qda/storage-rows.ts";
import { proposalSubjectOf } from "./proposal-subject.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** The example project, in which every write of an agent becomes a proposal. */
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

/** A proposal whose approval failed remains pending. */
async function expectWaiting({ call }: Pick<ProjectLibrary, "call">, id: unknown): Promise<void> {
  const { proposals } = await call("proposals", {}, person);
  expect(proposals).toMatchObject([{ id, status: "pending" }]);
}

/** The agent's codings in a source. */
async function codedIn({ call }: Pick<ProjectLibrary, "call">, source_id = 1): Promise<string[]> {
  const { segments } = await call("list_segments_for_source", { source_id }, person);
  return (segments as { selected_text: string; owner: string }[])
    .filter(({ owner }) => owner === agent.client)
    .map(({ selected_text }) => selected_text);
}

test("[qualitative.trust.subject] an accepted proposal codes the proposed text, or nothing", async () => {
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

test("[qualitative.trust.subject] text shifted by an edit is coded as proposed", async () => {
  const opened = await withProposals();
  const operations = [{ code_id: 2, source_id: 1, start_position: 13, end_position: 20 }];
  const id = await opened.proposed("batch_apply_codes", { operations });
  const content = "I hoped. 😀 I doubted, too.\r\nThen I feared again.";
  await opened.call("edit_source_text", { source_id: 1, content }, person);

  expect(await opened.accept(id)).toMatchObject({ status: "accepted" });
  expect(await codedIn(opened)).toEqual(["doubted"]);
});

test("[qualitative.trust.subject] a source that reuses a number gets nothing proposed for the old one", async () => {
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

test("[qualitative.trust.subject] a code that reuses a number is not renamed", async () => {
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

test("[qualitative.trust.subject] an edited proposal also applies to its original source", async () => {
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

test("[qualitative.trust.subject] the effects of one accepted proposal are not undone by the next", async () => {
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

test("[qualitative.trust.subject] data private at proposal time is also left out when it is accepted", async () => {
  const opened = await withProposals();
  await opened.call("set_source_privacy", { source_id: 1 }, person);
  const id = await opened.proposed("auto_code_pattern", { code_id: 2, pattern: "I" });

  expect(await opened.accept(id)).toMatchObject({ status: "accepted", result: { coded: 1 } });
  expect(await codedIn(opened)).toEqual([]);
});

test("[qualitative.trust.subject] a person's acceptance covers a source that became private before it", async () => {
  const opened = await withProposals();
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  const id = await opened.proposed("batch_apply_codes", { operations });
  await opened.call("set_source_privacy", { source_id: 1 }, person);

  expect(await opened.accept(id)).toMatchObject({ status: "accepted" });
  expect(await codedIn(opened)).toEqual(["doubted"]);
});

test("[qualitative.trust.subject] a question is asked again if the text changed before the answer", async () => {
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

test("[qualitative.trust.shown] a person sees the quotes, code and source of a proposal", async () => {
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

test("[qualitative.trust.shown] changes of a private source are not relayed through a client, even a trusted one", async () => {
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

test("[qualitative.trust.subject] a proposal made in the same second as its row still matches it later", async () => {
  const { root } = await interviewLibrary();
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  const later = "2099-01-01 00:00:00";
  for (const table of ["code_text", "code_name"] as const) {
    const before = findRow(db, table, 1);
    if (!before) throw new Error(`There is no row in ${table}.`);
    const soon = String(before.date);
    const proposed = (now: string, after: object) =>
      proposalSubjectOf(
        db,
        [{ table, id: 1, before, after: { ...before, memo: "Other", ...after } }],
        now,
      );
    const marks = [
      proposed(soon, {}),
      proposed(later, {}),
      proposed(soon, { date: soon }),
      proposed(later, { date: later }),
    ];
    expect(new Set(marks.map(({ changes }) => changes)).size).toBe(1);
  }
});
