import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { openCliLibrary, runCli } from "../../../../tests/fixtures/library/cli-library.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { defineShelf } from "../../../kernel/shelf.ts";
import { noTables } from "../../../kernel/storage/migrations.ts";
import { formatCsv } from "./csv-rows.ts";

const operation = operationsFor<object>();

const hit = {
  docid: "#3fa2c1",
  file: "notes/tea, black & white.md",
  title: "Tea | *milk*",
  score: 0.85,
  context: 'What "we" drink',
  line: 3,
  headings: ["Tea", "With milk"],
  snippet: '3: # Tea\n4: ```\n5: say "milk"',
};

const results = z
  .object({
    results: z.array(
      z.object({
        docid: z.string(),
        file: z.string(),
        title: z.string(),
        score: z.number(),
        context: z.string().nullable(),
        snippet: z.string(),
        line: z.int().optional(),
        headings: z.array(z.string()).optional(),
        explain: z.object({ words: z.number() }).optional(),
      }),
    ),
    total: z.int(),
  })
  .meta({ json: "results" });

const define = (name: string, output: z.ZodObject, value: Record<string, unknown>) =>
  operation({
    name,
    title: name,
    summary: `Answer with ${name}.`,
    input: z.object({}),
    output,
    effect: "reads",
    expose: { cli: name },
    example: {},
    run: () => value,
  });

const files = z.object({ file: z.string(), size: z.int(), tags: z.array(z.string()).optional() });
const documents = z.union([
  z.object({ uri: z.string(), name: z.string(), text: z.string() }),
  z.object({ type: z.literal("text"), text: z.string(), file: z.string() }),
]);

const shelf = defineShelf({
  name: "search",
  dialect: "qmd",
  guide: "",
  tables: noTables,
  open: () => ({}),
  operations: [
    define("hits", results, { results: [hit, { ...hit, context: null }], total: 2 }),
    define("explained", results, { results: [{ ...hit, explain: { words: 0.5 } }], total: 1 }),
    define("nothing", results, { results: [], total: 0 }),
    define("list", z.object({ documents: z.array(files), total: z.int() }), {
      documents: [{ file: "a/b.md", size: 3 }],
      total: 1,
    }),
    define("several", z.object({ results: z.array(documents) }), {
      results: [
        { uri: "qmd://a/b.md", name: "a/b.md", text: "# B\n" },
        { type: "text", text: "[SKIPPED]", file: "a/c.md" },
      ],
    }),
    define("rows", z.object({ items: z.array(z.record(z.string(), z.unknown())) }), {
      items: [{ a: 1 }, { a: 2, "b c": null }],
    }),
    define("names", z.object({ names: z.array(z.string()) }), { names: ["x", "y"] }),
    define("one", z.object({ name: z.string(), skipped: z.array(z.string()).optional() }), {
      name: "notes",
    }),
    define("empty", z.object({}), {}),
  ],
});

const run = (...argv: string[]) => runCli(argv, { shelves: [shelf], openApp: openCliLibrary });
const printed = async (...argv: string[]) => {
  const { code, out, err } = await run(...argv);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
};

test("[core.cli.formats] CSV has a header, and hits have the usual column order", async () => {
  expect(await printed("hits", "--csv")).toBe(
    [
      "docid,score,file,title,context,line,snippet,headings",
      '#3fa2c1,0.85,"notes/tea, black & white.md",Tea | *milk*,"What ""we"" drink",3,' +
        '"3: # Tea\n4: ```\n5: say ""milk""","[""Tea"",""With milk""]"',
      '#3fa2c1,0.85,"notes/tea, black & white.md",Tea | *milk*,,3,' +
        '"3: # Tea\n4: ```\n5: say ""milk""","[""Tea"",""With milk""]"',
      "",
    ].join("\n"),
  );
  expect(await printed("explained", "--format", "csv")).toContain(',"{""words"":0.5}"\n');
});

test("[core.cli.formats] an empty list still has its header", async () => {
  expect(await printed("nothing", "--csv")).toBe("docid,score,file,title,context,snippet\n");
  expect(await printed("nothing", "--files")).toBe("");
  expect(await printed("nothing", "--md")).toBe("Nothing found.\n");
});

