import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { gitPerson } from "../../../../tests/fixtures/repository/git-remotes.ts";
import { homeFiles, readSettings } from "../../../kernel/home/settings.ts";
import { type App, openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { openDatabase } from "../../../kernel/storage/database.ts";
import { search } from "../shelf.ts";
import { formatSkipped } from "./update.ts";

const opened: App[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  return Promise.all(opened.splice(0).map((library) => library.close()));
});

test("[search.search.results] a result has docid, file, title, score, context and snippet", async () => {
  const call = await libraryWith({ "notes/a.md": "# Plan\n\nThe meeting is on Monday." });
  const { results } = await call("search", { query: "meeting" });

  expect(results).toEqual([
    {
      docid: expect.stringMatching(/^#[0-9a-f]{6}$/),
      file: "notes/a.md",
      title: "Plan",
      score: expect.any(Number),
      context: null,
      snippet: "3: The meeting is on Monday.",
      line: 1,
      matchLine: 3,
      endLine: 3,
      headings: ["Plan"],
    },
  ]);
  const [{ score }] = results;
  expect(score).toBe(Math.round(score * 100) / 100);
});

test("[search.search.object] a hit inside a typed object names the object", async () => {
  const call = await libraryWith({
    "notes/tower.qmd.md":
      "Stone and salt.\n\n# Tower [[tower: Building]]\n\n## Lamp [[lamp: Lamp]]\n\n- oil: whale\n",
    "notes/plain.md": "# Tower [[tower: Building]]\n\n- oil: whale\n",
  });
  const objectsFor = async (query: string) =>
    Object.fromEntries(
      (await call("search", { query })).results.map((hit: { file: string; object?: object }) => [
        hit.file,
        hit.object,
      ]),
    );

  expect(await objectsFor("whale")).toEqual({
    "notes/tower.qmd.md": { id: "tower.lamp", kind: "Lamp" },
    "notes/plain.md": undefined,
  });
  expect(await objectsFor("salt")).toEqual({ "notes/tower.qmd.md": undefined });
});

test("[search.search.defaults] the default limit is ten results", async () => {
  const files = Array.from({ length: 12 }, (_, n) => [`notes/${n}.md`, `word number ${n}`]);
  const call = await libraryWith(Object.fromEntries(files));

  expect((await call("search", { query: "word" })).results).toHaveLength(10);
  expect((await call("search", { query: "word", limit: 3 })).results).toHaveLength(3);
});

test("[search.search.min-score] weak matches are left out on request", async () => {
  const call = await libraryWith({
    "notes/a.md": "# Lamp\nlamp",
    "notes/b.md": "once a lamp, far away",
  });
  const { results } = await call("search", { query: "lamp" });
  const [best, other] = results;

  const strong = await call("search", { query: "lamp", minScore: (best.score + other.score) / 2 });
  expect(strong.results).toHaveLength(1);
});

test("[search.search.collection] one collection can be searched; an unknown one is named in the error", async () => {
  const call = await libraryWith({ "notes/a.md": "lamp", "work/b.md": "lamp" });

  expect(filesOf(await call("search", { query: "lamp", collection: "work" }))).toEqual([
    "work/b.md",
  ]);
  expect(await call("search", { query: "lamp", collection: "wrk" })).toMatchObject({
    kind: "not-found",
    hints: ["Did you mean 'work'?"],
  });
});

test("[search.search.empty] an empty result is not an error", async () => {
  const call = await libraryWith({ "notes/a.md": "lamp" });

  expect(await call("search", { query: "whale" })).toEqual({ results: [] });
});

test("[search.search.text] each surface uses the founding document's text", async () => {
  const call = await libraryWith({ "notes/a.md": "# Plan\nlamp" });
  const output = await call("search", { query: "lamp" });
  const [{ docid, score }] = output.results;
  const line = `${docid} ${Math.round(score * 100)}% notes/a.md - Plan`;
  const read = (reader: "agent" | "program", found: unknown) => {
    const { present } = search.operations.find(({ name }) => name === "search") ?? {};
    return present?.(found, { query: "lamp" }, reader)[0];
  };

  expect(read("agent", output)).toEqual({
    type: "text",
    text: `Found 1 result for "lamp":\n\n${line}`,
  });
  expect(read("program", output)).toEqual({
    type: "text",
    text: `Found 1 result for "lamp"\n\n${line}`,
  });
  expect(read("agent", { results: [] })).toEqual({
    type: "text",
    text: 'No results found for "lamp"',
  });
});

test("[search.search.context] results contain the contexts of their folders, and of no other", async () => {
  const call = await libraryWith(
    { "notes/work/a.md": "lamp", "notes/workshop/b.md": "lamp" },
    { "notes/work": "Work notes", notes: "All notes" },
  );
  const { results } = await call("search", { query: "lamp" });
  const contexts = new Map(results.map((hit: Hit) => [hit.file, hit.context]));

  expect(contexts.get("notes/work/a.md")).toBe("All notes\n\nWork notes");
  expect(contexts.get("notes/workshop/b.md")).toBe("All notes");
});

test("[search.search.context] the context of the parent folder comes first, however its path is written", async () => {
  const call = await libraryWith({ "notes/work/2025/a.md": "lamp" });
  const { path } = (await call("list_collections", {})).collections[0];
  await call("add_context", { path: "notes/work/2025", text: "Year plan" });
  await call("add_context", { path: `${path}/work`, text: "Work notes" });
  const { results } = await call("search", { query: "lamp" });

  expect(results[0].context).toBe("Work notes\n\nYear plan");
});

test("[search.get.forms] a document is found by path, path suffix, docid and URI", async () => {
  const call = await libraryWith({
    "notes/2026/my plan.md": "# Plan\nlamp",
    "notes/b.md": "other",
  });
  const [{ docid }] = (await call("search", { query: "lamp" })).results;
  const names = ["notes/2026/my plan.md", "2026/my plan.md", "my plan.md", docid, docid.slice(1)];
  const uris = ["qmd://notes/2026/my%20plan.md", "qmd://notes%2F2026%2Fmy%20plan.md"];

  for (const file of [...names, ...uris]) {
    expect((await call("get", { file })).document).toEqual({
      uri: "qmd://notes/2026/my%20plan.md",
      name: "notes/2026/my plan.md",
      title: "Plan",
      mimeType: "text/markdown",
      text: "# Plan\nlamp",
    });
  }
});

test("[search.get.lines] `file.md:3` starts at line 3, overrides fromLine, and lines are numbered on request", async () => {
  const call = await libraryWith({ "notes/a.md": "one\ntwo\nthree\nfour\nfive" });
  const text = async (input: object) => (await call("get", input)).document.text;

  expect(await text({ file: "a.md:3", maxLines: 2 })).toBe("three\nfour");
  expect(await text({ file: "a.md:3", fromLine: 1, maxLines: 1 })).toBe("three");
  expect(await text({ file: "a.md", fromLine: 2, maxLines: 2, lineNumbers: true })).toBe(
    "2: two\n3: three",
  );
  expect(await text({ file: "a.md", fromLine: 99 })).toBe("");
});

test("a file whose name ends like a line number is found by its name first", async () => {
  const call = await libraryWith({ "notes/a:3": "colon" }, {}, "**/*");

  expect((await call("get", { file: "notes/a:3" })).document.text).toBe("colon");
});

test("[search.get.similar] an unknown name is answered with similar names", async () => {
  const call = await libraryWith({ "notes/meeting.md": "x", "notes/other.md": "y" });
  const failure = await call("get", { file: "notes/meetings.md" });
  const lines = failure.message.split("\n");

  expect(failure.kind).toBe("not-found");
  expect(lines.slice(0, 4)).toEqual([
    "Document not found: notes/meetings.md",
    "",
    "Did you mean one of these?",
    "  - notes/meeting.md",
  ]);
  expect(lines.length).toBeLessThanOrEqual(6);
});

test("[search.get.suffix] a path suffix matches only at a slash, and only if it is unique", async () => {
  const call = await libraryWith({
    "notes/areas/index.md": "a",
    "notes/b/index.md": "b",
    "c/x.md": "c",
  });

  expect(await call("get", { file: "eas/index.md" })).toMatchObject({ kind: "not-found" });
  const ambiguous = await call("get", { file: "index.md" });
  expect(ambiguous).toMatchObject({ kind: "invalid", code: "ambiguous" });
  expect(ambiguous.hints).toContain("  - notes/areas/index.md");
});

test("[search.get.wildcards] SQL and glob wildcards in names are ordinary characters", async () => {
  const call = await libraryWith({
    "notes/a_b.md": "1",
    "notes/axb.md": "2",
    "notes/100%.md": "3",
  });

  expect((await call("get", { file: "a_b.md" })).document.text).toBe("1");
  expect((await call("get", { file: "100%.md" })).document.text).toBe("3");
  expect(await call("get", { file: "%.md" })).toMatchObject({ kind: "not-found" });
  expect(await call("get", { file: "a?b.md" })).toMatchObject({ kind: "not-found" });
});

test("[search.get.context] the context precedes the text", async () => {
  const call = await libraryWith({ "notes/a.md": "one" }, { notes: "My notes" });

  expect((await call("get", { file: "a.md" })).document.text).toBe(
    "<!-- Context: My notes -->\n\none",
  );
});

test("[search.get.context] a context cannot close the comment that contains it", async () => {
  const notes = "A --> B ---> C --!> D -- E <!-- F";
  const call = await libraryWith({ "notes/a.md": "one" }, { notes });
  const { text } = (await call("get", { file: "a.md" })).document;

  expect(text).toBe("<!-- Context: A -- > B --- > C -- !> D -- E <!-- F -->\n\none");
});

test("two documents with the same content share a docid, which finds one of them", async () => {
  const call = await libraryWith({ "notes/a.md": "same", "notes/b.md": "same" });
  const { results } = await call("search", { query: "same" });

  expect(new Set(results.map((hit: Hit) => hit.docid)).size).toBe(1);
  expect((await call("get", { file: results[0].docid })).document.text).toBe("same");
});

test("[search.multi-get.glob] a glob reads matching files, by collection/path or by path", async () => {
  const call = await libraryWith({
    "journals/2025-05-01.md": "one",
    "journals/2025-06-01.md": "two",
    "notes/a.md": "x",
  });
  const names = async (pattern: string) =>
    (await call("multi_get", { pattern })).results.map(({ name }: { name: string }) => name);

  expect(await names("journals/2025-05*.md")).toEqual(["journals/2025-05-01.md"]);
  expect(await names("2025-*.md")).toEqual(["journals/2025-05-01.md", "journals/2025-06-01.md"]);
  expect(await names("a.md, journals/2025-06-01.md")).toEqual([
    "notes/a.md",
    "journals/2025-06-01.md",
  ]);
  expect(await call("multi_get", { pattern: "{a,b}".repeat(16) })).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("'pattern'"),
  });
});

