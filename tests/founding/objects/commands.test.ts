import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { objectFolder } from "../../fixtures/objects/object-folder.ts";
import { qmdc, qmdcWithInput } from "../../fixtures/objects/qmdc-program.ts";

const files = {
  "readme.qmd.md":
    "# Home [[home: __Workspace]]\n\n## Lamps [[lamps: Query]]\n\n- sql: SELECT __id, data FROM objects WHERE __kind = 'Lamp'\n",
  "a.qmd.md": "# Lamp [[lamp: Lamp]]\n\n- watts: 1.0\n- 1: no key\n",
  "sub/b.qmd.md": "# B [[b]]\n\n- to: [[#lamp]], [[#gone]]\n",
};

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

test("[objects.commands.parse] a file is written as JSON in the requested form and to the requested path", async () => {
  const { root, place } = objectFolder(files);
  const [object] = JSON.parse((await qmdc(root, "parse", "-i", "a.qmd.md")).out);
  expect(object).toMatchObject({ __id: "lamp", __kind: "Lamp", watts: 1 });
  const { out } = await qmdc(root, "parse", "-i", "a.qmd.md", "-f", "minimal", "--no-pretty");
  expect(linesOf(out)).toHaveLength(1);
  expect(out).toContain('"watts":1.0');
  expect(out).not.toContain("__types");
  const bare = await qmdc(root, "parse", "-i", "a.qmd.md", "--no-comments", "--no-syntax");
  expect(bare.out).not.toContain("__comments");

  expect(await qmdc(root, "parse", "-i", "a.qmd.md", "-o", "out.json")).toMatchObject({
    code: 0,
    out: "",
  });
  expect(JSON.parse(readFileSync(place("out.json"), "utf8"))[0].__id).toBe("lamp");
  const back = await qmdc(root, "rebuild", "-i", "out.json");
  expect(back.out).toContain("- watts: 1.0\n");
});

test("[objects.commands.failures] unreadable and unwritable files are reported with an error code", async () => {
  const { root } = objectFolder({ ...files, "bad.json": "{", "object.json": "{}" });
  for (const args of [
    ["parse", "-i", "none.md"],
    ["parse", "-i", "."],
    ["parse", "-i", "a.qmd.md", "-o", "none/out.json"],
    ["parse", "-i", "a.qmd.md", "-f", "huge"],
    ["rebuild", "-i", "bad.json"],
    ["rebuild", "-i", "object.json"],
    ["workspace", "parse", "none"],
    ["query", ".", "SELEC 1"],
    ["query", ".", "DELETE FROM objects"],
    ["query", ".", "#none"],
    ["query", ".", ".nonsense"],
    ["query", ".", ".schema nonsense"],
    ["nonsense"],
  ]) {
    const { code, out, err } = await qmdc(root, ...args);
    expect([args, code > 0, out]).toEqual([args, true, ""]);
    expect([args, err.startsWith("error: "), err.includes("internal")]).toEqual([
      args,
      true,
      false,
    ]);
  }
});

test("[objects.commands.batch] each input line produces one output line, an invalid one its error", async () => {
  const lines = [
    JSON.stringify({ input: "# A [[a]]\n\n- v: 1.0\n", format: "standard" }),
    '{"input": "# B [[b]]\\n\\n- v: one\u2028two\u2029\\n"}',
    "",
    "{bad",
    "[1]",
    '{"input": 5}',
    '{"input": "", "format": "huge"}',
    '{"input": "# C [[c]]", "format": "minimal"}\r',
  ];
  const { code, out } = await qmdcWithInput(`${lines.join("\n")}`, "parse", "--batch");
  const answers = linesOf(out).map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(answers).toMatchObject([
    [{ __id: "a", v: 1 }],
    [{ __id: "b" }],
    { error: expect.any(String) },
    { error: "each line must be an object" },
    { error: "input must be a string" },
    { error: "format must be minimal, standard or full" },
    [{ __id: "c" }],
  ]);
  expect(linesOf(out)[0]).toContain('"v":1.0');

  const objects = linesOf(out)
    .slice(0, 2)
    .map((line) => `{"input":${line}}`);
  const rebuilt = await qmdcWithInput(
    [...objects, '{"input":{}}', '{"input":[5]}'].join("\n"),
    "rebuild",
    "--batch",
  );
  const texts = linesOf(rebuilt.out).map((line) => JSON.parse(line));
  expect(texts[0]).toBe("# A [[a]]\n\n- v: 1.0\n");
  expect(texts[2]).toMatchObject({ error: expect.any(String) });
  expect(texts).toHaveLength(4);
});

test("[objects.commands.input] standard input is read to the end, at any length", async () => {
  const long = `# A [[a]]\n\n${"words ".repeat(300_000)}\n`;
  const { out } = await qmdcWithInput(long, "parse", "-f", "full");
  expect(JSON.stringify(JSON.parse(out)).length).toBeGreaterThan(long.length);
});

