import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, posix } from "node:path";
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import { codedLibrary } from "../../../../tests/fixtures/qualitative/coded-project.ts";
import { projectShelves } from "../../../../tests/fixtures/qualitative/project-library.ts";
import { openZip } from "../../../kernel/formats/containers/zip-reader.ts";
import { renderReportCsv } from "./csv.ts";
import { renderReportHtml } from "./html.ts";
import { renderReportMarkdown } from "./markdown.ts";
import { type Cell, type Report, titledColumns } from "./report.ts";
import { renderXlsx } from "./xlsx.ts";

const reportWith = (rows: Cell[][]): Report => ({
  title: "Coded <passages>",
  notes: ["Read & understood."],
  tables: [{ title: "Passages", columns: titledColumns({ text: "Text", count: "Count" }), rows }],
});

/** Hostile cell contents. */
const nasty = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  " \u200b=HYPERLINK(1)",
  "＝1",
  'say "no", then\r\ngo',
  "<script>alert(1)</script>",
  "</td></table>&amp;",
  "a|b\\|c *d* _e_ [f](g) `h`",
  "\u202eback",
  "_x0041_ \u0001 \ufffe \ud800",
  "😀 日本",
];

/** A strict RFC 4180 CSV parser, independent of our writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [whole, written = "", end] = match;
    rows
      .at(-1)
      ?.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === "\r\n" && cell.lastIndex < text.length) rows.push([]);
    if (whole === "" || cell.lastIndex >= text.length) break;
  }
  return rows;
}

test("[qualitative.reports.csv] text that looks like a formula stays text, and a number stays a number", () => {
  const written = renderReportCsv(reportWith(nasty.map((text, place) => [text, place - 20])));
  const [head, ...rows] = readCsv(written.slice(1));

  expect(written.startsWith("\uFEFF")).toBe(true);
  expect(head).toEqual(["Text", "Count"]);
  expect(rows.slice(0, 7).map(([text]) => text)).toEqual(
    nasty.slice(0, 7).map((text) => `'${text}`),
  );
  expect(rows.slice(7).map(([text]) => text)).toEqual(nasty.slice(7));
  expect(rows.map(([, count]) => Number(count))).toEqual(nasty.map((_, place) => place - 20));
});

test("[qualitative.reports.csv] every text round-trips, and no cell starts like a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (texts) => {
      const [, ...rows] = readCsv(
        renderReportCsv(reportWith(texts.map((text) => [text, 1]))).slice(1),
      );
      expect(rows.map(([text]) => text?.replace(/^'/, ""))).toEqual(
        texts.map((text) => text.replace(/^'/, "")),
      );
      for (const [text = ""] of rows) expect(text).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});

test("[qualitative.reports.html] foreign text is escaped, and the page runs no script", () => {
  const html = renderReportHtml(reportWith(nasty.map((text) => [text, 1])));
  const { document } = parseHTML(html);
  const cells = [...document.querySelectorAll("tbody td:first-child")];

  expect(document.querySelectorAll("script, img, iframe, a, link")).toHaveLength(0);
  expect(document.querySelectorAll("table")).toHaveLength(1);
  expect(html).toContain("default-src 'none'");
  expect(document.querySelector("h1")?.textContent).toBe("Coded <passages>");
  expect(cells.map(({ textContent }) => textContent?.replaceAll("\r", ""))).toEqual(
    nasty.map((text) =>
      text
        .toWellFormed()
        .replaceAll("\r", "")
        .replace("\u0001", "\ufffd")
        .replace("\ufffe", "\ufffd"),
    ),
  );
});

test("[qualitative.reports.markdown] a row stays one row, and special characters are escaped", () => {
  const markdown = renderReportMarkdown(reportWith(nasty.map((text) => [text, 1])));
  const rows = markdown.split("\n").filter((line) => line.startsWith("|"));

  expect(markdown.startsWith("# Coded \\<passages\\>\n")).toBe(true);
  expect(rows).toHaveLength(nasty.length + 2);
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(3);
  expect(markdown).toContain("\\<script\\>");
  expect(markdown).toContain("\\*d\\* \\_e\\_ \\[f\\](g) \\`h\\`");
  expect(renderReportMarkdown(reportWith([]))).toContain("Nothing.");
});

/** Every element of an XML part with its attributes and text; malformed XML throws. */
function elementsOf(xml: string) {
  const elements: { name: string; attributes: Record<string, string>; words: string }[] = [];
  const open: (typeof elements)[number][] = [];
  const parser = new SaxesParser({ fragment: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes } as Record<string, string>, words: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (words) => {
    const element = open.at(-1);
    if (element) element.words += words;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return elements;
}

async function partsOf(bytes: Uint8Array) {
  const archive = await openZip(bytes);
  const read = async (name: string) => elementsOf((await archive.readText(name)) ?? "");
  return { archive, read };
}

test("[qualitative.reports.xlsx] a workbook has all parts with valid references", async () => {
  const { archive, read } = await partsOf(
    await renderXlsx({ ...reportWith([["a", 1]]), notes: ["one", "two"] }),
  );
  const named = (await read("[Content_Types].xml")).filter(({ name }) => name === "Override");
  const relations = await read("xl/_rels/workbook.xml.rels");
  const sheets = (await read("xl/workbook.xml")).filter(({ name }) => name === "sheet");

  expect(named.map(({ attributes }) => attributes.PartName)).toEqual([
    "/xl/workbook.xml",
    "/xl/styles.xml",
    "/xl/worksheets/sheet1.xml",
    "/xl/worksheets/sheet2.xml",
  ]);
  for (const { attributes } of named) {
    expect(archive.has(attributes.PartName?.slice(1) ?? "")).toBe(true);
  }
  expect((await read("_rels/.rels"))[1]?.attributes.Target).toBe("xl/workbook.xml");
  expect(sheets.map(({ attributes }) => attributes.name)).toEqual(["Passages", "Notes"]);
  for (const { attributes } of sheets) {
    const relation = relations.find((one) => one.attributes.Id === attributes["r:id"]);
    expect(archive.has(posix.join("xl", relation?.attributes.Target ?? ""))).toBe(true);
  }
  const order = (await read("xl/worksheets/sheet1.xml")).map(({ name }) => name);
  expect(order.filter((name) => ["sheetViews", "cols", "sheetData"].includes(name))).toEqual([
    "sheetViews",
    "cols",
    "sheetData",
  ]);
});

test("[qualitative.reports.xlsx] texts are stored as text and round-trip, numbers are numbers", async () => {
  const long = "x".repeat(40_000);
  const rows: Cell[][] = [...nasty.map((text, place): Cell[] => [text, place / 3]), [long, null]];
  const { read } = await partsOf(await renderXlsx(reportWith(rows)));
  const cells = await read("xl/worksheets/sheet1.xml");
  const words = cells
    .filter(({ name }) => name === "t")
    .map((cell) => cell.words.replace(/_x005F_/g, "_"));
  const numbers = cells.filter(({ name }) => name === "v").map((cell) => Number(cell.words));
  const kinds = cells.filter(({ name }) => name === "c").map(({ attributes }) => attributes.t);

  expect(cells.filter(({ name }) => name === "f")).toEqual([]);
  expect(new Set(kinds)).toEqual(new Set(["inlineStr", undefined]));
  expect(words.slice(2)).toEqual([
    ...nasty.map((text) =>
      text.toWellFormed().replace("\u0001", "\ufffd").replace("\ufffe", "\ufffd"),
    ),
    long.slice(0, 32_767),
  ]);
  expect(numbers).toEqual(nasty.map((_, place) => place / 3));
  const notes = await read("xl/worksheets/sheet2.xml");
  expect(notes.map((cell) => cell.words).join(" ")).toContain("1 text cut at 32,767 characters.");
});

test("[qualitative.reports.xlsx] columns after the 26th have spreadsheet names", async () => {
  const names = Array.from({ length: 800 }, (_, place) => `c${place}`);
  const columns = titledColumns(Object.fromEntries(names.map((name) => [name, name])));
  const { read } = await partsOf(
    await renderXlsx({ title: "Wide", notes: [], tables: [{ title: "Wide", columns, rows: [] }] }),
  );
  const places = (await read("xl/worksheets/sheet1.xml"))
    .filter(({ name }) => name === "c")
    .map(({ attributes }) => attributes.r);

  expect([0, 25, 26, 701, 702].map((place) => places[place])).toEqual([
    "A1",
    "Z1",
    "AA1",
    "ZZ1",
    "AAA1",
  ]);
});

const talk = () =>
  codedLibrary({
    sources: { Talk: "=SUM(A1) I hoped." },
    codes: { Hope: null, "=Doubt": null },
    cases: { "+Ana": { Talk: [0, 17] } },
    codings: [
      { by: "Eva", code: "Hope", source: "Talk", start: 0, end: 8 },
      { by: "Ben", code: "=Doubt", source: "Talk", start: 2, end: 6 },
    ],
  });

test("[qualitative.reports.files] each format is written to the given file, and never overwrites one", async () => {
  const { library, root } = await talk();
  const { shell } = clientsOf(library, projectShelves);
  const write = (name: string, ...flags: string[]) =>
    shell("report", "export", "cooccurrence", join(root, name), ...flags);

  for (const name of ["a.csv", "a.xlsx", "a.html", "a.md"]) {
    expect(await write(name)).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(root, name)).length).toBeGreaterThan(50);
  }
  const before = readFileSync(join(root, "a.csv"), "utf8");
  expect(before).toContain("'=Doubt");
  expect(await write("a.csv")).toMatchObject({ code: 4, out: "" });
  expect(await write("a.csv", "--overwrite", "--as", "md")).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, "a.csv"), "utf8")).toMatch(/^# Co-occurrence/);
  expect(await write("a.doc")).toMatchObject({ code: 2, out: "" });
  expect(await shell("report", "export", "passages", "--as", "xlsx")).toMatchObject({
    code: 2,
    out: "",
  });
  expect(await write("nowhere/a.csv")).toMatchObject({ code: 3, out: "" });
  mkdirSync(join(root, "folder.csv"));
  expect(await write("folder.csv", "--overwrite")).toMatchObject({ code: 7, out: "" });
  expect(readdirSync(root).sort()).toEqual(
    ["a.csv", "a.html", "a.md", "a.xlsx", "coded.qda", "folder.csv"].sort(),
  );
});

