import { expect, test } from "vitest";
import { parseObjects, withDetail } from "./parse-objects.ts";
import { formatJson, toPlainJson } from "./values/json.ts";
import type { Fields, Value } from "./values/value.ts";

/** The objects of a text, in the standard format, as ordinary values. */
const read = (text: string): unknown[] =>
  withDetail(parseObjects(text), "standard").map(toPlainJson);

/** The fields of the first object. */
const fieldsIn = (text: string): Fields => {
  const [object = new Map()] = parseObjects(text);
  return new Map([...object].filter(([key]) => !key.startsWith("__")));
};

const partOf = (text: string, key: string): Value | undefined => parseObjects(text)[0]?.get(key);

test.each([
  ["## A dog [[rex]]", { __id: "rex", __label: "A dog", __kind: "__Object", __level: 2 }],
  ["# [[rex]] A dog", { __id: "rex", __label: "A dog", __kind: "__Object", __level: 1 }],
  ["# A [[rex: Dog]]  dog", { __id: "rex", __label: "A dog", __kind: "Dog", __level: 1 }],
  ["# A dog [[:Dog]]", { __id: "a_dog", __label: "A dog", __kind: "Dog", __level: 1 }],
  ["######## Deep [[d]]", { __id: "d", __label: "Deep", __kind: "__Object", __level: 8 }],
  [
    "# `[[x]]` is code [[y]]",
    { __id: "y", __label: "`[[x]]` is code", __kind: "__Object", __level: 1 },
  ],
  ["# See [[#other]] [[y]]", { __id: "y", __label: "See", __kind: "__Object", __level: 1 }],
  ["# Dotted [[svc.ops]]", { __id: "svc.ops", __label: "Dotted", __kind: "__Object", __level: 1 }],
])("[objects.format.definitions] %s", (text, expected) => {
  expect(read(text)).toEqual([expected]);
});

test("[objects.format.definitions] a heading with fields needs no id", () => {
  expect(read("## Ünïcode – title!\n\n- a: 1")).toMatchObject([
    { __id: "ünïcode_title", __has_explicit_id: false },
  ]);
});

test("[objects.format.generated-ids] they restart in each file, and text blocks count too", () => {
  const ids = parseObjects("# ???\n\n# [[]]\n\n# A [[]]\n").map((object) => object.get("__id"));

  expect(ids.slice(1)).toEqual(["text_0", "object_o2l493", "object_h2c7zp"]);
  expect(parseObjects("Words")[0]?.get("__id")).toBe("doc_ry4ljv");
  expect(parseObjects("Words")[0]?.get("__id")).toBe("doc_ry4ljv");
});

test.each([
  ["", null],
  ["null", null],
  ["~", null],
  ["true", true],
  ["True", "True"],
  ["yes", "yes"],
  ["30", 30],
  ["-7", -7],
  ["007", 7],
  [".5", 0.5],
  ["1e3", 1000],
  ["1e999", "1e999"],
  ["+49301234", "+49301234"],
  ["12.", "12."],
  ["0x10", "0x10"],
  ["1_000", "1_000"],
  ['"12"', "12"],
  ["'it is'", "it is"],
  ['"', '"'],
  ["a: b: c", "a: b: c"],
  ["[[#a]]", "[[#a]]"],
  ["[[#a]] and more", "[[#a]] and more"],
  ["[x] done", "[x] done"],
  ["one\n  and two", "one and two"],
])("[objects.format.values] %j", (written, value) => {
  expect(toPlainJson(fieldsIn(`# A [[a]]\n- key: ${written}`))).toEqual({ key: value });
});

test("[objects.format.values] numbers keep their notation and all their digits", () => {
  expect(formatJson(fieldsIn("# A [[a]]\n- a: 1.0\n- b: 12345678901234567890\n- c: 1E3"))).toBe(
    '{"a":1.0,"b":12345678901234567890,"c":1E3}',
  );
});