test("[objects.commands.workspace] a workspace is parsed, validated, listed and linted", async () => {
  const { root } = objectFolder(files);
  const whole = JSON.parse((await qmdc(root, "workspace", "parse", "sub")).out);
  expect(whole).toMatchObject({
    root,
    workspace_id: "home",
    files: ["readme.qmd.md", "a.qmd.md", "sub/b.qmd.md"],
  });
  expect(
    whole.objects.map(({ __id, __file, __line }: Record<string, unknown>) => [
      __id,
      __file,
      __line,
    ]),
  ).toContainEqual(["b", "sub/b.qmd.md", 1]);
  expect(whole.errors.map(({ type }: { type: string }) => type)).toEqual([
    "mixed_field_keys",
    "broken_link",
  ]);

  const validated = await qmdc(root, "workspace", "validate", ".");
  expect(validated.code).toBe(1);
  expect(JSON.parse(validated.out)[1]).toEqual({
    type: "broken_link",
    message: "Object 'gone' not found",
    file: "sub/b.qmd.md",
    line: 3,
    objectId: "b",
    fieldName: null,
    reference: "[[#gone]]",
    candidates: null,
    severity: "error",
  });
  const linted = await qmdc(root, "lint");
  expect([linted.code, linesOf(linted.out)[1]]).toEqual([
    1,
    "sub/b.qmd.md:3: QMDC001 Object 'gone' not found",
  ]);
  expect((await qmdc(root, "workspace", "files", ".")).out).toBe(
    "readme.qmd.md\na.qmd.md\nsub/b.qmd.md\n",
  );

  const valid = objectFolder({ "readme.qmd.md": "# Home [[home: __Workspace]]\n" });
  expect(await qmdc(valid.root, "workspace", "validate", ".")).toEqual({
    code: 0,
    out: "[]\n",
    err: "",
  });
  expect(await qmdc(valid.root, "lint", ".")).toEqual({ code: 0, out: "", err: "" });
});

test("[objects.commands.query] rows are printed as a table or as JSON, and dot commands describe the tables", async () => {
  const { root } = objectFolder(files);
  const table = await qmdc(root, "query", ".", "#lamps");
  expect(table.out).toBe('__id  data\n----  -------------\nlamp  {"watts":1.0}\n(1 row)\n');
  const json = await qmdc(root, "query", ".", "SELECT 1 AS a, 'x' AS b", "-f", "json");
  expect(JSON.parse(json.out)).toEqual({ columns: ["a", "b"], rows: [[1, "x"]] });
  const none = await qmdc(root, "query", ".", "SELECT 1 AS a WHERE 0");
  expect(none.out).toBe("a\n-\n(0 rows)\n");
  expect((await qmdc(root, "query", ".", ".tables")).out).toBe("objects\nedges\n");
  const schema = await qmdc(root, "query", ".", ".schema edges");
  expect(schema.out).toContain("CREATE TABLE edges");
  expect(schema.out).not.toContain("CREATE TABLE objects");
  expect((await qmdc(root, "query", ".", ".help")).out).toContain(".schema [table]");
});

test("[objects.commands.force-root] under a force root, a command reads nothing outside", async () => {
  const { root, above } = objectFolder(files);
  const { code, err } = await qmdc(root, "workspace", "parse", above, "--force-root", root);
  expect([code > 0, err]).toEqual([true, expect.stringContaining("is outside the root")]);
});

test("[objects.commands.force-root] under a force root, a command reads and writes no file outside", async () => {
  const { root, above, place } = objectFolder(files);
  const outside = join(above, "outside.qmd.md");
  writeFileSync(outside, "# Quicksilver [[quicksilver]]\n");
  symlinkSync(above, place("out"));
  const qmdcInRoot = (...args: string[]) => qmdc(root, ...args, "--force-root", root);

  for (const args of [
    ["parse", "-i", outside],
    ["parse", "-i", "out/outside.qmd.md"],
    ["parse", "-i", "a.qmd.md", "-o", outside],
    ["parse", "-i", "a.qmd.md", "-o", "out/made.json"],
    ["workspace", "parse", ".", "-o", "../made.json"],
  ]) {
    const { code, out, err } = await qmdcInRoot(...args);
    expect([args, code > 0, out]).toEqual([args, true, ""]);
    expect([args, err]).toEqual([args, expect.stringContaining("is outside the root")]);
  }
  expect(readFileSync(outside, "utf8")).toContain("Quicksilver");
  expect(existsSync(join(above, "made.json"))).toBe(false);

  expect(await qmdcInRoot("parse", "-i", "a.qmd.md", "-o", "made.json")).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(place("made.json"), "utf8"))[0].__id).toBe("lamp");
});
