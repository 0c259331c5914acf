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
const measured: number[] = [];
let served: Served;

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "first.md"), "# First\n\nalbatross\n");
  const added = await runProgram(["collection", "add", folder, "--name", "notes"], { home });
  expect(added.code, added.stderr).toBe(0);
  served = await startServer(home);
});

afterAll(async () => {
  await served.stop();
  rmSync(home, { recursive: true, force: true });
  const sorted = measured.toSorted((a, b) => a - b).map(Math.round);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1];
  showFigures(`${sorted.length} changes were found after ${sorted[0]} ms or more, p95 ${p95} ms.`);
});

async function search(query: string): Promise<string[]> {
  const answer = await fetch(`${served.url}/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, limit: 100 }),
  });
  const { results } = (await answer.json()) as { results: { file: string }[] };
  return results.map(({ file }) => file).sort();
}

/** Waits until a search finds exactly these files. Two seconds are promised; a busy machine gets five. */
async function found(query: string, files: readonly string[]): Promise<void> {
  const start = performance.now();
  await expect.poll(() => search(query), { timeout: 5_000, interval: 25 }).toEqual(files);
  measured.push(performance.now() - start);
}

const at = (...names: string[]): string => join(folder, ...names);

describe.each([1, 2, 3, 4])("round %i", (round) => {
  const word = (kind: string): string => `${kind}x${round}`;

  test("[core.freshness.files] a file that is created, edited, renamed or deleted is found in its current state", async () => {
    writeFileSync(at("new.md"), `# New\n\n${word("made")}\n`);
    await found(word("made"), ["notes/new.md"]);
    appendFileSync(at("new.md"), `\n${word("edited")}\n`);
    await found(word("edited"), ["notes/new.md"]);
    renameSync(at("new.md"), at("renamed.md"));
    await found(word("edited"), ["notes/renamed.md"]);
    rmSync(at("renamed.md"));
    await found(word("edited"), []);
  });

  test("[core.freshness.atomic-save] a file saved by renaming over it is found with its new content", async () => {
    writeFileSync(at("draft.md"), `# Draft\n\n${word("old")}\n`);
    await found(word("old"), ["notes/draft.md"]);
    writeFileSync(at(".draft.md.swp"), `# Draft\n\n${word("saved")}\n`);
    renameSync(at(".draft.md.swp"), at("draft.md"));
    await found(word("saved"), ["notes/draft.md"]);
    expect(await search(word("old"))).toEqual([]);
  });

  test("[core.freshness.folders] a folder that is created with files, renamed or deleted is found in its current state", async () => {
    mkdirSync(at("year", "month"), { recursive: true });
    writeFileSync(at("year", "a.md"), `${word("inside")}\n`);
    writeFileSync(at("year", "month", "b.md"), `${word("inside")}\n`);
    await found(word("inside"), ["notes/year/a.md", "notes/year/month/b.md"]);
    renameSync(at("year"), at("past"));
    await found(word("inside"), ["notes/past/a.md", "notes/past/month/b.md"]);
    appendFileSync(at("past", "month", "b.md"), `${word("later")}\n`);
    await found(word("later"), ["notes/past/month/b.md"]);
    rmSync(at("past"), { recursive: true });
    await found(word("inside"), []);
  });

  test("[core.freshness.ignore-file] a new ignore file excludes documents, and removing it includes them again", async () => {
    mkdirSync(at("private"), { recursive: true });
    writeFileSync(at("private", "diary.md"), `${word("dear")}\n`);
    await found(word("dear"), ["notes/private/diary.md"]);
    writeFileSync(at(".gitignore"), "private/\n");
    await found(word("dear"), []);
    rmSync(at(".gitignore"));
    await found(word("dear"), ["notes/private/diary.md"]);
    rmSync(at("private"), { recursive: true });
  });

  test("[core.freshness.links] a link follows its target", async () => {
    mkdirSync(at("kept"), { recursive: true });
    writeFileSync(at("kept", "page.md"), `${word("target")}\n`);
    symlinkSync(at("kept", "page.md"), at("link.md"));
    await found(word("target"), ["notes/kept/page.md", "notes/link.md"]);
    writeFileSync(at("kept", "page.md"), `${word("aimed")}\n`);
    await found(word("aimed"), ["notes/kept/page.md", "notes/link.md"]);
    rmSync(at("kept"), { recursive: true });
    await found(word("aimed"), []);
    rmSync(at("link.md"));
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
    await found(word("elsewhere"), ["other/page.md"]);
    writeFileSync(join(other, "page-2.md"), `${word("elsewhere")}\n`);
    await found(word("elsewhere"), ["other/page-2.md", "other/page.md"]);
    edited.collections.other.pattern = "*-2.md";
    writeFileSync(config, JSON.stringify(edited));
    await found(word("elsewhere"), ["other/page-2.md"]);
    writeFileSync(config, before);
    await found(word("elsewhere"), []);
  });

  test("[core.freshness.folder-returns] a collection whose folder disappears and returns is found again", async () => {
    writeFileSync(at("stays.md"), `${word("stays")}\n`);
    await found(word("stays"), ["notes/stays.md"]);
    renameSync(folder, `${folder}-unmounted`);
    await found(word("stays"), []);
    renameSync(`${folder}-unmounted`, folder);
    await found(word("stays"), ["notes/stays.md"]);
    appendFileSync(at("stays.md"), `${word("again")}\n`);
    await found(word("again"), ["notes/stays.md"]);
  });
});

