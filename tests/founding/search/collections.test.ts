import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { gitPerson } from "../../fixtures/repository/git-remotes.ts";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: collections, the index and updates, over REST and on the command line. */
let server: QmdServer;
const person = gitPerson(mkdtempSync(join(tmpdir(), "lectern-person-")));

beforeAll(async () => {
  for (const [name, value] of Object.entries(person.env)) vi.stubEnv(name, value);
  server = await startQmdServer({ "notes/a.md": "# A\n\nlamp\n", "notes/b.md": "# B\n\nlamp\n" });
});

afterAll(() => server.close());

/** The default pattern, which has more extensions than the document's: see decision 041. */
const pattern = "**/*.{md,mdx,markdown}";

/** Creates a folder that is not a collection yet. */
function createFolder(
  name: string,
  files: Record<string, string> = { "one.md": "# One\n" },
): string {
  for (const [file, text] of Object.entries(files)) server.write(`${name}/${file}`, text);
  return server.pathOf(name);
}

/** Adds a collection and removes it after the test, even if it was renamed. */
async function addCollection(input: { name: string; path: string; glob_pattern?: string }) {
  const answer = await server.rest("POST /collections/add", input);
  onTestFinished(async () => {
    for (const name of await collectionNames()) {
      if (name !== "notes") await server.rest(`DELETE /collections/${encodeURIComponent(name)}`);
    }
  });
  return answer;
}

const collectionNames = async () =>
  (await server.rest("GET /collections")).body.collections.map(({ name }) => name);

const config = () => JSON.parse(readFileSync(join(server.home, "config.json"), "utf8"));

test("[search.collections.add] a folder is added under a name, indexed immediately and stored in the configuration", async () => {
  const path = createFolder("docs", {
    "one.md": "# One\n",
    "sub/two.md": "# Two\n",
    "three.txt": "3",
  });
  const { status, body } = await addCollection({ name: "my-docs", path });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "added",
    name: "my-docs",
    path,
    documents: 2,
    content: "Added collection 'my-docs' with 2 documents",
  });
  expect(config().collections["my-docs"]).toMatchObject({ path, pattern });
  expect(await server.resultsOf("search", { query: "one" })).toMatchObject([
    { file: "my-docs/one.md" },
  ]);
});

test("[search.collections.pattern] only Markdown is indexed unless glob_pattern is given", async () => {
  const path = createFolder("texts", { "one.md": "# One\n", "two.txt": "two\n" });
  const answer = await addCollection({ name: "texts", path, glob_pattern: "**/*.txt" });

  expect(answer.body).toMatchObject({ documents: 1 });
  expect((await server.rest("GET /collections/texts")).body).toMatchObject({
    pattern: "**/*.txt",
  });
  expect(await server.resultsOf("search", { query: "two" })).toMatchObject([
    { file: "texts/two.txt" },
  ]);
});

test("[search.collections.list] all are listed with folder, pattern and count", async () => {
  const path = createFolder("listed");
  await addCollection({ name: "my-docs", path });
  const { status, body } = await server.rest("GET /collections");

  expect(status).toBe(200);
  expect(body).toEqual({
    collections: [
      { name: "my-docs", path, pattern, documents: 1 },
      { name: "notes", path: server.pathOf("notes"), pattern, documents: 2 },
    ],
    content: "Collections: 2\n- my-docs (1 docs)\n- notes (2 docs)",
  });
});

test("[search.collections.show] one is shown with the time of its last scan", async () => {
  const { status, body } = await server.rest("GET /collections/notes");

  expect(status).toBe(200);
  expect(body).toEqual({
    name: "notes",
    path: server.pathOf("notes"),
    pattern,
    documents: 2,
    last_indexed: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  });
});

