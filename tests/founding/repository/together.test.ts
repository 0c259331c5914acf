import { expect, test } from "vitest";
import { childSource } from "../../child-source.ts";
import { startProcess } from "../../programs/process.ts";
import { call } from "../../programs/wire.ts";
import {
  createRepository,
  initialize,
  initialized,
  type Repository,
  start,
} from "./repository-server.ts";

const bothShelves = ["--shelves", "search,repository"];

const program = childSource(`
  import { run } from "./src/main.ts";

  Object.assign(globalThis, { LECTERN_VERSION: "0.0.0" });
  await run("lectern", process.argv.slice(2), "test");
`);

/** Runs a command on the server's home. */
async function runCommand({ root, home }: Repository, ...args: string[]) {
  const ran = startProcess([process.execPath, program, ...args, "--json", "--root", root], {
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

/** Connects an agent; returns a function that calls a tool. */
function startAgent(repository: Repository, args: readonly string[] = bothShelves) {
  const { send, answerTo } = start(repository, { args });
  send(initialize() + initialized);
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
  const repository = createRepository(pages);
  const ask = startAgent(repository);
  const findWicks = async () =>
    (await ask("search", { query: "wick" })).structuredContent.results.map(({ file }) => file);
  const first = (await ask("analyze_repository", { path: "." })).structuredContent;

  expect(await findWicks()).toEqual([]);
  const step = first.nextSteps.find(({ action }) => action === "Make its pages searchable");
  const [, args = ""] = /lectern (.+)$/.exec(step?.description ?? "") ?? [];
  const { code, stderr } = await runCommand(repository, ...args.split(" "));

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await findWicks()).toEqual(["project/docs/wick.rst"]);
  const { nextSteps } = (await ask("analyze_repository", { path: "." })).structuredContent;
  expect(nextSteps).toContainEqual(
    expect.objectContaining({ action: "Search its pages", description: 'collection "project"' }),
  );
});

test("[repository.together.searchable-undone] making a repository searchable is undone like any collection", async () => {
  const repository = createRepository(pages);
  expect(
    (await runCommand(repository, "repository", "searchable", ".", "--name", "lamp")).code,
  ).toBe(0);
  expect((await runCommand(repository, "repository", "searchable", ".")).lines).toMatchObject([
    { data: { status: "already", collection: "lamp", documents: 2 } },
  ]);
  expect((await runCommand(repository, "undo", "1")).code).toBe(0);

  const { lines } = await runCommand(repository, "collection", "list");
  expect(lines).toEqual([[]]);
});

test("[repository.together.alone] a server without the search shelf offers no search", async () => {
  const ask = startAgent(createRepository(pages), []);
  const { nextSteps } = (await ask("analyze_repository", { path: "." })).structuredContent;

  expect(nextSteps.filter(({ action }) => /search/i.test(action))).toEqual([]);
});
