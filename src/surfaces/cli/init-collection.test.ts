import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { runCli } from "../../../tests/fixtures/library/cli-library.ts";
import { openApp } from "../../kernel/runtime/app.ts";
import { createLog } from "../../kernel/runtime/log.ts";
import { search } from "../../shelves/search/shelf.ts";
import { openConfirm } from "./confirm.ts";

/** A folder with these files, and a home beside it. */
function folder(...files: string[]) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "lectern-init-")));
  const cwd = join(place, "My notes");
  for (const file of files) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), "# One");
  }
  mkdirSync(cwd, { recursive: true });
  const env = { LECTERN_HOME: join(place, "home") };
  const run = (argv: string[], options: Parameters<typeof runCli>[1] = {}) =>
    runCli(["init", ...argv], {
      cwd,
      env,
      shelves: [search],
      openApp: (settings, identity) =>
        openApp({
          shelves: [search],
          settings,
          identity,
          log: createLog({ level: "error", write: () => {} }),
        }),
      ...options,
    });
  const args = (): string[] =>
    JSON.parse(readFileSync(join(cwd, ".mcp.json"), "utf8")).mcpServers.lectern.args;
  return { cwd, run, args };
}

test.each([
  [["a.md"], "search"],
  [["model/tables.qmd.md"], "search,objects"],
  [["docs/adr/0001-use-lunr.md"], "search,architecture"],
  [["docs/decisions/2024-05-01-use-lunr.md"], "search,architecture"],
  [[".adr-dir"], "search,architecture"],
  [["book/0001-chapter.md", "decisions/about.md"], "search"],
  [["interviews.qda/data.qda"], "search,qualitative"],
  [["study/data.qda"], "search,qualitative"],
  [["node_modules/x/a.qmd.md", ".git/adr/0001-x.md"], "search"],
  [["x.qmd.md", "adr/1-a.md", "y.qda"], "search,objects,architecture,qualitative"],
])("[core.cli.init-shelves] for %j the tools are those of %s", async (files, shelves) => {
  const { run, args } = folder(...files);
  expect((await run([])).code).toBe(0);
  expect(args()).toEqual(["mcp", "--shelves", shelves]);
});

test("[core.cli.init-shelves] only the chosen shelves are configured", async () => {
  const { run, args } = folder("a.qmd.md");
  await run(["--shelves", "search"]);
  expect(args()).toEqual(["mcp", "--shelves", "search"]);
});

test("[core.cli.init-index] without a terminal it asks nothing and prints the command", async () => {
  const { run, cwd } = folder("a.md");
  const { out } = await run([]);
  expect(out).toContain(
    `To index this folder: lectern collection add '${cwd}' --name 'My notes'\n`,
  );
  expect((await run(["--dry-run", "--yes"])).out).toContain("To index this folder:");
});

test("[core.cli.init-index] --yes indexes the folder, once", async () => {
  const { run } = folder("a.md", "sub/b.md");
  expect((await run(["--yes"])).out).toContain("Added collection 'My notes' with 2 documents\n");
  const again = await run(["--yes", "--json"]);
  expect(JSON.parse(again.out)).toMatchObject({ did: "kept", collection: "My notes" });
  expect((await run([])).out).toContain("This folder is in the index, in collection 'My notes'.");
});

test("[core.cli.init-index] on a terminal it asks, and heeds the answer", async () => {
  const { run } = folder("a.md");
  const asked: string[] = [];
  const answer = (isYes: boolean) => async (question: string) => {
    asked.push(question);
    return isYes;
  };
  expect((await run([], { confirm: answer(false) })).out).toContain("To index this folder:");
  expect((await run(["--json"], { confirm: answer(true) })).out).not.toContain("collection");
  expect((await run([], { confirm: answer(true) })).out).toContain("Added collection");
  expect(asked).toEqual(Array(2).fill("Index the Markdown files of this folder as 'My notes'?"));
});

test.each([
  ["\n", true],
  ["y\n", true],
  ["Yes\n", true],
  ["n\n", false],
  ["what?\n", false],
  [undefined, false],
])("the answer %j means %s", async (typed, isYes) => {
  const input = new PassThrough();
  const answered = openConfirm(input, new PassThrough())("Really?");
  if (typed === undefined) input.end();
  else input.write(typed);
  expect(await answered).toBe(isYes);
});