test.each([
  ["- k: [1, two, true]", [1, "two", true], "yaml_array"],
  ["- k: [\"a, b\", it's, don't]", ["a, b", "it's", "don't"], "yaml_array"],
  ["- k: [a, , [b, c]]", ["a", ["b", "c"]], "yaml_array"],
  ["- k: []", [], "yaml_array"],
  ["- k: [[[#a]], [[#b]]]", ["[[#a]]", "[[#b]]"], "yaml_array"],
  ["- k: [[[#a]]]", ["[[#a]]"], "yaml_array"],
  ["- k: [[#a]], [[#b]]", ["[[#a]]", "[[#b]]"], "comma_refs"],
  ['- k: [\n    one,\n    "two"\n  ]', ["one", "two"], "yaml_multiline_array"],
  ["- k: [\n  one\n]", ["one"], "yaml_multiline_array"],
  [
    "## K [[k: array]]\n\n- one\n- 2\n\n- three\n  goes on",
    ["one", 2, "three\ngoes on"],
    "markdown_list",
  ],
  ["## K [[k]]\n- [[#a]] is one\n- b", ["[[#a]] is one", "b"], "markdown_list"],
  ["## K [[k: [Ref]]]\n- [[#a]]\n- [[#b]]", ["[[#a]]", "[[#b]]"], "markdown_list"],
])("[objects.format.arrays] %j", (text, value, syntax) => {
  const [object] = read(`# A [[a]]\n${text}`);

  expect(object).toMatchObject({ k: value, __syntax: { k: syntax } });
});

test("[objects.format.arrays] fields of the object continue after an array list", () => {
  const [object] = read("# A [[a]]\n## Tags [[tags: array]]\n- x\n\nWords.\n\n- size: 3");

  expect(object).toMatchObject({
    tags: ["x"],
    size: 3,
    __comments: [{ after: "tags", content: "Words." }],
  });
});

test("[objects.format.fields] keys consist of letters, digits and underscores", () => {
  const text = "# A [[a]]\n\n* _a1: x\n+ b : y\n\n- c:z\n";

  expect(toPlainJson(fieldsIn(text))).toEqual({ _a1: "x", b: "y", c: "z" });
});

test("[objects.format.fields] text after a pipe is verbatim", () => {
  const text = "# A [[a]]\n- k: |\n    # one\n\n      two <!-- x -->\n    [[#no]]\n- l: |\n- m: 1";

  expect(toPlainJson(fieldsIn(text))).toEqual({
    k: "# one\n\n  two <!-- x -->\n[[#no]]",
    l: "",
    m: 1,
  });
  expect(partOf(text, "__references")).toBeUndefined();
});

test("[objects.format.fields] a duplicate field is a comment", () => {
  expect(read("# A [[a]]\n- k: 1\n\nAgain:\n- k: 2\n- k: 3")).toMatchObject([
    {
      k: 1,
      __comments: [
        { after: "k", content: "Again:" },
        { after: "k", content: "- k: 2\n- k: 3" },
      ],
    },
  ]);
});

test("[objects.format.fields] the format's own metadata are not fields", () => {
  const [object] = parseObjects("# A [[a]]\n- __id: x\n- k: 1");

  expect(object?.get("__id")).toBe("a");
  expect(toPlainJson(object?.get("__comments") ?? null)).toEqual([
    { after: "__self", content: "- __id: x" },
  ]);
});

test("[objects.format.comments] paragraphs are separate comments, continuation lines are joined", () => {
  const text =
    "# A [[a]]\nOne.\n\nTwo:\n- x\n- y\n\n- k: 1\n\n---\n\nThree.\n\nFour.\n\n## Words\n\n- k: 2\n\nFive.\n\n## More\n";

  expect(read(text)).toMatchObject([
    {
      __comments: [
        { after: "__self", content: "One." },
        { after: "__self", content: "Two:\n\n- x\n- y" },
        { after: "k", content: "---\n\nThree.\n\nFour." },
        { after: "k", content: "## Words\n\n- k: 2\n\nFive." },
        { after: "k", content: "## More" },
      ],
      k: 1,
    },
  ]);
});

test("[objects.format.text-fields] everything below the heading is text, including definitions", () => {
  const text =
    "# A [[a]]\n## T [[t: text]]\n\nx <!-- y -->\n\n### S [[s]]\n- k: 1\n\n## U [[u]]\nwords\n\n### V\n";
  const [object] = read(text);

  expect(object).toMatchObject({
    t: "x <!-- y -->\n\n### S [[s]]\n- k: 1",
    u: "words\n\n### V",
    __types: { t: "string", u: "string" },
    __syntax: { t: "multiline_text", u: "multiline_text" },
    __labels: { t: "T", u: "U" },
  });
});

