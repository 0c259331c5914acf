import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { gitPerson } from "../../fixtures/repository/git-remotes.ts";
import { type QmdLibrary, qmdLibrary } from "./qmd-library.ts";

/** Founding document 004: collections, the index and its update, by REST and at the shell. */
let library: QmdLibrary;
const person = gitPerson(mkdtempSync(join(tmpdir(), "lectern-person-")));

beforeAll(async () => {
  for (const [name, value] of Object.entries(person.env)) vi.stubEnv(name, value);
  library = await qmdLibrary({ "notes/a.md": "# A\n\nlamp\n", "notes/b.md": "# B\n\nlamp\n" });
});

afterAll(() => library.close());

/** The default, which has more endings than the document's: see decision 041. */
const pattern = "**/*.{md,mdx,markdown}";

/** Makes a folder that is no collection yet. */
function folder(name: string, files: Record<string, string> = { "one.md": "# One\n" }): string {
  for (const [file, text] of Object.entries(files)) library.put(`${name}/${file}`, text);
  return library.place(name);
}

/** Adds a collection that is gone when its test is, whatever it is called then. */
async function added(input: { name: string; path: string; glob_pattern?: string }) {
  const answer = await library.rest("POST /collections/add", input);
  onTestFinished(async () => {
    for (const name of await namesOf()) {
      if (name !== "notes") await library.rest(`DELETE /collections/${encodeURIComponent(name)}`);
    }
  });
  return answer;
}

const namesOf = async () =>
  (await library.rest("GET /collections")).body.collections.map(({ name }) => name);

const settings = () => JSON.parse(readFileSync(join(library.home, "config.json"), "utf8"));

test("[search.collections.add] a folder is added under a name, indexed immediately and stored in the configuration", async () => {
  const path = folder("docs", { "one.md": "# One\n", "sub/two.md": "# Two\n", "three.txt": "3" });
  const { status, body } = await added({ name: "my-docs", path });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "added",
    name: "my-docs",
    path,
    documents: 2,
    content: "Added collection 'my-docs' with 2 documents",
  });
  expect(settings().collections["my-docs"]).toMatchObject({ path, pattern });
  expect(await library.found("search", { query: "one" })).toMatchObject([
    { file: "my-docs/one.md" },
  ]);
});

test("[search.collections.pattern] only Markdown is indexed unless glob_pattern is given", async () => {
  const path = folder("texts", { "one.md": "# One\n", "two.txt": "two\n" });
  const answer = await added({ name: "texts", path, glob_pattern: "**/*.txt" });

  expect(answer.body).toMatchObject({ documents: 1 });
  expect((await library.rest("GET /collections/texts")).body).toMatchObject({
    pattern: "**/*.txt",
  });
  expect(await library.found("search", { query: "two" })).toMatchObject([
    { file: "texts/two.txt" },
  ]);
});

test("[search.collections.list] all are listed with folder, pattern and count", async () => {
  const path = folder("listed");
  await added({ name: "my-docs", path });
  const { status, body } = await library.rest("GET /collections");

  expect(status).toBe(200);
  expect(body).toEqual({
    collections: [
      { name: "my-docs", path, pattern, documents: 1 },
      { name: "notes", path: library.place("notes"), pattern, documents: 2 },
    ],
    content: "Collections: 2\n- my-docs (1 docs)\n- notes (2 docs)",
  });
});

test("[search.collections.show] one is shown with the time of its last scan", async () => {
  const { status, body } = await library.rest("GET /collections/notes");

  expect(status).toBe(200);
  expect(body).toEqual({
    name: "notes",
    path: library.place("notes"),
    pattern,
    documents: 2,
    last_indexed: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  });
});

