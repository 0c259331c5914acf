import { expect, test } from "vitest";
import { growth } from "../../../../tests/fixtures/growth.ts";
import { parseObjects, withDetail } from "../parse-objects.ts";
import { formatJson, parseJsonValue } from "../values/json.ts";
import type { Value } from "../values/value.ts";
import { writeObjects } from "./write-objects.ts";

const listIn = (json: string): Value[] => {
  const value = parseJsonValue(json);
  return Array.isArray(value) ? value : [value];
};

test("[objects.format.written] files are written in the usual layout", () => {
  const objects = `[
    {"__id": "shop", "__label": "Corner shop", "__kind": "Shop", "__level": 1,
     "name": "Corner", "rating": 4.0, "zip": "10115", "tags": ["a", "b, c"],
     "open": {"mon": "9"}, "notes": "one\\ntwo", "__labels": {"notes": "Notes"},
     "__comments": [{"after": "__self", "content": "Sells things."}]},
    {"__id": "shop.owner", "__local_id": "owner", "__kind": "__Object", "__label": "Owner",
     "__parent": "[[#shop]]", "__parent_field": "owner", "name": "Ada"}
  ]`;

  expect(writeObjects(listIn(objects))).toBe(`# Corner shop [[shop: Shop]]

Sells things.

- name: Corner
- rating: 4.0
- zip: "10115"
- tags: [a, "b, c"]

## [[open: json]]

\`\`\`json
{
  "mon": "9"
}
\`\`\`

## Notes [[notes: text]]

one
two

## Owner [[owner]]

- name: Ada
`);
});

/** The fields of an object after it was written and parsed again. */
const again = (fields: string): string => {
  const [object = new Map()] = parseObjects(writeObjects(listIn(`[${fields}]`)));
  return formatJson(new Map([...object].filter(([key]) => !key.startsWith("__"))));
};

test.each([
  '{"a":"true","b":"null","c":"12","d":"","e":" x ","f":"~","g":"[a]","h":"\\"x\\"","i":"- x"}',
  '{"a":"[[#b]], [[#c]]","b":"# x","c":"|","d":"a <!-- b --> c","e":"`<!-- b -->`"}',
  '{"a":"one\\ntwo","b":"\\n\\nx","c":" x\\n y","d":"# x\\n\\ny","e":"```\\nopen","f":"x\\n"}',
  '{"a":[],"b":["","x,y","it\'s","\\"","[[#a]]","a\\nb"],"c":[[1,[2]],{}],"d":["\\"\'"]}',
  '{"a":{},"b":{"x":{"10":[1.0],"2":null}},"c":{"k":"v"}}',
  '{"two words":1,"b.c":"x","1":[2],"ü":{"x":"y"}}',
  '{"a":1.0,"b":123456789012345678901234567890,"c":-0.0,"d":1e400}',
])("[objects.format.written] all values of %s come back", (fields) => {
  const read = parseJsonValue(again(fields));
  const given = parseJsonValue(fields);
  const sorted = (value: Value) => (value instanceof Map ? [...value.keys()].sort() : []);

  expect(sorted(read)).toEqual(sorted(given));
  for (const key of sorted(given)) {
    const [one, other] = [read, given].map((value) =>
      formatJson(value instanceof Map ? (value.get(key) ?? null) : null),
    );
    expect(one).toBe(other);
  }
});

test("[objects.format.written] minimal records are restored with their children", () => {
  const text =
    "## A [[a]]\n\n- k: 1\n\n### B [[b: [Item]]]\n\n#### C [[c]]\n\n- l: x\n\n### D [[d: Kind]]\n";
  const minimal = withDetail(parseObjects(text), "minimal");

  expect(formatJson(withDetail(parseObjects(writeObjects(minimal)), "minimal"))).toBe(
    formatJson(minimal),
  );
});

test("[objects.format.written] cyclic parents, odd values and endless depth do no harm", () => {
  const ring = `[{"__id":"a","__parent":"[[#b]]","__parent_field":"x"},
    {"__id":"b","__parent":"[[#a]]","__parent_field":"y"}, 7, null, "x", [],
    {"__id": 5, "__level": 1e9, "__types": "x", "__comments": [1], "__kind": []}]`;
  const chain = Array.from(
    { length: 5_000 },
    (_, at) =>
      `{"__id":"n${at}","__parent":"[[#n${at - 1}]]","__parent_field":"c","c":"[[#n${at + 1}]]"}`,
  );

  expect(writeObjects(listIn(ring))).toContain("[[a]]");
  expect(writeObjects(listIn(`[${chain.join(",")}]`)).match(/^#+ /gm)).toHaveLength(5_000);
});

test("[objects.format.written] text that opens a fence does not hide what follows", () => {
  const objects = listIn(
    '[{"__id":"a","t":"```\\nopen","__syntax":{"t":"multiline_text"}},{"__id":"b","k":1}]',
  );
  const ids = parseObjects(writeObjects(objects)).map((object) => object.get("__id"));

  expect(ids).toEqual(["a", "b"]);
});

test("[objects.format.written] an array with only some nested items keeps all its items", () => {
  const objects = listIn(
    `[{"__id":"a","list":["[[#a.list.b]]","[[#other]]"]},
      {"__id":"a.list.b","__local_id":"b","__parent":"[[#a]]","__parent_field":"list"}]`,
  );
  const [a, b] = parseObjects(writeObjects(objects));

  expect(a?.get("list")).toEqual(["[[#a.list.b]]", "[[#other]]"]);
  expect(b?.get("__id")).toBe("a.list.b");
});

test("[objects.format.hostile] unknown syntax, and more markers than a call takes arguments, are written", () => {
  const [odd] = listIn('{"__id": "x", "__kind": "__Object", "__syntax": {"x": "constructor"}}');
  expect(writeObjects([odd ?? null])).toBe("## [[x]]\n");

  const marks: Value = new Map<string, Value>([
    ["__id", "x"],
    ["code", ["\n`a".repeat(300_000)]],
  ]);
  const [again] = parseObjects(writeObjects([marks]));
  expect(again?.get("code")).toEqual(marks.get("code"));
});

test("[objects.format.hostile] unreferenced children are written in linear time", () => {
  const family = (size: number): Value[] => [
    new Map<string, Value>([
      ["__id", "p"],
      ...Array.from({ length: size }, (_, at): [string, Value] => [`f${at}`, `[[#p.f${at}]]`]),
    ]),
    ...Array.from({ length: size }, (_, at) => [`f${at}`, `g${at}`])
      .flat()
      .map(
        (name): Value =>
          new Map([
            ["__id", `p.${name}`],
            ["__local_id", name],
            ["__parent", "[[#p]]"],
            ["__parent_field", name],
          ]),
      ),
  ];
  expect(writeObjects(family(2))).toContain("[[g1]]");
  expect(growth(2_000, (size) => writeObjects(family(size)))).toBeLessThan(10);
});