test("[search.multi-get.skip] a large file is skipped and named, in each surface's wording", async () => {
  const call = await libraryWith({ "notes/big.md": "x".repeat(15 * 1024), "notes/a.md": "one" });
  const output = await call("multi_get", { pattern: "notes/*.md" });
  const { present } = search.operations.find(({ name }) => name === "multi_get") ?? {};
  const blocks = present?.(output, {}, "agent") ?? [];

  expect(output.results[1]).toMatchObject({
    type: "text",
    text: "[SKIPPED: notes/big.md - File too large (15KB). Use 'qmd get' with file=\"notes/big.md\" to retrieve.]",
  });
  expect(blocks[0]).toEqual({
    type: "text",
    text: "Errors:\nFile too large: notes/big.md (skipped)",
  });
  expect(blocks[2]).toEqual({
    type: "text",
    text: "[SKIPPED: notes/big.md - File too large (15KB). Use 'qmd_get' with file=\"notes/big.md\" to retrieve.]",
  });
  expect(
    (await call("multi_get", { pattern: "notes/*.md", maxBytes: 20_000 })).results,
  ).toHaveLength(2);
});

test("[search.multi-get.cut] truncated text reports how many lines are missing, in each surface's wording", async () => {
  const call = await libraryWith({ "notes/a.md": "1\n2\n3\n4" });
  const output = await call("multi_get", { pattern: "a.md", maxLines: 1, lineNumbers: true });
  const { present } = search.operations.find(({ name }) => name === "multi_get") ?? {};

  expect(output.results[0].text).toBe("1: 1\n\n[...truncated 3 more lines]");
  expect(present?.(output, {}, "agent")[0]).toMatchObject({
    resource: { text: "1: 1\n\n[... truncated 3 more lines]", name: "notes/a.md" },
  });
});