test("[objects.format.nesting] children and items have paths, those of a workspace do not", () => {
  const text = `# A [[a]]
## B [[b]]
- k: 1
### C [[c: Kind]]
## D [[d: [Item]]]
### E [[e]]
#### F [[f: text]]
x
### G [[g: Other]]
### H
- k: 2
# W [[w: __Workspace]]
## X [[x: Kind]]
### Y [[y: Kind]]
`;
  const records = parseObjects(text);

  expect(records.map((record) => [record.get("__id"), record.get("__kind")])).toEqual([
    ["a", "__Object"],
    ["a.b", "__Object"],
    ["a.b.c", "Kind"],
    ["a.d.e", "Item"],
    ["a.d.g", "Other"],
    ["a.d.h", "Item"],
    ["w", "__Workspace"],
    ["x", "Kind"],
    ["x.y", "Kind"],
  ]);
  expect(records.map((record) => record.get("__parent") ?? null)).toEqual(
    [null, "a", "a.b", "a", "a", "a", null, "w", "x"].map((id) => id && `[[#${id}]]`),
  );
  expect(toPlainJson(records[0] ?? null)).toMatchObject({
    b: "[[#a.b]]",
    d: ["[[#a.d.e]]", "[[#a.d.g]]", "[[#a.d.h]]"],
  });
  expect(records[3]?.has("__level")).toBe(false);
});

test("[objects.format.nesting] a field with a path as its name is the path of its items", () => {
  const ids = parseObjects("# A [[a]]\n## B [[svc.ops: [Op]]]\n### C [[c]]").map((o) =>
    o.get("__id"),
  );

  expect(ids).toEqual(["a", "svc.ops.c"]);
});

test("[objects.format.tables] each row is an object", () => {
  const text =
    "# A [[a]]\n## T [[t: [Row]]]\n| name | size |\n|---|--:|\n| x \\| y | 1.0 |\n| [[#z]] |\n";

  expect(formatJson(withDetail(parseObjects(text), "standard"))).toBe(
    `[{"__id":"a","__label":"A","__kind":"__Object","t":["[[#a.t.t_0]]","[[#a.t.t_1]]"],"__syntax":{"t":"table"},"__level":1,"__labels":{"t":"T"}},
{"__id":"a.t.t_0","__local_id":"t_0","__label":"x | y","__kind":"Row","__parent":"[[#a]]","__parent_field":"t","name":"x | y","size":1.0,"__types":{"name":"string","size":"number"}},
{"__id":"a.t.t_1","__local_id":"t_1","__label":"[[#z]]","__kind":"Row","__parent":"[[#a]]","__parent_field":"t","name":"[[#z]]","size":null,"__types":{"name":"string","size":"null"}}]`.replaceAll(
      "\n",
      "",
    ),
  );
});

test("[objects.format.maps] values are strings, whatever they look like", () => {
  const text = "# A [[a]]\n## M [[m: map]]\n- 2: true\n- 1: x:y\n- c-d.e:\n- f: |\n    g\n    h\n";

  expect(formatJson(fieldsIn(text))).toBe('{"m":{"2":"true","1":"x:y","c-d.e":"","f":"g\\nh"}}');
  expect(toPlainJson(partOf(text, "__types") ?? null)).toEqual({ m: "map" });
});

test.each([
  ["yaml", "b: 1.0\na:\n  - x\n  - y: z", '{"b":1.0,"a":["x",{"y":"z"}]}'],
  ["yaml", "a: *unknown", '"a: *unknown"'],
  ["json", '{"2": 1e3, "1": null}', '{"2":1e3,"1":null}'],
  ["json", "{broken", '"{broken"'],
])("[objects.format.yaml] %s: %j", (type, block, expected) => {
  const text = `# A [[a]]\n## F [[f: ${type}]]\n\`\`\`${type}\n${block}\n\`\`\`\n`;

  expect(formatJson(fieldsIn(text).get("f") ?? null)).toBe(expected);
  expect(toPlainJson(partOf(text, "__syntax") ?? null)).toEqual({ f: `${type}_object` });
});

test("[objects.format.html-comments] they hide their contents, except in texts and code", () => {
  const text =
    "<!--\n# A [[a]]\n-->\n# B [[b]]\n- k: x <!-- y -->\n- l: `<!-- z -->`\n<!-- never ends\n";

  expect(read(text)).toMatchObject([
    { __id: "b", k: "x", l: "`<!-- z -->`", __comments: [{ content: "<!-- never ends" }] },
  ]);
});

