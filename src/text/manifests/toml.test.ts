import { describe, expect, test } from "vitest";
import { parseToml } from "./toml.ts";

/** Tables have no prototype; comparisons ignore that. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(parseToml(text)));

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
    [
      "numbers and dates as text",
      "a = 20\nb = 2026-01-01\nc = 1.5",
      { a: "20", b: "2026-01-01", c: "1.5" },
    ],
    ["lines of Windows", 'a = "b"\r\n[c]\r\nd = "e"\r\n', { a: "b", c: { d: "e" } }],
    ["the rest of a file with an invalid line", 'a = "b"\n!?\nc = "d"\n', { a: "b", c: "d" }],
    ["the rest of a file with an unclosed string", 'a = "b\nc = "d"\n', { c: "d" }],
    [
      "the rest of a file with a table that is defined twice",
      '[a]\nb = "1"\n[a]\nb = "2"\n[c]\nd = "e"\n',
      { a: { b: "1" }, c: { d: "e" } },
    ],
    ["a byte order mark", '\uFEFFa = "b"', { a: "b" }],
    ["nothing", "", {}],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => {
      expect(read(text)).toEqual(expected);
    });
  }

  test("such a key does not change the prototype", () => {
    parseToml("__proto__.polluted = 'yes'\n[constructor]\nprototype = 'x'\n");

    expect({}).not.toHaveProperty("polluted");
  });
});
