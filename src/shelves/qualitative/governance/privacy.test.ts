import { cpSync, existsSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import {
  databaseOf,
  interviewLibrary,
  projectShelves,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import type { Failure } from "../../../kernel/failure.ts";
import { qualitative } from "../shelf.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** The example project, with a first source that is private and coded. */
async function withPrivateSource() {
  const opened = await interviewLibrary();
  await opened.call("set_source_privacy", { source_id: 1 }, person);
  return opened;
}

test("[qualitative.privacy.unseen] no operation exposes a private source to an agent", async () => {
  const secret = /hoped|doubted|Ana/;
  const reading = qualitative.operations.filter(({ expose }) => expose.mcp || expose.http);
  expect(reading.length).toBeGreaterThan(25);
  const { call } = await withPrivateSource();
  for (const { name, example, effect } of reading) {
    if (effect === "decides" || /^(create|open|close)_project$/.test(name)) continue;
    const answer = await call(name, example, agent).catch((failure: Error) => failure.message);
    expect([name, JSON.stringify(answer)]).not.toMatchObject([name, expect.stringMatching(secret)]);
  }
});

test("[qualitative.privacy.unseen] the activity list, which programs can read too, names no source", async () => {
  const { call } = await withPrivateSource();
  await call("set_source_attributes", { source_id: 1, attributes: { place: "Bonn" } }, person);
  await call("suggest_source_metadata", { source_id: 1, language: "en" }, person);
  await call("accept_proposal", { id: 1 }, person);
  await call("edit_source_text", { source_id: 1, content: "Something else." }, person);
  await call("move_source_to_folder", { source_id: 1 }, person);
  await call("remove_source", { source_id: 1, confirm: true }, person);

  const received = JSON.stringify(await call("activity", {}, { surface: "http" }));
  expect(received).not.toMatch(/source 1|Ana|hoped|Something/);
  expect(JSON.stringify(await call("activity", {}, person))).toContain("Removed source 1");
});

test("[qualitative.privacy.quotes] an agent cannot reconstruct a private text piece by piece", async () => {
  const { call } = await withPrivateSource();
  const code = (item: object) =>
    call("batch_apply_codes", { operations: [{ code_id: 1, source_id: 1, ...item }] }, agent);

  for (const item of [
    { quote: "doubted" },
    { quote: "absent" },
    { start_position: 0, end_position: 3 },
  ]) {
    await expect(code(item)).rejects.toMatchObject({
      code: "BATCH_APPLY_CODES/ALL_FAILED",
      message: expect.stringContaining("SOURCE_NOT_FOUND"),
    });
  }
});

test("[qualitative.privacy.person] the person still sees the source, and can make it public again", async () => {
  const { call } = await withPrivateSource();
  expect((await call("list_sources", {}, person)).sources).toMatchObject([
    { id: 1, private: true },
    { id: 2 },
  ]);
  expect((await call("list_sources", {}, agent)).count).toBe(1);

  await call("set_source_privacy", { source_id: 1, public: true }, person);
  expect((await call("list_sources", {}, agent)).count).toBe(2);
});

test("[qualitative.privacy.unseen] privacy holds in a read-only process, and if QualCoder changed the file date", async () => {
  const { beside, root } = await withPrivateSource();
  databaseOf(`${root}/interviews.qda/data.qda`).exec("UPDATE source SET date = 'later'");
  const other = beside();
  await other.call("open_project", { path: "interviews.qda" }, agent);

  expect((await other.call("list_sources", {}, agent)).sources).toMatchObject([{ name: "David" }]);
  const { sources } = await other.call("list_sources", {}, person);
  expect(sources).toMatchObject([{ name: "Ana", private: true }, { name: "David" }]);
  await other.call("set_source_privacy", { source_id: 1, public: true }, person);
  expect((await other.call("list_sources", {}, agent)).count).toBe(2);
});

test("[qualitative.privacy.codings] an agent's change that affects codings of a private source waits for a person", async () => {
  const { call, root } = await withPrivateSource();
  const codings = () =>
    databaseOf(`${root}/interviews.qda/data.qda`).all("SELECT cid, fid FROM code_text");
  const before = codings();
  expect(before).toMatchObject([{ cid: 1, fid: 1 }]);
  expect(await call("get_code", { code_id: 1 }, agent)).toMatchObject({ segment_count: 0 });
  const pending = { status: "pending_approval" };

  expect(await call("delete_code", { code_id: 1 }, agent)).toMatchObject({ segments_count: 0 });
  expect(await call("delete_code", { code_id: 1, confirm: true }, agent)).toMatchObject(pending);
  const merged = { source_code_id: 1, target_code_id: 2 };
  expect(await call("merge_codes", merged, agent)).toMatchObject({ segments_count: 0 });
  expect(await call("merge_codes", { ...merged, confirm: true }, agent)).toMatchObject(pending);
  expect(codings()).toEqual(before);

  const { proposals } = await call("proposals", {}, person);
  const [, merge] = proposals as { id: number }[];
  await call("accept_proposal", { id: merge?.id }, person);
  expect(codings()).toMatchObject([{ cid: 2, fid: 1 }]);
});

test("[qualitative.privacy.codings] questions about private data are not relayed through an agent's client", async () => {
  const { call, library } = await withPrivateSource();
  await call("set_policy", { operation: "delete_code", tier: "require" }, person);
  const { key } = await call("trust_client", { client: agent.client }, person);
  const entry = library.catalogue.find("delete_code");
  if (!entry) throw new Error("There is no delete_code.");
  const asking = { actor: agent, canAsk: () => true, clientKey: String(key) };
  const deletes = (code_id: number) =>
    library.call(entry, { code_id, delete_segments: true, confirm: true }, asking);

  // One of the two is used in the private source, and the answers are the same.
  for (const code of [1, 2]) {
    expect(await deletes(code)).toMatchObject({ value: { status: "pending_approval" } });
  }
  await call("set_source_privacy", { source_id: 1, public: true }, person);
  expect(await deletes(2)).toMatchObject({ questions: { approval: {} } });
});

test("[qualitative.privacy.names] an agent can use the name of a private source, and sees its own source under it", async () => {
  const { call, root } = await withPrivateSource();
  const add = (name: string, actor: typeof person = agent) =>
    call("add_text_source", { name, content: "I was asked." }, actor);
  const namesFor = async (actor: typeof person) =>
    ((await call("list_sources", {}, actor)).sources as { name: string }[]).map(({ name }) => name);

  expect(await add("Ana")).toMatchObject({ name: "Ana", status: "imported" });
  expect(await add("ana (2)")).toMatchObject({ name: "ana (2)" });
  expect(await namesFor(agent)).toEqual(["Ana", "ana (2)", "David"]);
  expect(await namesFor(person)).toEqual(["Ana", "Ana (2)", "ana (2)", "David"]);
  await expect(add("Ana")).rejects.toMatchObject({ code: "SOURCE_NOT_ADDED/DUPLICATE_NAME" });
  await expect(add("Ana", person)).rejects.toMatchObject({
    code: "SOURCE_NOT_ADDED/DUPLICATE_NAME",
  });
  const file_path = join(root, "notes", "2026-01-meeting.md");
  await call("set_source_privacy", { source_id: 2 }, person);
  expect(await call("import_file_source", { file_path, name: "David" }, agent)).toMatchObject({
    name: "David",
  });

  await call("set_source_privacy", { source_id: 1, public: true }, person);
  expect(await namesFor(agent)).toEqual(["Ana", "Ana (2)", "ana (2)", "David"]);
});

test("[qualitative.privacy.numbers] every operation answers a private source's number like a missing one", async () => {
  const { call } = await withPrivateSource();
  const taking = qualitative.operations.filter(
    ({ input, expose, effect }) =>
      "source_id" in input.shape && (expose.mcp || expose.http) && effect !== "decides",
  );
  expect(taking.length).toBeGreaterThan(6);
  for (const { name, example } of taking) {
    const answerFor = async (source_id: number) => {
      const answer = await call(name, { ...example, source_id }, agent).catch(
        (failure: Failure) => [failure.kind, failure.code, failure.message, failure.hints],
      );
      return JSON.stringify(answer).replaceAll(String(source_id), "N");
    };
    expect([name, await answerFor(1)]).toEqual([
      name,
      (await answerFor(7777)).replaceAll("7777", "N"),
    ]);
  }
});

test("[qualitative.privacy.numbers] a coding of a private source is reported as missing when an agent changes or removes it", async () => {
  const { call, library, root } = await withPrivateSource();
  await call("set_policy", { operation: "*", tier: "autonomous" }, person);
  const codings = () =>
    databaseOf(`${root}/interviews.qda/data.qda`).all("SELECT * FROM code_text");
  const before = codings();
  const { request, tool } = clientsOf(library, projectShelves);
  const wishes: [string, object][] = [
    ["remove_coding", {}],
    ["change_coding", { memo: "Mine" }],
    ["change_coding", { start_position: 0, end_position: 3 }],
    ["erase_coding", { start_position: 2, end_position: 4 }],
  ];
  const proposed = { rationale: "It is plain.", confidence: 90 };
  for (const [name, wish] of wishes) {
    const answerFor = async (segment_id: number) => {
      const answers = [
        await call(name, { segment_id, ...wish }, agent).catch((error: Failure) => {
          expect([name, error.kind]).toEqual([name, "not-found"]);
          return [error.code, error.message, error.hints];
        }),
        await tool(name, { segment_id, ...wish, ...proposed }),
        name === "change_coding"
          ? await request("PUT", `/qualitative/segments/${segment_id}`, wish)
          : await request("POST", `/qualitative/segments/${segment_id}/erase`, wish),
      ];
      expect(JSON.stringify(answers)).not.toMatch(/pending|"status":200/);
      return JSON.stringify(answers).replaceAll(String(segment_id), "N");
    };
    expect([name, await answerFor(1)]).toEqual([name, await answerFor(7777)]);
  }
  expect(codings()).toEqual(before);
  expect((await call("proposals", {}, person)).total).toBe(0);
  expect(await call("change_coding", { segment_id: 1, memo: "Mine" }, person)).toMatchObject({
    segment_id: 1,
  });
});

test("[qualitative.privacy.notices] notices and the activity list name no private source", async () => {
  const { call, notices } = await interviewLibrary();
  const answerFor = async (actor: typeof person) =>
    ((await call("activity", {}, actor)).changes as { summary: string }[]).map(
      ({ summary }) => summary,
    );
  const before = await answerFor({ surface: "http" });
  notices.length = 0;
  await call("set_source_privacy", { source_id: 1 }, person);
  await call("edit_source_text", { source_id: 1, content: "Something else." }, person);

  const about = notices.filter(({ topic }) => /^(source|segments)/.test(topic));
  expect(about.length).toBeGreaterThan(1);
  expect(about.filter((notice) => notice.about !== undefined)).toEqual([]);
  expect(await answerFor({ surface: "http" })).toEqual(before);
  expect((await answerFor(person)).length).toBe(before.length + 2);
});

test("[qualitative.privacy.notices] accepting what was proposed for a source that is private now does not name it", async () => {
  const { call, notices } = await interviewLibrary();
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  await call("set_policy", { operation: "batch_apply_codes", tier: "suggest" }, person);
  await call("batch_apply_codes", { operations }, agent);
  await call("suggest_source_metadata", { source_id: 1, language: "en" }, agent);
  await call("set_source_privacy", { source_id: 1 }, person);
  notices.length = 0;
  for (const id of [1, 2]) await call("accept_proposal", { id }, person);

  const about = notices.filter(({ topic }) => /^(source|segments)/.test(topic));
  expect(about.map(({ topic }) => topic)).toEqual(["segments.changed", "source.changed"]);
  expect(about.filter((notice) => notice.about !== undefined)).toEqual([]);
});

test("[qualitative.privacy.read-log] the log records which text an agent was given", async () => {
  const { call } = await interviewLibrary();
  await call("read_source_content", { source_id: 1, start_pos: 2, max_length: 5 }, agent);
  await call("read_source_content", { source_id: 2 }, person);
  await call("list_segments_for_source", { source_id: 1 }, agent);

  const about = { agent: "claude", source_id: 1, start_pos: 2, end_pos: 7 };
  expect((await call("list_reads", {}, person)).reads).toMatchObject([
    { ...about, operation: "list_segments_for_source" },
    { ...about, operation: "read_source_content", source_name: "Ana" },
    { operation: "batch_apply_codes" },
  ]);
});

test("[qualitative.privacy.read-log] exporting the project counts as reading all of its texts", async () => {
  const { call } = await withPrivateSource();
  await call("export_report", { report: "passages", as: "csv" }, agent);

  expect((await call("list_reads", { limit: 1 }, person)).reads).toMatchObject([
    { agent: "claude", operation: "export_report", source_name: "David", start_pos: 0 },
  ]);
});

test("[qualitative.coding.borrowed-name] an agent using the researcher's name codes under another name", async () => {
  const { call } = await interviewLibrary();
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  await call("batch_apply_codes", { operations }, { surface: "mcp", client: "default" });

  const { segments } = await call("list_segments_for_source", { source_id: 1 });
  expect(segments).toMatchObject([{ id: 1 }, { owner: "default (agent)" }]);
});

test("[qualitative.privacy.unseen] for an agent, a folder counts only visible sources, and cannot be deleted with hidden ones", async () => {
  const { call } = await interviewLibrary();
  await call("move_source_to_folder", { source_id: 2, folder_id: 1 });
  await call("set_source_privacy", { source_id: 2 }, person);
  const counts = async (actor: typeof person) =>
    ((await call("list_folders", {}, actor)).folders as { source_count: number }[]).map(
      ({ source_count }) => source_count,
    );

  expect(await counts(agent)).toEqual([0, 0]);
  expect(await counts(person)).toEqual([1, 0]);
  expect(await call("delete_folder", { folder_id: 1 }, agent)).toMatchObject({
    status: "pending_approval",
  });
  expect(await counts(person)).toEqual([1, 0]);
});

test("[qualitative.privacy.unseen] reads by agents before a source was private are listed only for the person", async () => {
  const { call } = await interviewLibrary();
  await call("read_source_content", { source_id: 1 }, agent);
  await call("set_source_privacy", { source_id: 1 }, person);

  const { reads } = await call("list_reads", {}, person);
  expect(reads).toContainEqual(expect.objectContaining({ source_id: 1, source_name: "Ana" }));
  await call("read_source_content", { source_id: 2 }, agent);
  expect(await call("list_reads", {}, { surface: "http" })).toMatchObject({
    reads: [{ source_id: 2, source_name: null }],
    total: 1,
  });
  await call("close_project", {}, agent);
  expect(await call("list_reads", {}, { surface: "http" })).toMatchObject({ reads: [], total: 0 });
});

test("[qualitative.privacy.proposals] proposals and changes made before a source was private are readable only by the person", async () => {
  const { call, library } = await interviewLibrary();
  await call("set_policy", { operation: "*", tier: "suggest" }, person);
  const reasoning = { rationale: "She says that she doubted.", confidence: 70 };
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  await call("batch_apply_codes", { operations, ...reasoning }, agent);
  await call("suggest_source_metadata", { source_id: 1, language: "en", ...reasoning }, agent);
  await call("accept_proposal", { id: 1 }, person);
  await call("set_source_privacy", { source_id: 1 }, person);

  const { request } = clientsOf(library, projectShelves);
  const { body } = await request("GET", "/proposals?status=all");
  expect(body).toMatchObject({
    proposals: [
      { id: 1, status: "accepted", confidence: 70 },
      { id: 2, status: "pending", confidence: 70 },
    ],
  });
  expect(JSON.stringify(body)).not.toMatch(/doubted|Ana/);
  const { proposals } = await call("proposals", { status: "all" }, person);
  expect(proposals).toMatchObject([
    {
      result: { results: [{ selected_text: "doubted" }] },
      preview: expect.stringContaining("Ana"),
      ...reasoning,
    },
    { input: { language: "en" }, ...reasoning },
  ]);
});

test("[qualitative.privacy.successor] a source's privacy does not depend on an earlier source with its number", async () => {
  const { call, root } = await interviewLibrary();
  await call("set_source_privacy", { source_id: 2 }, person);
  await call("edit_source_text", { source_id: 2, content: "Something else." }, person);
  const operations = [{ code_id: 1, source_id: 2, quote: "Something" }];
  await call("batch_apply_codes", { operations }, person);
  databaseOf(`${root}/interviews.qda/data.qda`).exec("DELETE FROM source WHERE id = 2");
  const added = await call("add_text_source", { name: "Kim", content: "I was asked." }, agent);

  const { sources } = await call("list_sources", {}, agent);
  expect(sources).toMatchObject([{ name: "Ana" }, { id: added.source_id, name: "Kim" }]);
  expect(JSON.stringify(sources)).not.toContain("private");
  expect(
    await call("list_segments_for_source", { source_id: added.source_id }, agent),
  ).toMatchObject({ segments: [] });
});

test("[qualitative.privacy.files] an agent cannot read a private text through the project's own files", async () => {
  const { call, root } = await interviewLibrary();
  const file = join(root, "secret.txt");
  writeFileSync(file, "Nobody reads this.");
  await call("import_file_source", { file_path: file }, person);
  const copy = readdirSync(root).find((name) => name.includes("_BKUP_")) ?? "old_BKUP_1.qda";
  cpSync(join(root, "interviews.qda"), join(root, copy), { recursive: true });
  await call("set_source_privacy", { source_id: 3 }, person);
  const kept = join(root, "interviews.qda", "documents", "secret.txt");
  expect(existsSync(kept)).toBe(true);
  symlinkSync(kept, join(root, "innocent.txt"));
  const ofCopy = join(root, copy, "documents", "secret.txt");

  for (const file_path of [kept, join(root, "innocent.txt"), ofCopy]) {
    for (const dry_run of [true, false]) {
      const again = call("import_file_source", { file_path, name: "Again", dry_run }, agent);
      await expect(again).rejects.toMatchObject({
        kind: "forbidden",
        code: "SOURCE_NOT_IMPORTED/OF_A_PROJECT",
      });
    }
  }
  await expect(call("open_project", { path: copy }, agent)).rejects.toMatchObject({
    kind: "forbidden",
    code: "PROJECT_NOT_OPENED/BACKUP",
  });
  expect(await call("open_project", { path: copy }, person)).toMatchObject({ source_count: 3 });
  await call("open_project", { path: "interviews.qda" }, person);
  const again = { file_path: kept, name: "Again" };
  expect(await call("import_file_source", again, person)).toMatchObject({ source_id: 4 });
});

test("[qualitative.privacy.read-log] texts returned after an approval, or by a call without effect, are logged", async () => {
  const { call, library } = await interviewLibrary();
  await call("set_policy", { operation: "auto_code_pattern", tier: "require" }, person);
  const newest = async () =>
    ((await call("list_reads", { limit: 1 }, person)).reads as { id: number }[])[0];
  const entry = library.catalogue.find("auto_code_pattern");
  if (!entry) throw new Error("There is no auto_code_pattern.");
  const input = { code_id: 2, pattern: "doubted" };
  const { key } = await call("trust_client", { client: agent.client }, person);
  const asking = { actor: agent, canAsk: () => true, clientKey: String(key) };
  const asked = await library.call(entry, input, asking);
  if (asked.ok || asked.failure) throw new Error("Nothing was asked.");
  const answers = { approval: { kind: "form" as const, action: "accept" as const, content: {} } };
  const done = await library.call(entry, input, { ...asking, answers, memory: asked.memory });
  expect(done).toMatchObject({ value: { coded: 1 } });
  const noted = await newest();
  expect(noted).toMatchObject({ operation: "auto_code_pattern", start_pos: 13, end_pos: 20 });

  expect(await call("auto_code_pattern", input, agent)).toMatchObject({ duplicates_skipped: 1 });
  expect((await newest())?.id).toBeGreaterThan(noted?.id ?? 0);
});

/** The sources that an agent sees in a project that Lectern never wrote to and has open. */
async function withUntouchedProject() {
  const { beside, call, root } = await interviewLibrary();
  const file = join(root, "interviews.qda", "data.qda");
  await call("close_project", {}, person);
  const db = databaseOf(file);
  const own = db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'lectern%'",
  );
  for (const { name } of own) db.exec(`DROP TABLE ${name}`);
  const server = beside();
  await server.call("open_project", { path: "interviews.qda" }, agent);
  const seen = async () =>
    ((await server.call("list_sources", {}, agent)).sources as { name: string }[]).map(
      ({ name }) => name,
    );
  expect(await seen()).toEqual(["Ana", "David"]);
  return { file, root, server, seen, shell: beside() };
}

test("[qualitative.privacy.at-once] a mark made in another process applies immediately to an open project that Lectern never wrote to", async () => {
  const { root, server, seen, shell } = await withUntouchedProject();
  const place = { project: join(root, "interviews.qda") };

  await shell.call("set_source_privacy", { source_id: 1, ...place }, person);
  expect(await seen()).toEqual(["David"]);
  await expect(server.call("read_source_content", { source_id: 1 }, agent)).rejects.toMatchObject({
    code: "SOURCE_NOT_FOUND",
  });

  await shell.call("set_source_privacy", { source_id: 1, public: true, ...place }, person);
  expect(await seen()).toEqual(["Ana", "David"]);

  const { change_id } = await shell.call("set_source_privacy", { source_id: 2, ...place }, person);
  expect(await seen()).toEqual(["Ana"]);
  await shell.call("undo_change", { id: change_id }, person);
  expect(await seen()).toEqual(["Ana", "David"]);
});

test("[qualitative.privacy.at-once] a trial write that is rolled back leaves later marks in effect", async () => {
  const { root, server, seen, shell } = await withUntouchedProject();
  await server.call("set_policy", { operation: "*", tier: "suggest" }, person);
  await server.call("create_code", { name: "Doubt", color: "#CC4400" }, agent);

  const marked = { source_id: 1, project: join(root, "interviews.qda") };
  await shell.call("set_source_privacy", marked, person);
  expect(await seen()).toEqual(["David"]);
});

test("[qualitative.privacy.at-once] if an open project's database is replaced, the new file is read", async () => {
  const { file, root, seen, shell } = await withUntouchedProject();
  const marked = { source_id: 1, project: join(root, "interviews.qda") };
  cpSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  await shell.call("set_source_privacy", marked, person);
  expect(await seen()).toEqual(["David"]);
});
