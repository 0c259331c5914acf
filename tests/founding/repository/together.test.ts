import { expect, test } from "vitest";
import { childSource } from "../../child-source.ts";
import { startProcess } from "../../programs/process.ts";
import { call } from "../../programs/wire.ts";
import { hello, initialized, type Place, place, start } from "./repository-server.ts";

const together = ["--shelves", "search,repository"];

const program = childSource(`
  import { run } from "./src/main.ts";

  Object.assign(globalThis, { LECTERN_VERSION: "0.0.0" });
  await run("lectern", process.argv.slice(2), "test");
`);

/** What a person does at a shell, on the home that the server has. */
async function atShell({ root, home }: Place, ...words: string[]) {
  const ran = startProcess([process.execPath, program, ...words, "--json", "--root", root], {
    LECTERN_HOME: home,
  });
  const { code } = await ran.ended;
  return { code, lines: ran.lines, stderr: ran.output.stderr };
}

const pages = {
  "README.md": "# Lamp\n",
  "docs/wick.rst": "Wicks\n=====\n\nThe wick is trimmed at dusk.\n",
  "node_modules/a/README.md": "# Wick of others\n",
};

/** An agent that is connected, and asks tools by name. */
function agentIn(where: Place, words: readonly string[] = together) {
  const { send, answerTo } = start(where, { words });
  send(hello() + initialized);
  let id = 1;
  return async (name: string, input: Record<string, unknown>) => {
    send(call(++id, name, input));
    return (await answerTo(id)).result as Record<string, unknown> & { structuredContent: ToolData };
  };
}

interface ToolData {
  data: { id: string };
  nextSteps: { action: string; description?: string }[];
  results: { file: string }[];
}

test("[repository.together.searchable] an analysis does not change the index; the call it suggests makes the repository searchable", async () => {
  const where = place(pages);
  const ask = agentIn(where);
  const wicks = async () =>
    (await ask("search", { query: "wick" })).structuredContent.results.map(({ file }) => file);
  const first = (await ask("analyze_repository", { path: "." })).structuredContent;

  expect(await wicks()).toEqual([]);
  const step = first.nextSteps.find(({ action }) => action === "Make its pages searchable");
  const [, words = ""] = /lectern (.+)$/.exec(step?.description ?? "") ?? [];
  const { code, stderr } = await atShell(where, ...words.split(" "));

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await wicks()).toEqual(["project/docs/wick.rst"]);
  const { nextSteps } = (await ask("analyze_repository", { path: "." })).structuredContent;
  expect(nextSteps).toContainEqual(
    expect.objectContaining({ action: "Search its pages", description: 'collection "project"' }),
  );
});

test("[repository.together.searchable-undone] making a repository searchable is undone like any collection", async () => {
  const where = place(pages);
  expect((await atShell(where, "repository", "searchable", ".", "--name", "lamp")).code).toBe(0);
  expect((await atShell(where, "repository", "searchable", ".")).lines).toMatchObject([
    { data: { status: "already", collection: "lamp", documents: 2 } },
  ]);
  expect((await atShell(where, "undo", "1")).code).toBe(0);

  const { lines } = await atShell(where, "collection", "list");
  expect(lines).toEqual([[]]);
});

test("[repository.together.alone] a server without the search shelf offers no search", async () => {
  const ask = agentIn(place(pages), []);
  const { nextSteps } = (await ask("analyze_repository", { path: "." })).structuredContent;

  expect(nextSteps.filter(({ action }) => /search/i.test(action))).toEqual([]);
});
