import { expect, test } from "vitest";
import { waysInto } from "../../../tests/contract/ways-in.ts";
import { searchLibrary } from "../../../tests/fixtures/search-library.ts";

test("[search.words.phrase] a phrase that stands in a title is found, wherever the title comes from", async () => {
  const { files } = await searchLibrary({
    "notes/matter.md": "---\ntitle: The keeper's manual\n---\n\ntext",
    "notes/heading.md": "# The keeper's manual\n\ntext",
    "notes/the keeper s manual.txt": "text",
    "notes/other.md": "A manual that is the keeper's",
  });

  expect((await files('"keeper\'s manual"')).toString().split(",").toSorted()).toEqual([
    "notes/heading.md",
    "notes/matter.md",
    "notes/the keeper s manual.txt",
  ]);
});

test("[search.titles.order] the title of the front matter counts, and is the one that is shown", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md": "---\ntitle: Grid 'areas'\n---\n\n## Syntax\n\nwords",
    "notes/b.md": "## Syntax\n\ngrid words and other words",
  });
  const [first] = await hits("grid");

  expect(first).toMatchObject({ file: "notes/a.md", title: "Grid 'areas'" });
});

test("[search.snippet.lines] each hit names its section, its lines and the file's own numbers", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md":
      "---\nx: 1\n---\n# Manual\n\n## Lamp\n\nTrim the wick.\n\n## Tower\n\nPaint the tower.",
  });
  const [hit] = await hits("paint");

  expect(hit).toMatchObject({
    line: 10,
    endLine: 12,
    headings: ["Manual", "Tower"],
    snippet: "12: Paint the tower.",
  });
});

test("[search.snippet.lines] line numbers hold with a byte order mark, line ends of Windows and emoji", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md": "\ufeff# 😀 Title\r\n\r\none 😀😀\r\ntwo\rthree needle\n",
  });

  const [hit] = await hits("needle");
  expect(hit?.snippet).toBe("4: two\n5: three needle");
  expect(hit?.title).toBe("😀 Title");
});

test("[search.passages.per-file] several sections of one file are told where they are asked for", async () => {
  const sections = ["Lamp one", "Lamp two", "Lamp three"].map((name) => `## ${name}\n\nlamp`);
  const { hits } = await searchLibrary({
    "notes/a.md": `# Manual\n\ntext\n${sections.join("\n")}`,
  });

  expect(await hits("lamp")).toHaveLength(1);
  const all = await hits("lamp", { perFile: 5 });
  expect(all.map(({ headings }) => headings.at(-1)).toSorted()).toEqual([
    "Lamp one",
    "Lamp three",
    "Lamp two",
  ]);
});

test("[search.explain.shown] people are told in a line for each hit what made its score", async () => {
  const { library } = await searchLibrary({ "notes/a.md": "# Reference\n\ntext\n" });
  const { shell, tool } = waysInto(library, library.catalogue.shelves);
  const { out } = await shell("search", "referense nowhere", "--explain");

  expect(out).toMatch(
    /^ {4}why: referense read as reference \(weight [\d.]+, strength [\d.]+; title 1, headings 1, body 1\); nowhere \(weight [\d.]+, not found\)$/m,
  );
  expect((await shell("search", "referense")).out).not.toContain("why:");
  const asked = await tool("search", { query: "referense", explain: true });
  expect(JSON.stringify(asked.body)).not.toContain("why:");
});

test("[search.explain.words] the reasons of a score are told on request, and name other spellings", async () => {
  const { hits } = await searchLibrary({ "notes/a.md": "# Reference resolution\n\ntext" });
  const [plain] = await hits("referense");
  const [told] = await hits("referense nowhere", { explain: true });

  expect(plain).not.toHaveProperty("explain");
  expect(told?.explain).toEqual([
    {
      word: "referense",
      read: ["reference"],
      weight: expect.any(Number),
      strength: expect.any(Number),
      found: { title: 1, headings: 1, path: 0, body: 1 },
    },
    {
      word: "nowhere",
      weight: expect.any(Number),
      strength: 0,
      found: { title: 0, headings: 0, path: 0, body: 0 },
    },
  ]);
});

test("a snippet shows what was read instead of a slip or a beginning", async () => {
  const filler = Array.from({ length: 30 }, (_, place) => `line ${place} of other words`).join(
    "\n",
  );
  const { hits } = await searchLibrary({
    "notes/a.md": `${filler}\nthe lighthouse stands\n${filler}`,
  });

  for (const query of ["lihgthouse", "lighth*", "lighthou"]) {
    expect((await hits(query))[0]?.snippet, query).toContain("31: the lighthouse stands");
  }
});

test("[search.search.min-score] the least score is compared with what is shown", async () => {
  const { hits } = await searchLibrary({ "notes/a.md": "lamp tower", "notes/b.md": "lamp" });
  const [best, other] = await hits("lamp tower");

  expect(best?.score).toBeGreaterThan(other?.score ?? 1);
  expect(await hits("lamp tower", { minScore: best?.score })).toHaveLength(1);
  expect(await hits("lamp tower", { minScore: other?.score })).toHaveLength(2);
});

test("[search.hostile.file] files that are bombs are taken in beside others, and found", async () => {
  const { files, hits } = await searchLibrary({
    "notes/heading.md": `# ${"漢".repeat(200_000)} lamp\n\ntext`,
    "notes/line.md": `${"x".repeat(1_000_000)} lamp`,
    "notes/list.md": `---\ntags: [${"a,".repeat(200_000)}]\n---\nlamp`,
    "notes/marks.md": `# a${"\u0301\u0316".repeat(100_000)}\n\nlamp`,
    "notes/headings.md": `${"# h\n".repeat(20_000)}\nlamp`,
    "notes/word.md": `# ${"ёв".repeat(50_000)}\n\nlamp`,
    "notes/plain.md": "lamp",
  });

  expect(await files("lamp")).toHaveLength(7);
  for (const { title, snippet, headings } of await hits("lamp")) {
    expect(title.length).toBeLessThanOrEqual(300);
    expect(snippet.length).toBeLessThan(400);
    expect(headings.join("").length).toBeLessThanOrEqual(1_800);
  }
});
