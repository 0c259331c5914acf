import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { readDocumentsOf } from "../../../../tests/fixtures/files/watched-folders.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";
import type { OutputBlock } from "../../../kernel/operations/output-block.ts";

const pages = {
  "notes/a.md": "# Lamps\nA lamp (small).\r\nnothing\nthe LAMP again\nend",
  "notes/deep/b.txt": "lamp lamp\nlamp\nlamp",
  "work/c.md": "2026-01-02 and a+b",
};

interface Answer {
  results: { file: string; line: number; column: number; text: string }[];
  matches: number;
  documents: number;
  stopped?: string;
}

async function subject(files: Record<string, string> = pages) {
  const { call, library, home } = await searchLibrary(files);
  const grep = async (pattern: string, input: object = {}) => {
    const answer = await call("grep", { pattern, ...input });
    if (!("results" in answer)) throw new Error(String(answer.message));
    return answer as unknown as Answer;
  };
  const places = async (pattern: string, input: object = {}) =>
    (await grep(pattern, input)).results.map(
      ({ file, line, column }) => `${file}:${line}:${column}`,
    );
  const text = async (pattern: string, input: object = {}) => {
    const { operation } = library.catalogue.find("grep") ?? {};
    const [block] =
      operation?.present?.(
        await grep(pattern, input),
        { filesOnly: false, context: 0, ...input },
        "person",
      ) ?? [];
    return block?.type === "text" ? block.text.split("\n") : [];
  };
  return { call, grep, places, text, library, home };
}

test("[search.grep.found] each match has its document, line, column and text", async () => {
  const { grep, places } = await subject();

  expect(await grep("lamp \\(")).toEqual({
    results: [{ file: "notes/a.md", line: 2, column: 3, text: "A lamp (small)." }],
    matches: 1,
    documents: 3,
  });
  expect(await places("^lamp")).toEqual([
    "notes/deep/b.txt:1:1",
    "notes/deep/b.txt:2:1",
    "notes/deep/b.txt:3:1",
  ]);
  expect(await places("lamp (", { fixed: true })).toEqual(["notes/a.md:2:3"]);
  expect(await places("A+B", { fixed: true, ignoreCase: true })).toEqual(["work/c.md:1:16"]);
  expect(await places("again|\\d{4}-\\d\\d")).toEqual(["notes/a.md:4:10", "work/c.md:1:1"]);
  expect(await places("zeppelin")).toEqual([]);
});

test("[search.grep.narrowed] it is narrowed by collection, path, first matches and a limit", async () => {
  const { grep, places } = await subject();

  expect(await places("lamp|and", { collections: ["work"] })).toEqual(["work/c.md:1:12"]);
  expect(await places("lamp", { path: "**/*.txt", filesOnly: true })).toEqual([
    "notes/deep/b.txt:1:1",
  ]);
  expect(await places("lamp", { filesOnly: true, ignoreCase: true })).toEqual([
    "notes/a.md:1:3",
    "notes/deep/b.txt:1:1",
  ]);
  expect(await grep("lamp", { limit: 2 })).toMatchObject({ matches: 2, stopped: "limit" });
});

test("[search.grep.context] lines around a match are shown once, and parts are separated", async () => {
  const { text } = await subject({
    "notes/n.md": ["one", "two x", "three", "four x", "five", "half", "seven", "eight x"].join(
      "\n",
    ),
    "notes/m.md": "x",
  });

  expect(await text("x", { context: 1 })).toEqual([
    "notes/m.md:1:1: x",
    "--",
    "notes/n.md-1- one",
    "notes/n.md:2:5: two x",
    "notes/n.md-3- three",
    "notes/n.md:4:6: four x",
    "notes/n.md-5- five",
    "--",
    "notes/n.md-7- seven",
    "notes/n.md:8:7: eight x",
  ]);
  expect(await text("four", { beforeContext: 2, afterContext: 0 })).toEqual([
    "notes/n.md-2- two x",
    "notes/n.md-3- three",
    "notes/n.md:4:1: four x",
  ]);
  expect(await text("x", { filesOnly: true })).toEqual(["notes/m.md", "notes/n.md"]);
  expect(await text("zeppelin")).toEqual(["No matches."]);
});