test("[qualitative.reports.files] a link in place of the file is not written through", async () => {
  const { library, root } = await talk();
  const { shell } = clientsOf(library, projectShelves);
  writeFileSync(join(root, "precious"), "mine");
  symlinkSync(join(root, "precious"), join(root, "a.csv"));
  const words = ["report", "export", "passages", join(root, "a.csv")];

  expect(await shell(...words)).toMatchObject({ code: 4 });
  expect(await shell(...words, "--overwrite")).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, "precious"), "utf8")).toBe("mine");
  expect(readFileSync(join(root, "a.csv"), "utf8")).toContain("SUM");
});

test("[qualitative.reports.files] a program gets the content and writes no file", async () => {
  const { library, root } = await talk();
  const { request, tool } = clientsOf(library, projectShelves);
  const ask = (query: string) => request("GET", `/qualitative/reports/passages/file${query}`);
  const to = join(root, "a.csv");

  const { content } = (await request("GET", "/qualitative/reports/case_matrix/file")).body;
  expect(content).toMatch(/^\uFEFFCode id,Code,Total,'\+Ana\r\n/);
  expect((await ask("?as=csv")).body).toMatchObject({
    format: "csv",
    mime_type: "text/csv",
    rows: 2,
    encoding: "utf8",
    content: expect.stringContaining("'=SUM(A1)"),
  });
  const { body } = await ask("?as=xlsx");
  const { archive } = await partsOf(Buffer.from(body.content, "base64"));
  expect(archive.has("xl/workbook.xml")).toBe(true);
  expect(body.bytes).toBe(Buffer.byteLength(body.content, "base64"));
  expect(await ask(`?to=${encodeURIComponent(to)}`)).toMatchObject({ status: 403 });
  expect(await tool("export_report", { report: "passages" })).toMatchObject({ status: 404 });
  expect(existsSync(to)).toBe(false);
});

test("[qualitative.reports.surfaces] a report is a tool, a route and a command", async () => {
  const { library, root } = await talk();
  const { tool, request, shell } = clientsOf(library, projectShelves);

  expect((await tool("get_report", { report: "frequencies" })).body).toMatchObject({
    success: true,
    data: { report: "frequencies", rows: [{ count: 1 }, { count: 1 }], total: 2 },
  });
  const route = "/qualitative/reports/passages?code_ids=1&code_ids=2&important=false&limit=1";
  expect((await request("GET", route)).body).toMatchObject({
    rows: [{ code_name: "Hope" }],
    remaining: 1,
  });
  const { out } = await shell("report", "passages", "--code-ids", "1,2", "--limit", "1");
  expect(out).toContain("| =SUM(A1) |");
  expect(out).toContain("1 row more.");
  const csv = await shell("report", "passages", "--csv");
  expect(csv.out).toContain(",'=Doubt,");
  const elsewhere = await shell(
    "report",
    "agreement",
    "--project",
    join(root, "coded.qda"),
    "--json",
  );
  expect(JSON.parse(elsewhere.out)).toMatchObject({ report: "agreement" });
  expect((await request("GET", "/qualitative/reports/all")).status).toBe(400);
});

test("[qualitative.reports.hidden] an agent's report excludes private sources, and is logged as read", async () => {
  const { call } = await talk();
  const agent = { surface: "mcp", client: "Robin" };
  const person = { surface: "cli" };
  await call("add_text_source", { name: "Diary", content: "Nobody reads this." }, person);
  const coding = { code_id: 1, source_id: 2, start_position: 0, end_position: 6 };
  await call("batch_apply_codes", { operations: [coding] }, person);
  await call("set_source_privacy", { source_id: 2 }, person);

  for (const report of ["frequencies", "passages", "case_matrix", "disagreements"]) {
    const reported = JSON.stringify(await call("get_report", { report }, agent));
    expect(reported).not.toContain("Diary");
    expect(reported).not.toContain("Nobody");
  }
  expect(JSON.stringify(await call("get_report", { report: "passages" }, person))).toContain(
    "Diary",
  );
  const program = { surface: "http", client: "script" };
  const { content } = await call("export_report", { report: "passages" }, program);
  expect(content).not.toContain("Diary");
  const { reads } = (await call("list_reads", {}, person)) as { reads: object[] };
  expect(reads).toContainEqual(
    expect.objectContaining({ agent: "Robin", operation: "get_report", source_id: 1, end_pos: 8 }),
  );
  expect(reads).toContainEqual(
    expect.objectContaining({ agent: "script", operation: "export_report", start_pos: 2 }),
  );
});
