import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: contexts (descriptions of folders), over REST and on the command line. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({
    "notes/work/a.md": "# A\n\nlamp\n",
    "notes/work/deep/b.md": "# B\n\nlamp\n",
    "notes/workshop/c.md": "# C\n\nlamp\n",
    "docs/d.md": "# D\n\nlamp\n",
  });
});

afterAll(() => server.close());

/** Adds a context and removes it after the test. */
async function addContext(path: string, text: string) {
  const answer = await server.rest("POST /contexts/add", { path, text });
  onTestFinished(async () => {
    await server.rest(`DELETE /contexts/${encodeURIComponent(path)}`);
  });
  return answer;
}

const listed = async () => (await server.rest("GET /contexts")).body.contexts;

const contexts = async () =>
  Object.fromEntries(
    (await server.resultsOf("search", { query: "lamp" })).map(({ file, context }) => [
      file,
      context,
    ]),
  );

test("[search.contexts.add] a context added for a folder on disk applies to it and everything below", async () => {
  const path = server.pathOf("notes/work");
  const { status, body } = await addContext(path, "Work of the day");

  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "added", path, content: `Added context for ${path}` });
  expect(await contexts()).toEqual({
    "notes/work/a.md": "Work of the day",
    "notes/work/deep/b.md": "Work of the day",
    "notes/workshop/c.md": null,
    "docs/d.md": null,
  });
});

test("[search.contexts.by-collection] collection/folder names the same folder", async () => {
  expect((await addContext("notes/workshop", "Of tools")).body).toMatchObject({
    path: "notes/workshop",
    content: "Added context for notes/workshop",
  });
  expect(await contexts()).toMatchObject({
    "notes/workshop/c.md": "Of tools",
    "notes/work/a.md": null,
  });
});

test("[search.contexts.nested] the more general one comes first", async () => {
  await addContext("notes/work", "Work");
  await addContext("notes", "All notes");

  expect(await contexts()).toMatchObject({
    "notes/work/a.md": "All notes\n\nWork",
    "notes/workshop/c.md": "All notes",
  });
});

test("[search.contexts.list] all are listed with path and text", async () => {
  await addContext("notes", "Project documentation");
  await addContext("docs", "More");
  const { status, body } = await server.rest("GET /contexts");

  expect(status).toBe(200);
  expect(body).toMatchObject({
    contexts: [
      { path: "docs", text: "More" },
      { path: "notes", text: "Project documentation" },
    ],
  });
});

test("[search.contexts.replace] a second one for the same folder replaces the first", async () => {
  await addContext("docs", "Old words");
  await addContext("docs", "New words");

  expect(await listed()).toEqual([{ path: "docs", text: "New words" }]);
});

test("[search.contexts.remove] one is removed by its path, with slashes encoded or plain", async () => {
  const path = server.pathOf("notes/work");
  const spellings = [
    `/contexts/${encodeURIComponent(path)}`,
    `/contexts/${path.slice(1)}`,
    `/contexts/${path}`,
  ];
  for (const route of spellings) {
    await addContext(path, "Work");
    const { status, body } = await server.rest(`DELETE ${route}`);
    expect(status, route).toBe(200);
    expect(body, route).toMatchObject({ status: "removed", path });
    expect(await listed(), route).toEqual([]);
  }
  await addContext("notes/work", "Work");
  expect((await server.rest("DELETE /contexts/notes/work")).body).toMatchObject({
    status: "removed",
    path: "notes/work",
  });
  expect(await contexts()).toMatchObject({ "notes/work/a.md": null });
  expect(await server.rest("DELETE /contexts/notes/work")).toMatchObject({ status: 404 });
});

test("[search.contexts.curl] curl removes one by its plain path", async () => {
  const path = server.pathOf("docs");
  await addContext(path, "Docs");
  const answer = await server.runLine(
    `curl --path-as-is -X DELETE http://localhost:18765/contexts/${encodeURIComponent(path)}`,
  );

  expect(JSON.parse(answer)).toMatchObject({ status: "removed", path });
});

test("[search.contexts.refused] a nonexistent folder or an empty text is rejected", async () => {
  for (const [input, status] of [
    [{ path: "nowhere/at/all", text: "x" }, 404],
    [{ path: "notes", text: "  " }, 400],
    [{ path: "", text: "x" }, 400],
  ] as const) {
    const answer = await server.rest("POST /contexts/add", input);
    expect(answer.body, JSON.stringify(input)).toMatchObject({ status_code: status });
  }
  expect(await listed()).toEqual([]);
});

test("[search.contexts.cli] the documented commands add, list and remove", async () => {
  const runLine = (commands: string) => server.runLine(`cd ${server.root}; ${commands}`);

  expect(await runLine('qmd context add docs "Project documentation"')).toBe(
    "Added context for docs\n",
  );
  expect(await runLine("qmd context list")).toBe("docs: Project documentation\n");
  expect(await runLine("qmd context rm docs")).toBe("Removed context for docs\n");
  const path = server.pathOf("notes/work");
  expect(await runLine(`qmd context add ${path} "Work of the day"`)).toBe(
    `Added context for ${path}\n`,
  );
  expect(await runLine(`qmd context rm ${path}`)).toBe(`Removed context for ${path}\n`);
});

test('[search.contexts.cli-here] `qmd context add "text"` without a path applies to the current folder', async () => {
  const path = server.pathOf("notes/work");
  onTestFinished(async () => {
    await server.rest(`DELETE /contexts/${encodeURIComponent(path)}`);
  });

  expect(await server.runLine(`cd ${path}; qmd context add "Work of the day"`)).toBe(
    `Added context for ${path}\n`,
  );
  expect(await contexts()).toMatchObject({ "notes/work/a.md": "Work of the day" });
});
