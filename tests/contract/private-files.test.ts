import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Failure } from "../../src/kernel/failure.ts";
import { shelves } from "../../src/shelves.ts";
import { twoProjects } from "../fixtures/processes/two-projects.ts";
import { makeInterviews } from "../fixtures/qualitative/interviews.ts";
import { databaseOf, interviewLibrary } from "../fixtures/qualitative/project-library.ts";
import { clientsOf } from "./surface-clients.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/**
 * A project whose first source links to a Markdown file of a collection. The file is also a
 * decision record and contains a typed object, so every shelf reads it before it becomes private.
 */
async function openWithLinkedSource() {
  const fixture = await interviewLibrary({}, shelves);
  const { root, call } = fixture;
  const records = join(root, "notes", "docs", "adr");
  mkdirSync(records, { recursive: true });
  writeFileSync(
    join(records, "0001-open.md"),
    "# 1. Open matter\n\n## Status\n\nAccepted\n\n## Context\n\nAn open context.\n",
  );
  const linked = join(records, "0002-zanzibar.qmd.md");
  writeFileSync(
    linked,
    "# 2. Quetzal matter\n\n## Status\n\nAccepted\n\n## Context\n\nA quetzal flew.\n\n[[bird: Quetzal]]\n\n- wings: 2\n",
  );
  writeFileSync(join(root, "notes", "readme.qmd.md"), "# Notes [[notes: __Workspace]]\n");
  linkSync(linked, join(root, "notes", "hard.md"));
  symlinkSync(linked, join(root, "notes", "soft.md"));
  databaseOf(join(root, "interviews.qda", "data.qda")).run(
    "UPDATE source SET mediapath = ? WHERE id = 1",
    `docs:${linked}`,
  );
  await call("close_project", {}, person);
  await call("open_project", { path: "interviews.qda" }, agent);
  await call("add_collection", { path: join(root, "notes"), name: "notes" }, person);
  return fixture;
}

const canary = /quetzal|zanzibar|hard\.md|soft\.md/i;

test("[core.boundary.private-files] a linked file disappears from every shelf when its source becomes private, and returns afterwards", async () => {
  const { call, root, beside } = await openWithLinkedSource();
  const notes = join(root, "notes");
  const calls: [string, object][] = [
    ["search", { query: "quetzal" }],
    ["search", { query: "quetzal flew", type: "lex" }],
    ["get", { file: "notes/docs/adr/0002-zanzibar.qmd.md" }],
    ["get", { file: "notes/hard.md" }],
    ["get", { file: "notes/soft.md" }],
    ["multi_get", { pattern: "**/*.md" }],
    ["qmdc_dump_index", { path: notes }],
    ["qmdc_list_workspaces", { path: notes }],
    ["read_directory", { path: join(notes, "docs", "adr") }],
    ["read_directory", { path: notes }],
    ["analyze_repository", { path: notes }],
    ["evaluate_readme_health", { readme_path: join(notes, "docs", "adr", "0002-zanzibar.qmd.md") }],
    ["import_file_source", { file_path: join(notes, "hard.md"), name: "Hard", dry_run: true }],
    ["import_codes", { file: join(notes, "soft.md") }],
  ];
  const answers = async () => {
    const replies: string[] = [];
    for (const [name, input] of calls) {
      const answer = await call(name, input, agent).catch((error: Error) => error.message);
      const text = JSON.stringify(answer);
      const echoed = Object.values(input).map((value) => JSON.stringify(value).slice(1, -1));
      replies.push(echoed.reduce((rest, given) => rest.replaceAll(given, ""), text));
    }
    return calls.flatMap(([name], index) => (canary.test(replies[index] ?? "") ? [name] : []));
  };
  const analysis = (await call("analyze_repository", { path: notes }, agent)) as {
    data: { id: string };
  };
  const analysisInput = { analysisId: analysis.data.id };
  const recommended = () =>
    call("recommend_ssg", analysisInput, agent).then(
      () => "found",
      (failure: Failure) => failure.kind,
    );
  expect(await recommended()).toBe("found");
  const before = await answers();
  expect(before).toEqual(
    expect.arrayContaining(["search", "get", "multi_get", "read_directory", "qmdc_dump_index"]),
  );

  const shell = beside();
  const settings = { source_id: 1, project: join(root, "interviews.qda") };
  await shell.call("set_source_privacy", settings, person);
  expect(await answers()).toEqual([]);
  expect(await recommended()).toBe("not-found");
  const { documents } = (await call("show_collection", { name: "notes" }, agent)) as {
    documents: number;
  };
  expect(documents).toBe(3);

  await shell.call("set_source_privacy", { ...settings, public: true }, person);
  expect((await call("search", { query: "quetzal" }, agent)).results).not.toEqual([]);
});

