import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { showFigures } from "../figures.ts";
import { freshHome, runProgram, type Served, startServer } from "../program.ts";

const home = freshHome();
const folder = join(home, "notes");
const latencies: number[] = [];
let server: Served;

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "first.md"), "# First\n\nalbatross\n");
  const added = await runProgram(["collection", "add", folder, "--name", "notes"], { home });
  expect(added.code, added.stderr).toBe(0);
  server = await startServer(home);
});

afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
  const sorted = latencies.toSorted((a, b) => a - b).map(Math.round);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1];
  showFigures(`${sorted.length} changes were found after ${sorted[0]} ms or more, p95 ${p95} ms.`);
});

async function search(query: string): Promise<string[]> {
  const answer = await fetch(`${server.url}/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, limit: 100 }),
  });
  const { results } = (await answer.json()) as { results: { file: string }[] };
  return results.map(({ file }) => file).sort();
}

/** Waits until a search finds exactly these files. */
async function waitForFiles(query: string, files: readonly string[]): Promise<void> {
  const start = performance.now();
  await expect.poll(() => search(query), { interval: 25 }).toEqual(files);
  latencies.push(performance.now() - start);
}

const pathOf = (...names: string[]): string => join(folder, ...names);

describe.each([1, 2, 3, 4])("round %i", (round) => {
  const word = (kind: string): string => `${kind}x${round}`;

  test("[core.freshness.files] a file that is created, edited, renamed or deleted is found in its current state", async () => {
    writeFileSync(pathOf("new.md"), `# New\n\n${word("made")}\n`);
    await waitForFiles(word("made"), ["notes/new.md"]);
    appendFileSync(pathOf("new.md"), `\n${word("edited")}\n`);
    await waitForFiles(word("edited"), ["notes/new.md"]);
    renameSync(pathOf("new.md"), pathOf("renamed.md"));
    await waitForFiles(word("edited"), ["notes/renamed.md"]);
    rmSync(pathOf("renamed.md"));
    await waitForFiles(word("edited"), []);
  });

  test("[core.freshness.atomic-save] a file saved by renaming over it is found with its new content", async () => {
    writeFileSync(pathOf("draft.md"), `# Draft\n\n${word("old")}\n`);
    await waitForFiles(word("old"), ["notes/draft.md"]);
    writeFileSync(pathOf(".draft.md.swp"), `# Draft\n\n${word("saved")}\n`);
    renameSync(pathOf(".draft.md.swp"), pathOf("draft.md"));
    await waitForFiles(word("saved"), ["notes/draft.md"]);
    expect(await search(word("old"))).toEqual([]);
  });

  test("[core.freshness.folders] a folder that is created with files, renamed or deleted is found in its current state", async () => {
    mkdirSync(pathOf("year", "month"), { recursive: true });
    writeFileSync(pathOf("year", "a.md"), `${word("inside")}\n`);
    writeFileSync(pathOf("year", "month", "b.md"), `${word("inside")}\n`);
    await waitForFiles(word("inside"), ["notes/year/a.md", "notes/year/month/b.md"]);
    renameSync(pathOf("year"), pathOf("past"));
    await waitForFiles(word("inside"), ["notes/past/a.md", "notes/past/month/b.md"]);
    appendFileSync(pathOf("past", "month", "b.md"), `${word("later")}\n`);
    await waitForFiles(word("later"), ["notes/past/month/b.md"]);
    rmSync(pathOf("past"), { recursive: true });
    await waitForFiles(word("inside"), []);
  });

  test("[core.freshness.ignore-file] a new ignore file excludes documents, and removing it includes them again", async () => {
    mkdirSync(pathOf("private"), { recursive: true });
    writeFileSync(pathOf("private", "diary.md"), `${word("dear")}\n`);
    await waitForFiles(word("dear"), ["notes/private/diary.md"]);
    writeFileSync(pathOf(".gitignore"), "private/\n");
    await waitForFiles(word("dear"), []);
    rmSync(pathOf(".gitignore"));
    await waitForFiles(word("dear"), ["notes/private/diary.md"]);
    rmSync(pathOf("private"), { recursive: true });
  });

  test("[core.freshness.links] a link follows its target", async () => {
    mkdirSync(pathOf("kept"), { recursive: true });
    writeFileSync(pathOf("kept", "page.md"), `${word("target")}\n`);
    symlinkSync(pathOf("kept", "page.md"), pathOf("link.md"));
    await waitForFiles(word("target"), ["notes/kept/page.md", "notes/link.md"]);
    writeFileSync(pathOf("kept", "page.md"), `${word("aimed")}\n`);
    await waitForFiles(word("aimed"), ["notes/kept/page.md", "notes/link.md"]);
    rmSync(pathOf("kept"), { recursive: true });
    await waitForFiles(word("aimed"), []);
    rmSync(pathOf("link.md"));
  });

  test("[core.freshness.config] a manual edit of the configuration takes effect immediately", async () => {
    const config = join(home, "config.json");
    const before = readFileSync(config, "utf8");
    const other = join(home, `other-${round}`);
    mkdirSync(other);
    writeFileSync(join(other, "page.md"), `${word("elsewhere")}\n`);
    const edited = JSON.parse(before);
    edited.collections.other = { path: other, pattern: "**/*.md" };
    writeFileSync(config, JSON.stringify(edited));
    await waitForFiles(word("elsewhere"), ["other/page.md"]);
    writeFileSync(join(other, "page-2.md"), `${word("elsewhere")}\n`);
    await waitForFiles(word("elsewhere"), ["other/page-2.md", "other/page.md"]);
    edited.collections.other.pattern = "*-2.md";
    writeFileSync(config, JSON.stringify(edited));
    await waitForFiles(word("elsewhere"), ["other/page-2.md"]);
    writeFileSync(config, before);
    await waitForFiles(word("elsewhere"), []);
  });

  test("[core.freshness.folder-returns] a collection whose folder disappears and returns is found again", async () => {
    writeFileSync(pathOf("stays.md"), `${word("stays")}\n`);
    await waitForFiles(word("stays"), ["notes/stays.md"]);
    renameSync(folder, `${folder}-unmounted`);
    await waitForFiles(word("stays"), []);
    renameSync(`${folder}-unmounted`, folder);
    await waitForFiles(word("stays"), ["notes/stays.md"]);
    appendFileSync(pathOf("stays.md"), `${word("again")}\n`);
    await waitForFiles(word("again"), ["notes/stays.md"]);
  });
});