test("[search.multi-get.none] a request without any match is an error that names what is missing", async () => {
  const call = await libraryWith({ "notes/a.md": "1" });

  expect(await call("multi_get", { pattern: "nope/*.md" })).toMatchObject({
    kind: "not-found",
    message: "No files matched pattern: nope/*.md",
  });
  expect(await call("multi_get", { pattern: "a.md, gone.md" })).toMatchObject({
    results: [{ name: "notes/a.md" }],
    errors: ["Document not found: gone.md"],
  });
});

test("[search.status.facts] status counts documents and collections", async () => {
  const call = await libraryWith({ "notes/a.md": "1", "notes/b.md": "2", "work/c.md": "3" });

  expect(await call("status", {})).toMatchObject({
    totalDocuments: 3,
    needsEmbedding: 3,
    hasVectorIndex: false,
    collections: [
      { name: "notes", documents: 2, pattern: "**/*.md", lastUpdated: expect.stringMatching(/Z$/) },
      { name: "work", documents: 1 },
    ],
  });
});

test("[search.collections.life] a collection is added, renamed, undone and removed; its folder stays", async () => {
  const call = await libraryWith({ "notes/a.md": "lamp" });
  const { path } = (await call("list_collections", {})).collections[0];

  expect(await call("add_collection", { name: "more", path })).toMatchObject({
    status: "added",
    documents: 1,
  });
  expect(await call("add_collection", { name: "more", path })).toMatchObject({ kind: "conflict" });
  expect(await call("rename_collection", { name: "more", newName: "most" })).toMatchObject({
    newName: "most",
  });
  expect(filesOf(await call("search", { query: "lamp", collection: "most" }))).toEqual([
    "most/a.md",
  ]);
  expect(await call("remove_collection", { name: "most" })).toMatchObject({
    status: "removed",
    name: "most",
  });
  expect(filesOf(await call("search", { query: "lamp" }))).toEqual(["notes/a.md"]);
  expect(await call("remove_collection", { name: "most" })).toMatchObject({ kind: "not-found" });
});

