import { describe, expect, test } from "vitest";
import { readToml } from "./toml.ts";

/** Tables have no prototype, which no comparison should see. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(readToml(text)));

describe("TOML of manifests", () => {
  const cases: [string, string, unknown][] = [
    ["keys and tables", 'a = "1"\n[b.c]\nd = true\n', { a: "1", b: { c: { d: true } } }],
    ["dotted and quoted keys", 'a."b c".d = "x"', { a: { "b c": { d: "x" } } }],
    [
      "lists over lines, with comments",
      "a = [\n  'x', # one\n  # two\n  'y',\n]",
      { a: ["x", "y"] },
    ],
    [
      "lists of tables",
      "[[bin]]\nname = 'a'\n[[bin]]\nname = 'b'\n",
      { bin: [{ name: "a" }, { name: "b" }] },
    ],
    ["a table below a list's last table", "[[a]]\n[a.b]\nc = 'd'\n", { a: [{ b: { c: "d" } }] }],
    [
      "tables in a line",
      'a = { b = "1", c = { d = [ "e" ] } }',
      { a: { b: "1", c: { d: ["e"] } } },
    ],
    ["quotes and escapes", 'a = "b \\"c\\" \\\\"\nd = \'e "f"\'', { a: 'b "c" \\', d: 'e "f"' }],
    ["a backslash before an n", 'a = "C:\\\\new\\nb"', { a: "C:\\new\nb" }],
    ["texts over lines", 'a = """\nb\n# c\n"""\nd = "e"', { a: "b\n# c\n", d: "e" }],
    ["numbers and dates as words", "a = 1_000\nb = 2026-01-01", { a: "1_000", b: "2026-01-01" }],
    ["lines of Windows", 'a = "b"\r\n[c]\r\nd = "e"\r\n', { a: "b", c: { d: "e" } }],
    ["what follows a line that is none", 'a = "b"\n!?\nc = "d"\n', { a: "b", c: "d" }],
    ["a string that never ends", 'a = "b\nc = "d"\n', { a: "b", c: "d" }],
    ["nothing", "", {}],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => {
      expect(read(text)).toEqual(expected);
    });
  }

  test("a key of that name is no prototype", () => {
    readToml("__proto__.polluted = 'yes'\n[constructor]\nprototype = 'x'\n");

    expect({}).not.toHaveProperty("polluted");
  });
});