test("[search.collections.encoded-name] a name with special characters is reached by its encoded form", async () => {
  const [name, renamed] = ["my docs 50%", "日記 & more"];
  await addCollection({ name, path: createFolder("odd") });

  const route = (collection: string) => `/collections/${encodeURIComponent(collection)}`;
  expect((await server.rest(`GET ${route(name)}`)).body).toMatchObject({ name, documents: 1 });
  const { body } = await server.rest(`PUT ${route(name)}`, { new_name: renamed });
  expect(body).toMatchObject({ old_name: name, new_name: renamed });
  expect((await server.rest(`DELETE ${route(renamed)}`)).body).toMatchObject({ name: renamed });
});

test("[search.collections.rename] one is renamed together with its documents", async () => {
  await addCollection({ name: "my-docs", path: createFolder("renamed") });
  const { status, body } = await server.rest("PUT /collections/my-docs", {
    new_name: "my-docs-v2",
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "renamed",
    old_name: "my-docs",
    new_name: "my-docs-v2",
    content: "Renamed 'my-docs' to 'my-docs-v2'",
  });
  expect(await collectionNames()).toEqual(["my-docs-v2", "notes"]);
  expect(await server.resultsOf("search", { query: "one" })).toMatchObject([
    { file: "my-docs-v2/one.md" },
  ]);
  expect((await server.rest("PUT /collections/my-docs-v2", { new_name: "notes" })).status).toBe(
    409,
  );
});

test("[search.collections.rename-contexts] a renamed collection keeps the contexts of its folders", async () => {
  await addCollection({
    name: "spoken",
    path: createFolder("spoken", { "sub/one.md": "# Of one\n" }),
  });
  for (const path of ["spoken", "spoken/sub"]) {
    await server.rest("POST /contexts/add", { path, text: `Said of ${path}` });
  }
  await server.rest("PUT /collections/spoken", { new_name: "written" });

  expect(await server.resultsOf("search", { query: "one" })).toMatchObject([
    { file: "written/sub/one.md", context: "Said of spoken\n\nSaid of spoken/sub" },
  ]);
});

test("[search.collections.remove] one is removed from the index and the configuration, never from disk", async () => {
  const path = createFolder("removed");
  await addCollection({ name: "my-docs", path });
  const { status, body } = await server.rest("DELETE /collections/my-docs");

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "removed",
    name: "my-docs",
    content: "Removed collection 'my-docs'",
  });
  expect(config().collections).not.toHaveProperty("my-docs");
  expect(await server.resultsOf("search", { query: "one" })).toEqual([]);
  expect(existsSync(join(path, "one.md"))).toBe(true);
});

test("[search.collections.conflict] a name in use, or a folder that does not exist, is refused", async () => {
  const path = createFolder("refused");
  const refusals: [route: string, input: object, status: number][] = [
    ["POST /collections/add", { name: "notes", path }, 409],
    ["POST /collections/add", { name: "gone", path: server.pathOf("gone") }, 404],
    ["POST /collections/add", { name: "file", path: server.pathOf("notes/a.md") }, 400],
    ["POST /collections/add", { name: "a/b", path }, 400],
    ["POST /collections/add", { name: "x", path, glob_pattern: "{a,b}".repeat(12) }, 400],
  ];
  for (const [route, input, status] of refusals) {
    const answer = await server.rest(route, input);
    expect(answer.body, JSON.stringify(input)).toMatchObject({ status_code: status });
  }
  expect(await collectionNames()).toEqual(["notes"]);
});

test("[search.collections.cli] the documented commands add, list, rename and remove", async () => {
  createFolder("typed", { "one.md": "# One\n", "two.txt": "two\n" });
  const runLine = (commands: string) => server.runLine(`cd ${server.root}; ${commands}`);

  expect(await runLine("qmd collection add typed --name papers --mask '**/*.txt'")).toBe(
    "Added collection 'papers' with 1 document\n",
  );
  expect(await runLine("qmd collection list")).toBe(
    `Collections: 2\n- notes (2 docs)  ${server.pathOf("notes")}  ${pattern}\n` +
      `- papers (1 docs)  ${server.pathOf("typed")}  **/*.txt\n`,
  );
  expect(await runLine("qmd collection rename papers texts")).toBe("Renamed 'papers' to 'texts'\n");
  expect(await runLine("qmd collection remove texts")).toBe("Removed collection 'texts'\n");
  expect(await runLine("cd typed; qmd collection add")).toBe(
    "Added collection 'typed' with 1 document\n",
  );
  expect(await runLine("qmd collection remove typed")).toBe("Removed collection 'typed'\n");
});