test("[search.collections.encoded-name] a name with special characters is reached by its encoded form", async () => {
  const [name, renamed] = ["my docs 50%", "日記 & more"];
  await added({ name, path: folder("odd") });

  const route = (one: string) => `/collections/${encodeURIComponent(one)}`;
  expect((await library.rest(`GET ${route(name)}`)).body).toMatchObject({ name, documents: 1 });
  const { body } = await library.rest(`PUT ${route(name)}`, { new_name: renamed });
  expect(body).toMatchObject({ old_name: name, new_name: renamed });
  expect((await library.rest(`DELETE ${route(renamed)}`)).body).toMatchObject({ name: renamed });
});

test("[search.collections.rename] one is renamed together with its documents", async () => {
  await added({ name: "my-docs", path: folder("renamed") });
  const { status, body } = await library.rest("PUT /collections/my-docs", {
    new_name: "my-docs-v2",
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "renamed",
    old_name: "my-docs",
    new_name: "my-docs-v2",
    content: "Renamed 'my-docs' to 'my-docs-v2'",
  });
  expect(await namesOf()).toEqual(["my-docs-v2", "notes"]);
  expect(await library.found("search", { query: "one" })).toMatchObject([
    { file: "my-docs-v2/one.md" },
  ]);
  expect((await library.rest("PUT /collections/my-docs-v2", { new_name: "notes" })).status).toBe(
    409,
  );
});

test("[search.collections.rename-contexts] a renamed collection keeps the contexts of its folders", async () => {
  await added({ name: "spoken", path: folder("spoken", { "sub/one.md": "# Of one\n" }) });
  for (const path of ["spoken", "spoken/sub"]) {
    await library.rest("POST /contexts/add", { path, text: `Said of ${path}` });
  }
  await library.rest("PUT /collections/spoken", { new_name: "written" });

  expect(await library.found("search", { query: "one" })).toMatchObject([
    { file: "written/sub/one.md", context: "Said of spoken\n\nSaid of spoken/sub" },
  ]);
});

test("[search.collections.remove] one is removed from the index and the configuration, never from disk", async () => {
  const path = folder("removed");
  await added({ name: "my-docs", path });
  const { status, body } = await library.rest("DELETE /collections/my-docs");

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "removed",
    name: "my-docs",
    content: "Removed collection 'my-docs'",
  });
  expect(settings().collections).not.toHaveProperty("my-docs");
  expect(await library.found("search", { query: "one" })).toEqual([]);
  expect(existsSync(join(path, "one.md"))).toBe(true);
});

test("[search.collections.conflict] a name in use, or a folder that does not exist, is refused", async () => {
  const path = folder("refused");
  const refusals: [route: string, input: object, status: number][] = [
    ["POST /collections/add", { name: "notes", path }, 409],
    ["POST /collections/add", { name: "gone", path: library.place("gone") }, 404],
    ["POST /collections/add", { name: "file", path: library.place("notes/a.md") }, 400],
    ["POST /collections/add", { name: "a/b", path }, 400],
    ["POST /collections/add", { name: "x", path, glob_pattern: "{a,b}".repeat(12) }, 400],
  ];
  for (const [route, input, status] of refusals) {
    const answer = await library.rest(route, input);
    expect(answer.body, JSON.stringify(input)).toMatchObject({ status_code: status });
  }
  expect(await namesOf()).toEqual(["notes"]);
});

test("[search.collections.cli] the documented commands add, list, rename and remove", async () => {
  folder("typed", { "one.md": "# One\n", "two.txt": "two\n" });
  const typed = (words: string) => library.typed(`cd ${library.library}; ${words}`);

  expect(await typed("qmd collection add typed --name papers --mask '**/*.txt'")).toBe(
    "Added collection 'papers' with 1 document\n",
  );
  expect(await typed("qmd collection list")).toBe(
    `Collections: 2\n- notes (2 docs)  ${library.place("notes")}  ${pattern}\n` +
      `- papers (1 docs)  ${library.place("typed")}  **/*.txt\n`,
  );
  expect(await typed("qmd collection rename papers texts")).toBe("Renamed 'papers' to 'texts'\n");
  expect(await typed("qmd collection remove texts")).toBe("Removed collection 'texts'\n");
  expect(await typed("cd typed; qmd collection add")).toBe(
    "Added collection 'typed' with 1 document\n",
  );
  expect(await typed("qmd collection remove typed")).toBe("Removed collection 'typed'\n");
});