test("[search.contexts.life] a context is added, replaced, listed, undone and removed by path", async () => {
  const call = await libraryWith({ "notes/work/a.md": "lamp", "notes/b.md": "lamp" });
  const { path } = (await call("list_collections", {})).collections[0];
  const contextsOf = async () => {
    const { results } = await call("search", { query: "lamp" });
    return Object.fromEntries(results.map(({ file, context }: Hit) => [file, context]));
  };

  expect(await call("add_context", { path: "notes/work/", text: "Work" })).toEqual({
    status: "added",
    path: "notes/work",
  });
  await call("add_context", { path: join(path, "work"), text: "On disk" });
  expect(await contextsOf()).toEqual({ "notes/work/a.md": "Work\n\nOn disk", "notes/b.md": null });
  expect((await call("list_contexts", {})).contexts).toHaveLength(2);
  expect(await call("remove_context", { path: join(path, "work").slice(1) })).toMatchObject({
    status: "removed",
  });
  expect(await call("remove_context", { path: "notes/work" })).toMatchObject({ status: "removed" });
  expect(await contextsOf()).toEqual({ "notes/work/a.md": null, "notes/b.md": null });
  expect(await call("remove_context", { path: "notes/work" })).toMatchObject({ kind: "not-found" });
  expect(await call("add_context", { path: "nowhere", text: "x" })).toMatchObject({
    kind: "not-found",
  });
});

