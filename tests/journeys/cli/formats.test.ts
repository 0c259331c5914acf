import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createZip,
  docxParts,
  epubParts,
  odtParts,
  wordParagraph,
} from "../../fixtures/files/made-files.ts";
import { madePdf } from "../../fixtures/files/made-pdf.ts";
import { freshHome, runProgram } from "../program.ts";

const home = freshHome();
const folder = join(home, "papers");
const mask = "**/*.{md,txt,html,docx,pdf,odt,epub,ipynb,org,rtf}";

beforeAll(async () => {
  mkdirSync(folder);
  const paragraph = `<text:p>An albatross in odt.</text:p>`;
  const cells = [{ cell_type: "markdown", source: ["# Notebook\n", "An albatross in ipynb."] }];
  const files: Record<string, string | Uint8Array> = {
    "a.md": "# Bird\n\nAn albatross in md.\n",
    "b.txt": "An albatross in txt.",
    "c.html": "<title>Page</title><h1>Page</h1><p>An albatross in html.</p>",
    "d.docx": await createZip(
      docxParts(wordParagraph("Report", "berschrift1") + wordParagraph("An albatross in docx.")),
    ),
    "e.pdf": madePdf([[{ words: "An albatross in pdf.", y: 700 }]]),
    "f.odt": await createZip(odtParts(paragraph)),
    "g.epub": await createZip(epubParts(["<h1>One</h1><p>An albatross in epub.</p>"], "Book")),
    "h.ipynb": JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    "i.org": "#+TITLE: Org\n* Bird\nAn albatross in org.\n",
    "j.rtf": String.raw`{\rtf1\ansi An albatross in rtf.\par}`,
    "bad.pdf": "%PDF-1.4 this is no PDF",
    "bad.docx": "PK this is no archive",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

test("[search.formats.all] documents of every format are found and read, and unreadable files are reported in one line each", async () => {
  const add = ["collection", "add", folder, "--name", "papers", "--mask", mask, "--json"];
  const added = await runProgram(add, { home });
  expect(JSON.parse(added.stdout)).toMatchObject({
    documents: 10,
    skipped: [
      { path: "papers/bad.docx", reason: expect.any(String) },
      { path: "papers/bad.pdf", reason: expect.any(String) },
    ],
  });

  const result = await runProgram(["search", "albatross", "-n", "20", "--json"], { home });
  const hits: { file: string; snippet: string }[] = JSON.parse(result.stdout);
  expect(hits.map(({ file }) => file).sort()).toEqual(
    [
      ...["a.md", "b.txt", "c.html", "d.docx", "e.pdf", "f.odt", "g.epub", "h.ipynb", "i.org"],
      "j.rtf",
    ].map((name) => `papers/${name}`),
  );

  for (const { file, snippet } of hits) {
    const extension = file.slice(file.lastIndexOf(".") + 1);
    const printed = await runProgram(["get", file, "--line-numbers"], { home });
    const line = snippet.split("\n").find((text) => text.includes("albatross")) ?? "";
    expect(line).toContain(`An albatross in ${extension}.`);
    // The line numbers of `get` match those of the snippet.
    expect(printed.stdout).toContain(line);
  }
});

test("[search.formats.once] conversions are cached, including failed ones", async () => {
  const updated = await runProgram(["update", "--json"], { home });

  expect(JSON.parse(updated.stdout).skipped).toHaveLength(2);
  writeFileSync(join(folder, "j.html"), "<h1>Late</h1><p>A cormorant in html.</p>");
  await runProgram(["update"], { home });
  const result = await runProgram(["search", "cormorant", "--files"], { home });
  expect(result.stdout).toContain("qmd://papers/j.html");
});