test("[search.index.rest] index with an empty body picks up new, changed and removed files", async () => {
  const path = folder("read", { "old.md": "# Old\n\nsnuffer\n", "gone.md": "# Gone\n\nwick\n" });
  await added({ name: "read", path });
  folder("read", { "old.md": "# Old\n\ncandle\n", "new.md": "# New\n\nlantern\n" });
  rmSync(join(path, "gone.md"));
  const answer = JSON.parse(await library.typed("curl -X POST http://localhost:18765/index"));

  expect(answer).toMatchObject({
    status: "indexed",
    collections: 2,
    total_documents: 4,
    content: "Indexed 2 collections: 4 documents",
  });
  const hits = await library.found("search", { query: "lantern candle snuffer wick" });
  expect(hits.map(({ file }) => file).sort()).toEqual(["read/new.md", "read/old.md"]);
});

test("[search.index.cli] `qmd index` and `qmd update` report what they did", async () => {
  expect(await library.typed("qmd index")).toBe("Indexed 1 collection: 2 documents\n");
  expect(await library.typed("qmd update")).toMatch(/^Updated 1 collection\n/);
});

test("[search.update.rest] update indexes changes, and pulls only on request", async () => {
  await added({ name: "updated", path: folder("updated") });
  folder("updated", { "two.md": "# Two\n\nwhale\n" });
  for (const input of [{}, { pull: false }]) {
    const { status, body } = await library.rest("POST /update", input);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "updated",
      collections: 2,
      content: "Updated 2 collections",
    });
  }
  expect(await library.found("search", { query: "whale" })).toHaveLength(1);
  expect(
    JSON.parse(await library.typed("curl -X POST http://localhost:18765/update")),
  ).toMatchObject({ status: "updated" });
});

test("[search.update.git] with pull a collection's repository is pulled first, over REST and on the command line", async () => {
  const origin = person.repository(join(library.home, "origin"));
  const commit = (text: string) => person.commit(origin, text, "a.md");
  commit("# Old\n\nalbatross\n");
  person.git(origin, "clone", "-q", person.addressOf(origin), library.place("clone"));
  await added({ name: "clone", path: library.place("clone") });

  commit("# New\n\npelican\n");
  await library.rest("POST /update", {});
  expect(await library.found("search", { query: "pelican" })).toEqual([]);
  const { body } = await library.rest("POST /update", { pull: true });
  expect(body).toMatchObject({ status: "updated", collections: 2 });
  expect(await library.found("search", { query: "pelican" })).toHaveLength(1);
  commit("# Newer\n\nheron\n");
  expect(await library.typed("qmd update --pull")).toMatch(/^Updated 2 collections\n/);
  expect(await library.found("search", { query: "heron" })).toHaveLength(1);
});

test("[search.queue.serial] concurrent add, index and update calls all succeed, one after the other", async () => {
  const many = Array.from({ length: 6 }, (_, n) =>
    folder(`queued-${n}`, { "a.md": "# Queued\n", "b.md": "# Queued too\n" }),
  );
  const answers = await Promise.all([
    ...many.map((path, n) => added({ name: `q${n}`, path })),
    ...[1, 2, 3].flatMap(() => [
      library.rest("POST /index"),
      library.rest("POST /update", { pull: true }),
    ]),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const bodies = answers.slice(0, many.length).map(({ body }) => body);
  expect(bodies).toMatchObject(many.map((path) => ({ status: "added", path, documents: 2 })));
  expect(await namesOf()).toEqual(["notes", ...many.map((_, n) => `q${n}`)]);
  expect(await library.found("search", { query: "queued", limit: 50 })).toHaveLength(12);
});