test("[core.cli.formats] rows are found in any answer, and an answer without rows is one row", async () => {
  expect(await printed("list", "--csv")).toBe("file,size\na/b.md,3\n");
  expect(await printed("rows", "--csv")).toBe("a,b c\n1,\n2,\n");
  expect(await printed("names", "--csv")).toBe("names\nx\ny\n");
  expect(await printed("one", "--csv")).toBe("name\nnotes\n");
  expect(await printed("several", "--csv")).toBe(
    'uri,name,text,type,file\nqmd://a/b.md,a/b.md,"# B\n",,\n,,[SKIPPED],text,a/c.md\n',
  );
});

test("[core.cli.formats] files are one per line, and hits include their score", async () => {
  expect(await printed("hits", "--files")).toBe(
    [
      '#3fa2c1,0.85,qmd://notes/tea%2C%20black%20%26%20white.md,"What ""we"" drink"',
      "#3fa2c1,0.85,qmd://notes/tea%2C%20black%20%26%20white.md",
      "",
    ].join("\n"),
  );
  expect(await printed("list", "--files")).toBe("a/b.md\n");
  expect(await printed("several", "--format=files")).toBe("a/b.md\na/c.md\n");
});

test("[core.cli.formats] Markdown fences document excerpts, and prints other rows as a table", async () => {
  const sections = await printed("hits", "--md");
  expect(sections).toContain("## Tea | \\*milk\\*\n");
  expect(sections).toContain("- headings: Tea › With milk\n");
  expect(sections).toContain("- docid: `#3fa2c1`\n- score: 0.85\n");
  expect(sections).toContain('````\n3: # Tea\n4: ```\n5: say "milk"\n````\n');
  expect(await printed("list", "--md")).toBe("| file | size |\n| --- | --- |\n| `a/b.md` | 3 |\n");
});

test("[core.cli.formats] XML has an element for each value, whatever its name", async () => {
  const xml = await printed("hits", "--xml");
  expect(xml).toContain("<file>notes/tea, black &#38; white.md</file>");
  expect(xml.match(/<row>/g)).toHaveLength(2);
  expect(xml.match(/<context>/g)).toHaveLength(1);
  expect(await printed("rows", "--xml")).toContain("<a>1</a>");
});

test("[core.cli.formats] two formats together are refused by name", async () => {
  const both = async (first: string, second: string, ...argv: string[]) => {
    const { code, err } = await run("hits", ...argv);
    expect(code).toBe(2);
    expect(err).toContain(`${first} and ${second} cannot be combined`);
  };
  await both("--csv", "--md", "--md", "--csv");
  await both("--json", "--csv", "--csv", "--json");
  await both("--files", "--format xml", "--files", "--format", "xml");
  expect((await run("hits", "--json", "--format", "json")).code).toBe(0);
});

test("[core.cli.formats] a format that a command does not support is refused before it runs", async () => {
  for (const [argv, ...words] of [
    [["rows", "--files"], "'rows' does not accept --files", "--csv"],
    [["rows", "--format", "files"], "--format must be one of text, json, csv, md, xml"],
    [["empty", "--csv"], "'empty' does not accept --csv", "--json"],
    [["version", "--md"], "'version' does not accept --md", "help version"],
    [["hits", "--mode", "server"], "'hits' does not accept --mode", "cannot run on a server"],
  ] as const) {
    const { code, out, err } = await run(...argv);
    expect([argv, code, out]).toEqual([argv, 2, ""]);
    for (const word of words) expect(err).toContain(word);
  }
});

test("[core.cli.formats] with --format json a failure is one JSON document too", async () => {
  for (const argv of [
    ["hits", "--format", "json", "--nonsense"],
    ["hits", "--format=json", "--nonsense"],
  ]) {
    expect(JSON.parse((await run(...argv)).out)).toMatchObject({
      error: { code: "invalid-argument" },
    });
  }
});

test("any text round-trips through CSV", () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', ",", "\r\n", " a", "a ", '",\n"', ""));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      const text = formatCsv(
        ["a", "b"],
        rows.map(([a, b]) => ({ a, b })),
      );
      expect(readCsv(text)).toEqual([["a", "b"], ...rows]);
    }),
  );
});

/** A strict RFC 4180 CSV parser, with our line ending. */
function readCsv(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? "");
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
}
