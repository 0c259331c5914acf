import { expect, test } from "vitest";
import { parseObjects } from "../parse-objects.ts";
import { toPlainJson } from "../values/json.ts";

const complaintsIn = (text: string): unknown[] =>
  parseObjects(text)
    .filter((object) => object.get("__kind") === "__ParsingError")
    .map((object) => {
      const { __kind, ...rest } = toPlainJson(object) as Record<string, unknown>;
      return rest;
    });

test.each([
  [
    "mixed_field_keys",
    "# A [[a]]\n- k: 1\n- two words: x",
    { __id: "error_0", object: "[[#a]]", line: 3 },
  ],
  [
    "mixed_field_keys",
    "# A [[a]]\n- x\n- two words: x",
    { __id: "error_0", object: "[[#a]]", line: 3 },
  ],
  [
    "mixed_field_keys",
    "# A [[a]]\n- k: 1\n- plain",
    { __id: "error_0", object: "[[#a]]", line: 3 },
  ],
  [
    "nested_subitems",
    "# A [[a]]\n- k:\n  - x\n- l: 1",
    { __id: "error_0", field: "k", object: "[[#a]]", line: 2 },
  ],
  [
    "ordered_list_in_array",
    "# A [[a]]\n## L [[l: array]]\n1. x",
    { __id: "error_0", field: "l", object: "[[#a]]", line: 3 },
  ],
  [
    "dangling_field",
    "## T [[t: text]]\nx",
    { __id: "error_0", field: "t", field_type: "text", object: "[[#t]]", line: 1 },
  ],
  [
    "explicit_system_type",
    "# A [[a: __TextBlock]]\n- k: 1",
    { __id: "a", reference: "[[a: __TextBlock]]", line: 1 },
  ],
  [
    "structured_in_textblock",
    "# A [[a]]\n## Words\n### T [[t: text]]\nx",
    { __id: "t", reference: "[[t: text]]", line: 3 },
  ],
  ["multiple_definitions", "# A [[a]] [[b]]", { __id: "error_0", reference: "[[b]]", line: 1 }],
  [
    "invalid_id_character",
    "# A [[a]]\n## B [[b.c: Kind]]",
    { __id: "error_0", reference: "[[b.c: Kind]]", line: 2 },
  ],
  [
    "invalid_map_entry",
    "# A [[a]]\n## M [[m: map]]\n- k: v\n- **x**: y",
    { __id: "error_0", field: "m", object: "[[#a]]", line: 4 },
  ],
  [
    "invalid_map_content",
    "# A [[a]]\n## M [[m: map]]\nWords.\n\n- k: v",
    { __id: "error_0", field: "m", object: "[[#a]]", line: 3 },
  ],
  [
    "duplicate_id",
    "# A [[a]]\n\n# B [[a]]",
    {
      __id: "__error_dup_a",
      message: "Duplicate ID 'a' (first defined on line 1)",
      object: "[[#a]]",
      line: 3,
    },
  ],
])("[objects.format.problems] %s: %j", (type, text, facts) => {
  expect(complaintsIn(text)).toEqual([{ type, ...facts }]);
});

test.each([
  "# A [[a]]\n- plain\n- items",
  "# A [[a]]\n- k: 1\n\n- plain",
  "# A [[a]]\n## Words\n### B [[b: Kind]]",
  "# A [[a]]\n## Words\n## T [[t: text]]",
  "# A [[a]]\n## B [[x.y: [Kind]]]",
  "# Title\n## A [[a]]",
  "# A [[a: __Namespace]]",
])("[objects.format.problems] nothing is wrong with %j", (text) => {
  expect(complaintsIn(text)).toEqual([]);
});

test("[objects.format.problems] the subject of a diagnostic is kept where the message can contain it", () => {
  const text =
    "# A [[a]]\n- two words: x\n- k: 1\n## L [[l: array]]\n1. x\n\n## Words\n### T [[t: text]]\ny";
  const [object] = parseObjects(text);

  expect(toPlainJson(object?.get("__comments") ?? null)).toEqual([
    { after: "__self", content: "- two words: x" },
    { after: "l", content: "1. x" },
    { after: "l", content: "## Words" },
    { after: "l", content: "### T [[t: text]]\ny" },
  ]);
});