test("[search.grep.refused] a bad pattern and an unknown collection are refused", async () => {
  const { call } = await subject();

  expect(await call("grep", { pattern: "(a" })).toMatchObject({
    kind: "invalid",
    message: "Invalid parameter 'pattern': it has an unclosed group.",
  });
  expect(await call("grep", { pattern: "a", collections: ["wrok"] })).toMatchObject({
    kind: "not-found",
  });
});

test("[search.grep.private] what has become private is not searched, even before the index knows", async () => {
  const { library, home, places } = await subject();
  mkdirSync(join(home, "notes/project"), { recursive: true });
  expect(await places("lamp", { filesOnly: true })).toHaveLength(2);

  // A folder with a `data.qda` is a project, whose files cannot be read by path.
  writeFileSync(join(home, "notes/deep/data.qda"), "");
  expect(await places("lamp", { filesOnly: true })).toEqual(["notes/a.md:2:3"]);
  rmSync(join(home, "notes/a.md"));
  expect(await places("lamp")).toEqual([]);
  expect(readDocumentsOf(library.runtime.db).count()).toBe(3);
});

test("[search.grep.long] a long line is shortened around its match", async () => {
  const { grep } = await subject({
    "notes/long.txt": `${"a ".repeat(5_000)}needle${" b".repeat(5_000)}`,
  });
  const [hit] = (await grep("needle")).results;

  expect(hit?.column).toBe(10_001);
  expect(hit?.text.length).toBeLessThan(600);
  expect(hit?.text).toMatch(/^….*needle.*…$/);
});

test("[search.grep.cut] text is found anywhere in a long line, and a partial search is reported", async () => {
  const { grep } = await subject({
    "notes/data.md": `# Data\n${"lorem ipsum ".repeat(200_000)}needle\nend`,
  });
  const column = 2_400_001;

  expect((await grep("needle")).results).toMatchObject([{ line: 2, column }]);
  expect((await grep("NEEDLE", { fixed: true, ignoreCase: true })).results).toMatchObject([
    { line: 2, column },
  ]);
  expect(await grep("ne+dle$")).toMatchObject({
    matches: 0,
    notes: [{ kind: "incomplete", message: expect.stringContaining("notes/data.md") }],
  });
  expect(await grep("lorem +ipsum")).not.toHaveProperty("notes");
  expect(await grep("other+$")).not.toHaveProperty("notes");
});

test("[search.grep.slices] other work goes on meanwhile, and the deadline gives what was found", async () => {
  const line = "ab ".repeat(300);
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `notes/${at}.txt`,
      `needle\n${`${line}\n`.repeat(1_000)}`,
    ]),
  );
  const { grep } = await subject(files);
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      await yieldToEventLoop();
      turns++;
    }
  })();
  // A slow machine: each reading of the clock is later than a time slice.
  let elapsed = 0;
  const slowClock = vi.spyOn(performance, "now").mockImplementation(() => (elapsed += 50));
  const all = await grep("needle|\\b(ab )+c").finally(() => slowClock.mockRestore());
  expect(all).toMatchObject({ matches: 12, documents: 12 });
  isDone = true;
  await others;
  expect(turns).toBeGreaterThan(20);

  // The clock advances by a second with each call.
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1_000));
  const answer = await grep("needle").finally(() => clock.mockRestore());
  expect(answer).toMatchObject({ stopped: "deadline" });
  expect(answer.documents).toBeLessThan(12);
  expect(answer.matches).toBeGreaterThan(0);
});

test("[search.grep.stream] on the command line the matches of each document are printed when found", async () => {
  const { library } = await subject();
  const entry = library.catalogue.find("grep");
  const shown: string[] = [];
  const onPart = async (blocks: readonly OutputBlock[]) => {
    for (const block of blocks) if (block.type === "text") shown.push(block.text);
  };
  if (!entry) throw new Error("There is no grep.");
  const outcome = await library.call(
    entry,
    { pattern: "lamp" },
    { actor: { surface: "cli" }, onPart },
  );

  expect(shown).toEqual([
    "notes/a.md:2:3: A lamp (small).",
    "notes/deep/b.txt:1:1: lamp lamp\nnotes/deep/b.txt:2:1: lamp\nnotes/deep/b.txt:3:1: lamp",
  ]);
  expect(outcome).toMatchObject({ ok: true, value: { results: [], matches: 4 } });
});