describe("on the command line, without a running server", () => {
  const home = freshHome();
  const folder = join(home, "papers");
  const at = (...names: string[]): string => join(folder, ...names);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** The files that one command finds, which sees them at once or never. */
  async function found(query: string): Promise<string[]> {
    const { code, stdout, stderr } = await runProgram(["search", query, "--json"], { home });
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file).sort();
  }

  test("[core.freshness.commands] each command sees the current files", async () => {
    mkdirSync(folder);
    writeFileSync(at("a.md"), "# First\n\nalbatross\n");
    await runProgram(["collection", "add", folder, "--name", "papers"], { home });
    expect(await found("albatross")).toEqual(["papers/a.md"]);
    writeFileSync(at("b.md"), "# Second\n\nalbatross\n");
    expect(await found("albatross")).toEqual(["papers/a.md", "papers/b.md"]);
    renameSync(at("a.md"), at("c.md"));
    appendFileSync(at("b.md"), "\nbarnacle\n");
    expect(await found("albatross")).toEqual(["papers/b.md", "papers/c.md"]);
    expect(await found("barnacle")).toEqual(["papers/b.md"]);
    writeFileSync(at(".gitignore"), "b.md\n");
    expect(await found("albatross")).toEqual(["papers/c.md"]);
    rmSync(folder, { recursive: true });
    expect(await found("albatross")).toEqual([]);
  });

  test("[core.freshness.commands-config] documents of a collection removed from the configuration by hand are no longer found", async () => {
    mkdirSync(folder);
    writeFileSync(at("a.md"), "cormorant\n");
    expect(await found("cormorant")).toEqual(["papers/a.md"]);
    writeFileSync(join(home, "config.json"), "{}");
    expect(await found("cormorant")).toEqual([]);
  });

  test("[search.embedding.first] embed as the first command indexes the configured collections", async () => {
    const fresh = freshHome();
    writeFileSync(join(fresh, "a.md"), "The cormorant dries its wings.\n");
    const collections = { papers: { path: fresh } };
    writeFileSync(join(fresh, "config.json"), JSON.stringify({ collections }));
    const { stdout } = await runProgram(["embed"], { home: fresh });
    expect(stdout).toBe("Embedded 1 document in 1 chunk\n");
  });
});