test("[core.boundary.projects] a folder inside a project cannot become a collection", async () => {
  const { call, root } = await interviewLibrary({}, shelves);
  const documents = join(root, "interviews.qda", "documents");
  writeFileSync(join(documents, "twin.md"), "A quetzal flew.");
  symlinkSync(documents, join(root, "alias"));
  for (const actor of [person, agent]) {
    for (const path of [documents, join(root, "interviews.qda"), join(root, "alias")]) {
      await expect(call("add_collection", { path, name: "twins" }, actor)).rejects.toMatchObject({
        code: "in-project",
      });
    }
  }
  const input = { path: root, name: "all", globPattern: "**/*" };
  await call("add_collection", input, agent);
  expect((await call("search", { query: "quetzal" }, agent)).results).toEqual([]);
});

test.each([["without a force root"], ["under a force root"]])(
  "[qualitative.privacy.files] no tool and no route reads the text file that QualCoder stores for a private source, %s",
  async (condition) => {
    const projects = twoProjects({ "notes/a.md": "# A\n" });
    const owner = projects.open("A");
    await makeInterviews((name, input) => owner.call(name, input));
    const project = join(owner.root, "interviews.qda");
    const documents = join(project, "documents");
    const textFiles = ["Ana.txt", "Ana.md", "Ana.qmd.md"].map((name) => join(documents, name));
    for (const textFile of textFiles) {
      writeFileSync(textFile, "# [[ana: Quetzal]]\n\n- wings: zanzibar\n\nA quetzal flew.\n");
    }
    databaseOf(join(project, "data.qda")).run(
      "UPDATE source SET mediapath = '/docs/Ana.txt' WHERE id = 1",
    );
    await owner.call("set_source_privacy", { source_id: 1 });
    const flags = condition.startsWith("under") ? { forceRoot: owner.root } : {};
    const { library: app, call } = projects.open("A", flags);
    await call("open_project", { path: "interviews.qda" }, agent);
    const { request, tool } = clientsOf(app);

    const calls: [string, (path: string) => Promise<unknown>][] = [
      ["import_file_source", (file_path) => tool("import_file_source", { file_path, name: "B" })],
      ["a dry run", (file_path) => tool("import_file_source", { file_path, dry_run: true })],
      ["codes/import", (file) => request("POST", "/qualitative/codes/import", { file })],
      [
        "projects/import",
        (file) => request("POST", "/qualitative/projects/import", { file, path: "mine.qda" }),
      ],
      ["qmdc_dump_index", (path) => tool("qmdc_dump_index", { path })],
      ["read_directory", (path) => tool("read_directory", { path })],
      ["get", (file) => request("POST", "/get", { file })],
    ];
    for (const [name, ask] of calls) {
      for (const textFile of textFiles) {
        const missing = textFile.replace("Ana", "Nil");
        const replyTo = async (path: string) =>
          JSON.stringify(await ask(path))
            .replaceAll(/Ana\b|Nil\b/g, "N")
            .replaceAll(/"executionTime":[\d.]+/g, "");
        const [secret, absent] = [await replyTo(textFile), await replyTo(missing)];
        expect([name, secret]).not.toEqual([name, expect.stringMatching(canary)]);
        expect([name, secret]).toEqual([name, absent]);
        expect([name, secret]).not.toEqual([name, expect.stringContaining('"success":true')]);
      }
    }
    for (const folder of [documents, project, owner.root]) {
      for (const name of ["read_directory", "qmdc_dump_index", "qmdc_list_workspaces"]) {
        const answer = JSON.stringify(await tool(name, { path: folder }));
        expect([name, folder, answer]).not.toEqual([name, folder, expect.stringMatching(canary)]);
        expect([name, folder, answer]).not.toEqual([
          name,
          folder,
          expect.stringMatching(/\bAna\b/),
        ]);
      }
    }
    await expect(call("read_source_content", { source_id: 1 }, agent)).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
    });
    expect((await call("list_codes", {}, agent)).codes).toHaveLength(2);
    expect((await call("list_sources", {}, agent)).count).toBe(1);
  },
);