test("[search.index.rest] index with an empty body picks up new, changed and removed files", async () => {
  const path = createFolder("read", {
    "old.md": "# Old\n\nsnuffer\n",
    "gone.md": "# Gone\n\nwick\n",
  });
  await addCollection({ name: "read", path });
  createFolder("read", { "old.md": "# Old\n\ncandle\n", "new.md": "# New\n\nlantern\n" });
  rmSync(join(path, "gone.md"));
  const answer = JSON.parse(await server.runLine("curl -X POST http://localhost:18765/index"));

  expect(answer).toMatchObject({
    status: "indexed",
    collections: 2,
    total_documents: 4,
    content: "Indexed 2 collections: 4 documents",
  });
  const hits = await server.resultsOf("search", { query: "lantern candle snuffer wick" });
  expect(hits.map(({ file }) => file).sort()).toEqual(["read/new.md", "read/old.md"]);
});

test("[search.index.cli] `qmd index` and `qmd update` report what they did", async () => {
  expect(await server.runLine("qmd index")).toBe("Indexed 1 collection: 2 documents\n");
  expect(await server.runLine("qmd update")).toMatch(/^Updated 1 collection\n/);
});

test("[search.update.rest] update indexes changes, and pulls only on request", async () => {
  await addCollection({ name: "updated", path: createFolder("updated") });
  createFolder("updated", { "two.md": "# Two\n\nwhale\n" });
  for (const input of [{}, { pull: false }]) {
    const { status, body } = await server.rest("POST /update", input);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "updated",
      collections: 2,
      content: "Updated 2 collections",
    });
  }
  expect(await server.resultsOf("search", { query: "whale" })).toHaveLength(1);
  expect(
    JSON.parse(await server.runLine("curl -X POST http://localhost:18765/update")),
  ).toMatchObject({ status: "updated" });
});

test("[search.update.git] with pull a collection's repository is pulled first, over REST and on the command line", async () => {
  const origin = person.repository(join(server.home, "origin"));
  const commit = (text: string) => person.commit(origin, text, "a.md");
  commit("# Old\n\nalbatross\n");
  person.git(origin, "clone", "-q", person.addressOf(origin), server.pathOf("clone"));
  await addCollection({ name: "clone", path: server.pathOf("clone") });

  commit("# New\n\npelican\n");
  await server.rest("POST /update", {});
  expect(await server.resultsOf("search", { query: "pelican" })).toEqual([]);
  const { body } = await server.rest("POST /update", { pull: true });
  expect(body).toMatchObject({ status: "updated", collections: 2 });
  expect(await server.resultsOf("search", { query: "pelican" })).toHaveLength(1);
  commit("# Newer\n\nheron\n");
  expect(await server.runLine("qmd update --pull")).toMatch(/^Updated 2 collections\n/);
  expect(await server.resultsOf("search", { query: "heron" })).toHaveLength(1);
});

test("[search.queue.serial] concurrent add, index and update calls all succeed, one after the other", async () => {
  const many = Array.from({ length: 6 }, (_, n) =>
    createFolder(`queued-${n}`, { "a.md": "# Queued\n", "b.md": "# Queued too\n" }),
  );
  const answers = await Promise.all([
    ...many.map((path, n) => addCollection({ name: `q${n}`, path })),
    ...[1, 2, 3].flatMap(() => [
      server.rest("POST /index"),
      server.rest("POST /update", { pull: true }),
    ]),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const bodies = answers.slice(0, many.length).map(({ body }) => body);
  expect(bodies).toMatchObject(many.map((path) => ({ status: "added", path, documents: 2 })));
  expect(await collectionNames()).toEqual(["notes", ...many.map((_, n) => `q${n}`)]);
  expect(await server.resultsOf("search", { query: "queued", limit: 50 })).toHaveLength(12);
});
