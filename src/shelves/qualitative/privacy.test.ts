import { cpSync, existsSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waysInto } from "../../../tests/contract/ways-in.ts";
import {
  databaseOf,
  interviewLibrary,
  projectShelves,
} from "../../../tests/fixtures/project-library.ts";
import type { Failure } from "../../kernel/failure.ts";
import { qualitative } from "./shelf.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** The project of the examples, in which the first source is private and coded. */
async function withPrivateSource() {
  const opened = await interviewLibrary();
  await opened.call("set_source_privacy", { source_id: 1 }, person);
  return opened;
}

test("[qualitative.privacy.unseen] nothing of a private source reaches an agent by any operation", async () => {
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

test("[qualitative.privacy.unseen] the list of activity, which programs read too, names no source", async () => {
  const { call } = await withPrivateSource();
  await call("set_source_attributes", { source_id: 1, attributes: { place: "Bonn" } }, person);
  await call("suggest_source_metadata", { source_id: 1, language: "en" }, person);
  await call("accept_proposal", { id: 1 }, person);
  await call("edit_source_text", { source_id: 1, content: "Something else." }, person);
  await call("move_source_to_folder", { source_id: 1 }, person);
  await call("remove_source", { source_id: 1, confirm: true }, person);

  const told = JSON.stringify(await call("activity", {}, { surface: "http" }));
  expect(told).not.toMatch(/source 1|Ana|hoped|Something/);
  expect(JSON.stringify(await call("activity", {}, person))).toContain("Removed source 1");
});

test("[qualitative.privacy.quotes] an agent cannot feel its way along a private text", async () => {
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

test("[qualitative.privacy.person] the person goes on seeing it, and shows it again", async () => {
  const { call } = await withPrivateSource();
  expect((await call("list_sources", {}, person)).sources).toMatchObject([
    { id: 1, private: true },
    { id: 2 },
  ]);
  expect((await call("list_sources", {}, agent)).count).toBe(1);

  await call("set_source_privacy", { source_id: 1, public: true }, person);
  expect((await call("list_sources", {}, agent)).count).toBe(2);
});

test("[qualitative.privacy.unseen] it holds in another process that only reads, and where QualCoder changed its date", async () => {
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

test("[qualitative.privacy.whole] an agent's deed that would change codings of a private source waits for a person", async () => {
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

test("[qualitative.privacy.whole] nobody is asked by way of an agent's client about what is private", async () => {
  const { call, library } = await withPrivateSource();
  await call("set_policy", { operation: "delete_code", tier: "require" }, person);
  const { key } = await call("trust_client", { client: agent.client }, person);
  const entry = library.catalogue.find("delete_code");
  if (!entry) throw new Error("There is no delete_code.");
  const asking = { actor: agent, canAsk: () => true, clientKey: String(key) };
  const deletes = (code_id: number) =>
    library.call(entry, { code_id, delete_segments: true, confirm: true }, asking);

  expect(await deletes(2)).toMatchObject({ questions: { approval: {} } });
  expect(await deletes(1)).toMatchObject({ value: { status: "pending_approval" } });
});

test("[qualitative.privacy.names] the name of a private source is free for an agent, who sees its own under it", async () => {
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

test("[qualitative.privacy.numbers] a private source's number is answered as one that is not there, by every operation", async () => {
  const { call } = await withPrivateSource();
  const taking = qualitative.operations.filter(
    ({ input, expose, effect }) =>
      "source_id" in input.shape && (expose.mcp || expose.http) && effect !== "decides",
  );
  expect(taking.length).toBeGreaterThan(6);
  for (const { name, example } of taking) {
    const told = async (source_id: number) => {
      const answer = await call(name, { ...example, source_id }, agent).catch(
        (failure: Failure) => [failure.kind, failure.code, failure.message, failure.hints],
      );
      return JSON.stringify(answer).replaceAll(String(source_id), "N");
    };
    expect([name, await told(1)]).toEqual([name, (await told(7777)).replaceAll("7777", "N")]);
  }
});

test("[qualitative.privacy.notices] notices and the list of activity name no private source", async () => {
  const { call, notices } = await interviewLibrary();
  const told = async (actor: typeof person) =>
    ((await call("activity", {}, actor)).changes as { summary: string }[]).map(
      ({ summary }) => summary,
    );
  const before = await told({ surface: "http" });
  notices.length = 0;
  await call("set_source_privacy", { source_id: 1 }, person);
  await call("edit_source_text", { source_id: 1, content: "Something else." }, person);

  const about = notices.filter(({ topic }) => /^(source|segments)/.test(topic));
  expect(about.length).toBeGreaterThan(1);
  expect(about.filter((notice) => notice.about !== undefined)).toEqual([]);
  expect(await told({ surface: "http" })).toEqual(before);
  expect((await told(person)).length).toBe(before.length + 2);
});

test("[qualitative.privacy.read-log] the log tells which words an agent was given", async () => {
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

test("[qualitative.privacy.read-log] a file made of the project counts as all of its texts", async () => {
  const { call } = await withPrivateSource();
  await call("export_report", { report: "passages", as: "csv" }, agent);

  expect((await call("list_reads", { limit: 1 }, person)).reads).toMatchObject([
    { agent: "claude", operation: "export_report", source_name: "David", start_pos: 0 },
  ]);
});

test("[qualitative.coding.borrowed-name] an agent that takes the researcher's name codes in another", async () => {
  const { call } = await interviewLibrary();
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  await call("batch_apply_codes", { operations }, { surface: "mcp", client: "default" });

  const { segments } = await call("list_segments_for_source", { source_id: 1 });
  expect(segments).toMatchObject([{ id: 1 }, { owner: "default (agent)" }]);
});

test("[qualitative.privacy.unseen] a folder counts for an agent what it sees, and is not deleted with what it does not", async () => {
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

test("[qualitative.privacy.unseen] what agents read before it was private is named to the person alone", async () => {
  const { call } = await interviewLibrary();
  await call("read_source_content", { source_id: 1 }, agent);
  await call("set_source_privacy", { source_id: 1 }, person);

  const { reads } = await call("list_reads", {}, person);
  expect(reads).toContainEqual(expect.objectContaining({ source_id: 1, source_name: "Ana" }));
  const told = JSON.stringify(await call("list_reads", {}, { surface: "http" }));
  expect(told).toContain("read_source_content");
  expect(told).not.toContain("Ana");
});

test("[qualitative.privacy.proposals] what was proposed and done before it was private is read by the person alone", async () => {
  const { call, library } = await interviewLibrary();
  await call("set_policy", { operation: "*", tier: "suggest" }, person);
  const said = { rationale: "It is plain.", confidence: 70 };
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  await call("batch_apply_codes", { operations, ...said }, agent);
  await call("suggest_source_metadata", { source_id: 1, language: "en", ...said }, agent);
  await call("accept_proposal", { id: 1 }, person);
  await call("set_source_privacy", { source_id: 1 }, person);

  const { request } = waysInto(library, projectShelves);
  const { body } = await request("GET", "/proposals?status=all");
  expect(body).toMatchObject({
    proposals: [
      { id: 1, status: "accepted", ...said },
      { id: 2, status: "pending", ...said },
    ],
  });
  expect(JSON.stringify(body)).not.toMatch(/doubted|Ana/);
  const { proposals } = await call("proposals", { status: "all" }, person);
  expect(proposals).toMatchObject([
    {
      result: { results: [{ selected_text: "doubted" }] },
      preview: expect.stringContaining("Ana"),
    },
    { input: { language: "en" } },
  ]);
});

test("[qualitative.privacy.successor] a source is as open as it was added, whoever had its number before", async () => {
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

test("[qualitative.privacy.files] an agent gets at no private text by way of the project's own files", async () => {
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

test("[qualitative.privacy.read-log] words that are given after a yes, or where nothing was left to do, are in the log", async () => {
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

/** Lists what an agent sees in a project that Lectern never wrote to, which one process has open. */
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

test("[qualitative.privacy.at-once] a mark made in another process holds at once where a project is open that Lectern never wrote to", async () => {
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

test("[qualitative.privacy.at-once] a trial write that is taken back leaves later marks in force", async () => {
  const { root, server, seen, shell } = await withUntouchedProject();
  await server.call("set_policy", { operation: "*", tier: "suggest" }, person);
  await server.call("create_code", { name: "Doubt", color: "#CC4400" }, agent);

  const marked = { source_id: 1, project: join(root, "interviews.qda") };
  await shell.call("set_source_privacy", marked, person);
  expect(await seen()).toEqual(["David"]);
});

test("[qualitative.privacy.at-once] another file in the place of an open project's database is the one that is read", async () => {
  const { file, root, seen, shell } = await withUntouchedProject();
  const marked = { source_id: 1, project: join(root, "interviews.qda") };
  cpSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  await shell.call("set_source_privacy", marked, person);
  expect(await seen()).toEqual(["David"]);
});
