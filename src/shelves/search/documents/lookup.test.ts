import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type SearchLibrary,
  searchLibrary,
} from "../../../../tests/fixtures/search/search-library.ts";

const pages = {
  "notes/journal/day.md": "# Day\none\n## Evening\ntwo\n## Night\nthree",
  "notes/a:3": "named like a line",
  "notes/c#sharp.md": "# Sharp\nx",
  "notes/100%_sure.md": "sure",
  "notes/deadbeef": "named like a docid",
  "work/day.md": "other day",
  "work/only.md": "only here",
};

/** The text of a named document, or the start of the error. */
async function texts() {
  const opened = await searchLibrary(pages);
  return { ...opened, text: (file: string, input: object = {}) => textOf(opened, file, input) };
}

async function textOf({ call }: SearchLibrary, file: string, input: object): Promise<string> {
  const answer = await call("get", { file, ...input });
  // The output was validated with the operation's schema.
  if ("document" in answer) return (answer.document as { text: string }).text;
  return String(answer.message).split("\n")[0] ?? "";
}

test("[search.get.forms] a document has several names", async () => {
  const { text, home, hits } = await texts();
  const [{ docid = "" } = {}] = await hits('"only here"');
  const names = [
    "work/only.md",
    "only.md",
    "./only.md",
    "qmd://work/only.md",
    "qmd:///work/only.md",
    docid,
    docid.slice(1),
    docid.toUpperCase(),
    join(home, "work/only.md"),
    " work/only.md ",
  ];

  for (const name of names) expect(await text(name), name).toBe("only here");
});

test("[search.get.composed] a letter with a mark matches in composed and decomposed form", async () => {
  const composed = "Übersicht/Café.md".normalize("NFC");
  const parted = "Übersicht/Café.md".normalize("NFD");
  const opened = await searchLibrary({
    [`one/${composed}`]: "in one piece",
    [`two/${parted}`]: "in two",
  });

  expect(await textOf(opened, `one/${parted}`, {})).toBe("in one piece");
  expect(await textOf(opened, `two/${composed}`, {})).toBe("in two");
  expect(await textOf(opened, join(opened.home, "two", composed), {})).toBe("in two");
  expect(await textOf(opened, `${parted.slice(0, -3)}.txt`, {})).toMatch("Document not found");
});

test("[search.get.past-end] a line past the end is reported, with the number of lines", async () => {
  const { text } = await texts();

  expect(await text("work/only.md:999999999")).toBe(
    "work/only.md has 1 line; there is no line 999999999.",
  );
  expect(await text("work/only.md:1")).toBe("only here");
});

test("[search.get.lines] a name may end with a line, a number of lines or a heading", async () => {
  const { text } = await texts();

  expect(await text("journal/day.md:3")).toBe("## Evening\ntwo\n## Night\nthree");
  expect(await text("journal/day.md:3:2")).toBe("## Evening\ntwo");
  expect(await text("journal/day.md:0:1")).toBe("# Day");
  expect(await text("journal/day.md#evening")).toBe("## Evening\ntwo");
  expect(await text("notes/journal/day.md#Night")).toBe("## Night\nthree");
});

test("a file may be named like a line, a heading, a docid or a pattern", async () => {
  const { text } = await texts();

  expect(await text("notes/a:3")).toBe("named like a line");
  expect(await text("c#sharp.md")).toBe("# Sharp\nx");
  expect(await text("c#sharp.md#sharp")).toBe("# Sharp\nx");
  expect(await text("100%_sure.md")).toBe("sure");
  expect(await text("100__sure.md")).toMatch("Document not found");
  expect(await text("%sure.md")).toMatch("Document not found");
  expect(await text("deadbeef")).toBe("named like a docid");
});

test("[search.get.suffix] an exact path takes precedence over a suffix, and part of a name does not match", async () => {
  const { text, call } = await texts();

  expect(await call("get", { file: "day.md" })).toMatchObject({ document: { text: "other day" } });
  expect(await text("work/day.md")).toBe("other day");
  expect(await text("ay.md")).toBe("Document not found: ay.md");
  expect(await text("ournal/day.md")).toBe("Document not found: ournal/day.md");
});

test("an invalid name is refused, and a file outside is not found", async () => {
  const { text } = await texts();

  for (const empty of ["qmd://", "qmd:", "qmd://%ZZ", "   "]) {
    expect(await text(empty), empty).toMatch(/Invalid parameter 'file'/);
  }
  for (const away of [
    "/etc/passwd",
    "../work/only.md",
    "work/../work/only.md",
    "#",
    "#zzzzzz",
    ":3",
    "work/",
  ]) {
    expect(await text(away), away).toMatch(/^Document not found/);
  }
});

test("[search.get.similar] a misspelled name is answered with the closest, with and without its collection", async () => {
  const { call } = await texts();
  for (const file of ["work/onyl.md", "onyl.md", "wrok/only.md", "only.dm:3", "onyl.md#evening"]) {
    expect(await call("get", { file }), file).toMatchObject({
      kind: "not-found",
      message: expect.stringContaining("\n  - work/only.md"),
    });
  }
});

test("[search.get.similar] a name without similar ones is answered without suggestions", async () => {
  const { call } = await texts();
  const { message } = await call("get", { file: "unknown-altogether.docx" });

  expect(message).toBe("Document not found: unknown-altogether.docx");
});
