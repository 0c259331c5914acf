import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waysInto } from "../../../tests/contract/ways-in.ts";
import {
  databaseOf,
  interviewLibrary,
  projectShelves,
} from "../../../tests/fixtures/project-library.ts";
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
  expect(told).toContain("Removed source 1");
  expect(told).not.toMatch(/Ana|hoped|Something/);
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

test("[qualitative.privacy.whole] what an agent deletes or merges is whole, with the codings it does not see", async () => {
  const { call, root } = await withPrivateSource();
  expect(await call("delete_code", { code_id: 1, delete_segments: true }, agent)).toMatchObject({
    segments_count: 1,
  });
  await call("merge_codes", { source_code_id: 1, target_code_id: 2, confirm: true }, agent);

  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  expect(db.all("SELECT cid FROM code_text")).toMatchObject([{ cid: 2 }]);
  const taken = call("add_text_source", { name: "ana", content: "x" }, agent);
  await expect(taken).rejects.toMatchObject({ code: "SOURCE_NOT_ADDED/DUPLICATE_NAME" });
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
  await expect(call("delete_folder", { folder_id: 1 }, agent)).rejects.toMatchObject({
    code: "FOLDER_NOT_DELETED/HAS_SOURCES",
    message: "Folder contains sources; move them first",
  });
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
  const asking = { actor: agent, canAsk: () => true };
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