test("[search.update.pull] update pulls repositories, runs no hook, and reports what could not be pulled", async () => {
  const call = await libraryWith({ "notes/a.md": "old words", "plain/b.md": "x" });
  const [{ path }] = (await call("list_collections", {})).collections;
  const place = mkdtempSync(join(tmpdir(), "lectern-origin-"));
  const { env, git, commit, addressOf } = gitPerson(place);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const origin = join(place, "origin");
  git(path, "init", "-q");
  commit(path, "old words", "a.md");
  git(place, "clone", "-q", path, origin);
  git(path, "remote", "add", "origin", addressOf(origin));
  git(path, "fetch", "-q", "origin");
  git(path, "branch", "-q", "--set-upstream-to=origin/main");
  commit(origin, "new words", "a.md");
  writeFileSync(join(path, ".git", "hooks", "post-merge"), `#!/bin/sh\ntouch ${path}/hooked.md\n`, {
    mode: 0o755,
  });

  expect(await call("update_collections", {})).not.toHaveProperty("notPulled");
  expect((await call("get", { file: "notes/a.md" })).document.text).toBe("old words");
  const pulled = await call("update_collections", { pull: true });
  expect(pulled).toMatchObject({ status: "updated", collections: 2 });
  expect(pulled).not.toHaveProperty("notPulled");
  expect((await call("search", { query: "new" })).results).toHaveLength(1);
  expect(existsSync(join(path, "hooked.md"))).toBe(false);
  for (const [address, reason] of [
    [addressOf(join(origin, "nowhere")), "does not appear to be a git repository"],
    [origin, "remote.origin.url uses the protocol 'file'"],
  ] as const) {
    git(path, "remote", "set-url", "origin", address);
    expect((await call("update_collections", { pull: true })).notPulled).toMatchObject([
      { name: "notes", reason: expect.stringContaining(reason) },
    ]);
  }
});

test("[search.collections.add-fails] a collection whose initial scan fails is not stored, and can be added later", async () => {
  const call = await libraryWith({ "notes/a.md": "lamp", "other/b.md": "lamp" });
  const [{ path }] = (await call("list_collections", {})).collections;
  await call("remove_collection", { name: "notes" }, "cli");
  const home = join(dirname(path), ".home");
  const db = openDatabase(homeFiles(readSettings({}, { LECTERN_HOME: home }, home)).store);
  const refusing = "BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no'); END";
  db.exec(`CREATE TRIGGER refusing ${refusing}`);

  expect(await call("add_collection", { name: "notes", path })).toMatchObject({ kind: "internal" });
  expect((await call("list_collections", {})).collections).toMatchObject([{ name: "other" }]);
  expect(await call("update_collections", {})).toMatchObject({ status: "updated", collections: 1 });
  db.exec("DROP TRIGGER refusing");
  db.close();
  expect(await call("add_collection", { name: "notes", path })).toMatchObject({ documents: 1 });
});

test("[search.index.all] index scans every collection and returns counts", async () => {
  const call = await libraryWith({ "notes/a.md": "1", "work/b.md": "2" });

  expect(await call("index_collections", {})).toEqual({
    status: "indexed",
    collections: 2,
    totalDocuments: 2,
    revision: expect.any(Number),
  });
});

test("[search.collections.names] a name that cannot be the first segment of a path is refused", async () => {
  const call = await libraryWith({ "notes/a.md": "1" });

  for (const name of ["", "a/b", "..", ".hidden", "a\u0000b", "x".repeat(101), "__proto__"]) {
    expect(await call("add_collection", { name, path: "." })).toMatchObject({ kind: "invalid" });
  }
});

test("[search.collections.masks] a mask that is invalid or too expensive to match is refused before it is stored", async () => {
  const call = await libraryWith({ "notes/a.md": "1", [`notes/${"x".repeat(40)}.md`]: "2" });
  const { path } = (await call("list_collections", {})).collections[0];
  const hostile = "*x*x*x*x*x*x*x*x*x*x*x*x*x*xz";

  expect(await call("add_collection", { name: "b", path, globPattern: hostile })).toMatchObject({
    documents: 0,
  });
  expect(
    await call("add_collection", { name: "c", path, globPattern: "{a,b}".repeat(12) }),
  ).toMatchObject({
    kind: "invalid",
  });
  expect((await call("list_collections", {})).collections).toHaveLength(2);
});