test("[objects.format.fences] a fence hides headings and fields until it is closed", () => {
  const text =
    "# A [[a]]\n````\n# B [[b]]\n```\n- k: 1\n````\n- l: 2\n\n  ```open\n# C [[c]]\n~~~ x`y\n# D [[d]]";

  expect(parseObjects(text).map((object) => object.get("__id"))).toContain("c");
  expect(parseObjects(text).map((object) => object.get("__id"))).not.toContain("d");
  expect(fieldsIn(text).has("k")).toBe(false);
});

test("[objects.format.references] they have UTF-16 columns, and are ignored in code and examples", () => {
  const text =
    "# A [[#no]] [[a]]\n- k: 😀 [[#b]], [[#Kind:c]]\n\n`[[#no]]` [[#ns:d]] [[#f#e]] [[#]] [[id: Kind]]\n\n```x example\n[[#no]]\n```\n\n```x\n[[#e[f=g]]]\n```";

  expect(toPlainJson(partOf(text, "__references") ?? null)).toEqual([
    { target: "#b", type: "hash_local", line: 2, start_col: 8, end_col: 14, raw: "[[#b]]" },
    { target: "#Kind:c", type: "kind", line: 2, start_col: 16, end_col: 27, raw: "[[#Kind:c]]" },
    { target: "#ns:d", type: "namespace", line: 4, start_col: 10, end_col: 19, raw: "[[#ns:d]]" },
    { target: "#f#e", type: "crossfile", line: 4, start_col: 20, end_col: 28, raw: "[[#f#e]]" },
    {
      target: "#e[f=g]",
      type: "hash_local",
      line: 11,
      start_col: 0,
      end_col: 11,
      raw: "[[#e[f=g]]]",
    },
  ]);
});

test("[objects.format.text-blocks] text outside objects becomes blocks, in file order", () => {
  const text =
    "Before.\n\n# Title\n\n```sql now\nx\n```\n\n## A [[a]]\n### B [[b: Kind]]\n\n## After\n";

  expect(withDetail(parseObjects(text), "full").map(toPlainJson)).toMatchObject([
    { __kind: "__Document", content: ["[[#text_0]]", "[[#text_1]]", "[[#a]]", "[[#text_2]]"] },
    { __id: "text_0", content: "Before.", __line: 1 },
    {
      __id: "text_1",
      content: "# Title\n\n```sql now\nx\n```",
      __code_fences: [{ lang: "sql", offset_line: 2, length_lines: 3 }],
    },
    { __id: "text_2", content: "## After", __line: 12 },
    { __id: "a", __container: "[[#doc_ry4ljv]]" },
    { __id: "a.b" },
  ]);
});

test("[objects.format.formats] each format has its keys, in their order", () => {
  const objects = parseObjects("## A\n\nWords [[#b]].\n\n- k: 1\n\n### T [[t: text]]\nx\n");
  const keys = (given: readonly Fields[]) => [...(given[0]?.keys() ?? [])].join(" ");

  expect(keys(withDetail(objects, "full"))).toBe(
    "__id __label __kind __comments k t __types __syntax __level __line __has_explicit_id __references __positions __labels",
  );
  expect(keys(withDetail(objects, "standard"))).toBe(
    "__id __label __kind __comments k t __types __syntax __level __has_explicit_id __labels",
  );
  expect(keys(withDetail(objects, "minimal"))).toBe("k t __labels");
  expect(keys(withDetail(objects, "standard", { comments: false, syntax: false }))).toBe(
    "__id __label __kind k t __types __level __has_explicit_id __labels",
  );
  expect(toPlainJson(objects[0]?.get("__positions") ?? null)).toEqual({
    k: { line: 5, col: 2 },
    t: { line: 7, col: 6 },
  });
});

test("[objects.format.hostile] line ends, a byte order mark and a missing final newline make no difference", () => {
  const text = "# A [[a]]\n\n- k: 1\n\n## T [[t: text]]\n\none\ntwo\n";
  const expected = formatJson(parseObjects(text));

  for (const same of [text.replaceAll("\n", "\r\n"), `\uFEFF${text}`, text.trimEnd()]) {
    expect(formatJson(parseObjects(same))).toBe(expected);
  }
  expect(parseObjects("")).toEqual([]);
});
