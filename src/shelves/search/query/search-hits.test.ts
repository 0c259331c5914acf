import { expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

test("[search.words.phrase] a phrase in a title is found, wherever the title comes from", async () => {
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

test("[search.titles.order] the front matter title takes precedence, and is displayed", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md": "---\ntitle: Grid 'areas'\n---\n\n## Syntax\n\nwords",
    "notes/b.md": "## Syntax\n\ngrid words and other words",
  });
  const [first] = await hits("grid");

  expect(first).toMatchObject({ file: "notes/a.md", title: "Grid 'areas'" });
});

test("[search.snippet.lines] [search.snippet.match-line] each hit has its section, its lines and the file's line numbers", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md":
      "---\nx: 1\n---\n# Manual\n\n## Lamp\n\nTrim the wick.\n\n## Tower\n\nPaint the tower.",
  });
  const [hit] = await hits("paint");

  expect(hit).toMatchObject({
    line: 10,
    matchLine: 12,
    endLine: 12,
    headings: ["Manual", "Tower"],
    snippet: "12: Paint the tower.",
  });
});

test("[search.snippet.lines] line numbers are correct with a byte order mark, Windows line ends and emoji", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md": "\ufeff# 😀 Title\r\n\r\none 😀😀\r\ntwo\rthree needle\n",
  });

  const [hit] = await hits("needle");
  expect(hit?.snippet).toBe("4: two\n5: three needle");
  expect(hit?.title).toBe("😀 Title");
});

test("[search.passages.per-file] several sections of one file are returned on request", async () => {
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

test("[search.explain.shown] each hit has one line that explains its score", async () => {
  const { library } = await searchLibrary({ "notes/a.md": "# Reference\n\ntext\n" });
  const { shell, tool } = clientsOf(library, library.catalogue.shelves);
  const { out } = await shell("search", "referense nowhere", "--explain");

  expect(out).toMatch(
    /^ {4}score: referense corrected to reference \(weight [\d.]+, strength [\d.]+; title 1, headings 1, body 1\); nowhere \(weight [\d.]+, not found\)$/m,
  );
  expect((await shell("search", "referense")).out).not.toContain("why:");
  const asked = await tool("search", { query: "referense", explain: true });
  expect(JSON.stringify(asked.body)).not.toContain("why:");
});

test("[search.function-words.explained] the explanation says what function words count", async () => {
  const { library } = await searchLibrary({ "notes/a.md": "# Reference\n\nthe text of it\n" });
  const { shell } = clientsOf(library, library.catalogue.shelves);
  const { out } = await shell("search", "the reference", "--explain");

  expect(out).toMatch(
    /score: reference \(weight [\d.]+, .*\); the \(weight [\d.]+, not in a title\)$/m,
  );
});

test("[search.explain.words] scores are explained on request, with corrected spellings", async () => {
  const { hits } = await searchLibrary({ "notes/a.md": "# Reference resolution\n\ntext" });
  const [plain] = await hits("referense");
  const [hit] = await hits("referense nowhere", { explain: true });

  expect(plain).not.toHaveProperty("explain");
  expect(hit?.explain).toEqual([
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

test("[search.names.explained] the explanation tells that a word is a part of a name", async () => {
  const { library } = await searchLibrary({
    "notes/a.md": "# Reference\n\nCall getUserProfile, not set_user_name.\n",
  });
  const { shell } = clientsOf(library, library.catalogue.shelves);
  const explained = async (query: string) => (await shell("search", query, "--explain")).out;

  expect(await explained("profile")).toMatch(/score: profile \(weight 1, .*; names 1\)$/m);
  expect(await explained("userName")).toMatch(
    /score: user \(weight .*; names 1\); name \(weight .*; names 1\)$/m,
  );
});

test("[search.notes.spelling] each hit tells which words were corrected, and to what", async () => {
  const { hits } = await searchLibrary({
    "notes/a.md": "# Reference resolution\n\ntext",
    "notes/b.md": "# Lamp\n\ntext",
  });
  const [misspelled, other] = await hits("referense lamp");

  expect([misspelled, other].map((hit) => hit?.corrected)).toContainEqual([
    { word: "referense", read: ["reference"] },
  ]);
  expect([misspelled, other].map((hit) => hit?.corrected)).toContainEqual(undefined);
  expect((await hits("resolut*"))[0]).not.toHaveProperty("corrected");
  expect((await hits("reference"))[0]).not.toHaveProperty("corrected");
});

test("a snippet highlights the corrected or completed word", async () => {
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

test("[search.search.min-score] minScore is compared with the displayed score", async () => {
  const { hits } = await searchLibrary({ "notes/a.md": "lamp tower", "notes/b.md": "lamp" });
  const [best, other] = await hits("lamp tower");

  expect(best?.score).toBeGreaterThan(other?.score ?? 1);
  expect(await hits("lamp tower", { minScore: best?.score })).toHaveLength(1);
  expect(await hits("lamp tower", { minScore: other?.score })).toHaveLength(2);
});

test("[search.hostile.file] hostile files are indexed beside others and found", async () => {
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