test("[search.search.terms] a whole page pasted as a query is answered quickly", async () => {
  const call = await libraryWith({ "notes/a.md": "to be or not to be ".repeat(200) });
  const query = "to be or not that is the question ".repeat(250);

  expect((await call("search", { query })).results).toHaveLength(1);
});

test("[search.collections.skipped] files that could not be read are reported with the answer", async () => {
  const call = await libraryWith({ "notes/a.md": "1" });
  const { path } = (await call("list_collections", {})).collections[0];
  writeFileSync(join(path, "b.md"), new Uint8Array([1, 0, 2]));

  expect(await call("update_collections", {})).toMatchObject({
    skipped: [{ path: "notes/b.md", reason: "it is not text" }],
  });
});

test("[search.collections.skipped] skipped files that are not listed are counted", () => {
  const skipped = Array.from({ length: 7 }, (_, n) => ({ path: `notes/${n}.md`, reason: "no" }));

  expect(formatSkipped(skipped)).toMatchObject({
    0: "Skipped 7 files:",
    5: "  notes/4.md: no",
    6: "  … and 2 more; --json lists them.",
  });
  expect(formatSkipped(skipped.slice(0, 5))).toHaveLength(6);
});

test("[search.ls.paged] documents are listed page by page, each exactly once", async () => {
  const names = Array.from({ length: 25 }, (_, n) => `notes/${String(n).padStart(2, "0")}.md`);
  const call = await libraryWith(Object.fromEntries(names.map((name) => [name, name])));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call("list_documents", { limit: 10, ...(cursor && { cursor }) });
    seen.push(...page.documents.map(({ file }: Hit) => file));
    expect(page.total).toBe(25);
    expect(page.remaining ?? 0).toBe(25 - seen.length);
    cursor = page.next_cursor;
  } while (cursor);

  expect(seen).toEqual(names);
  expect(await call("list_documents", { limit: 1 })).toMatchObject({
    documents: [{ title: "00" }],
  });
});

test("[search.resource.read] a document is a resource with numbered lines; a missing one is not found", async () => {
  const library = await open({ "notes/a.md": "one\ntwo" });
  const read = (uri: string) => library.readResource(uri, { actor: { surface: "test" } });

  expect(await read("qmd://notes/a.md")).toMatchObject({
    ok: true,
    value: [{ uri: "qmd://notes/a.md", mimeType: "text/markdown", text: "1: one\n2: two" }],
  });
  for (const uri of [
    "qmd://notes/b.md",
    "qmd://notes/../../etc/passwd",
    "qmd://%ZZ",
    "qmd://",
    "qmd://notes/%00",
  ]) {
    expect(await read(uri)).toMatchObject({
      ok: false,
      failure: { message: "Resource not found" },
    });
  }
});

interface Hit {
  file: string;
  docid: string;
  context: string | null;
}

const filesOf = ({ results }: { results: Hit[] }) => results.map(({ file }) => file);

/** Calls an operation: its output, or the failure. */
async function libraryWith(
  files: Record<string, string>,
  contexts: Record<string, string> = {},
  pattern?: string,
) {
  const library = await open(files, contexts, pattern);
  // biome-ignore lint/suspicious/noExplicitAny: each test reads the output it asked for
  return async (name: string, input: object, surface = "test"): Promise<any> => {
    const entry = library.catalogue.find(name);
    if (!entry) throw new Error(`There is no ${name}.`);
    const outcome = await library.call(entry, input, { actor: { surface } });
    return outcome.ok ? outcome.value : outcome.failure;
  };
}

/** The first segment of a path is its collection. */
async function open(
  files: Record<string, string>,
  contexts: Record<string, string> = {},
  pattern = "**/*.md",
): Promise<App> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "lectern-search-")));
  const library = openApp({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: join(home, ".home") }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "error", write: (line) => process.stderr.write(line) }),
  });
  opened.push(library);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const names = new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""));
  const { config, indexer } = library.runtime;
  await library.runtime.store.run(
    config.update((draft) => {
      draft.contexts = contexts;
      for (const name of names) draft.collections[name] = { path: join(home, name), pattern };
    }),
  );
  await indexer.scan([...names].map((name) => ({ name, path: join(home, name), pattern })));
  return library;
}