describe("on the command line, without a running server", () => {
  const home = freshHome();
  const folder = join(home, "papers");
  const pathOf = (...names: string[]): string => join(folder, ...names);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /**
   * The files that one command finds. It does not retry: each command must see the current files.
   */
  async function waitForFiles(query: string): Promise<string[]> {
    const { code, stdout, stderr } = await runProgram(["search", query, "--json"], { home });
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file).sort();
  }

  test("[core.freshness.commands] each command sees the current files", async () => {
    mkdirSync(folder);
    writeFileSync(pathOf("a.md"), "# First\n\nalbatross\n");
    await runProgram(["collection", "add", folder, "--name", "papers"], { home });
    expect(await waitForFiles("albatross")).toEqual(["papers/a.md"]);
    writeFileSync(pathOf("b.md"), "# Second\n\nalbatross\n");
    expect(await waitForFiles("albatross")).toEqual(["papers/a.md", "papers/b.md"]);
    renameSync(pathOf("a.md"), pathOf("c.md"));
    appendFileSync(pathOf("b.md"), "\nbarnacle\n");
    expect(await waitForFiles("albatross")).toEqual(["papers/b.md", "papers/c.md"]);
    expect(await waitForFiles("barnacle")).toEqual(["papers/b.md"]);
    writeFileSync(pathOf(".gitignore"), "b.md\n");
    expect(await waitForFiles("albatross")).toEqual(["papers/c.md"]);
    rmSync(folder, { recursive: true });
    expect(await waitForFiles("albatross")).toEqual([]);
  });

  test("[core.freshness.commands-config] documents of a collection removed from the configuration manually are no longer found", async () => {
    mkdirSync(folder);
    writeFileSync(pathOf("a.md"), "cormorant\n");
    expect(await waitForFiles("cormorant")).toEqual(["papers/a.md"]);
    writeFileSync(join(home, "config.json"), "{}");
    expect(await waitForFiles("cormorant")).toEqual([]);
  });

  test("[search.embedding.first] embed as the first command indexes the configured collections", async () => {
    const newHome = freshHome();
    writeFileSync(join(newHome, "a.md"), "The cormorant dries its wings.\n");
    const collections = { papers: { path: newHome } };
    writeFileSync(join(newHome, "config.json"), JSON.stringify({ collections }));
    const { stdout } = await runProgram(["embed"], { home: newHome });
    expect(stdout).toBe("Embedded 1 document in 1 chunk\n");
  });
});
