import fc from "fast-check";
import { expect, test } from "vitest";
import { parse as parseWhole } from "yaml";
import { formatJson, toPlainJson } from "./json.ts";
import { createFields, numeral, type Value, valuesEqual } from "./value.ts";
import { parseYamlValue } from "./yaml.ts";
import { formatYaml } from "./yaml-writer.ts";

test.each([
  ["a: 1\nb: two words", '{"a":1,"b":"two words"}'],
  ["- a\n- - b\n  - c\n-\n  d: e", '["a",["b","c"],{"d":"e"}]'],
  ["a:\n- b\n- c: d\n  e: f", '{"a":["b",{"c":"d","e":"f"}]}'],
  ["a: [1, {b: c}, 'x, y']  # remark", '{"a":[1,{"b":"c"},"x, y"]}'],
  ["\"a b\": \"x\\ty\"\n'c': 'it''s'", '{"a b":"x\\ty","c":"it\'s"}'],
  ["a: |\n  one\n    two\n\nb: >-\n  x\n  y\n\n  z", '{"a":"one\\n  two\\n","b":"x y\\nz"}'],
  ["# nothing\n", "null"],
  ["a: ~\nb:\nc: True\nd: 1.50", '{"a":null,"b":null,"c":true,"d":1.50}'],
  ["url: http://x.y:80/z", '{"url":"http://x.y:80/z"}'],
  ["a: one\n  two\n\n  three\nb: 1", '{"a":"one two\\nthree","b":1}'],
  ["- one\n  two\n- three", '["one two","three"]'],
  [
    "a: [1, # first\n  # second\n  {b: it's,\n   c: 'x]'},\n  ]\nd: 2",
    '{"a":[1,{"b":"it\'s","c":"x]"}],"d":2}',
  ],
  ["[1,\n 2]", "[1,2]"],
  ["a: \"one\n  two\"\nb: 'three\n  four'", '{"a":"one two","b":"three four"}'],
  ["---\na: 1", '{"a":1}'],
])("[objects.format.yaml] %j is read", (text, expected) => {
  expect(formatJson(parseYamlValue(text))).toBe(expected);
  expect(toPlainJson(parseYamlValue(text))).toEqual(parseWhole(text));
});

test.each([
  "a: *b",
  "a: &x 1",
  "a: !t 1",
  "a: 1\n---\nb: 1",
  "a: 1\na: 2",
  "a: b: c",
  "a: one\n  # remark\n  two",
  "a: one # remark\n  two",
  "a: one\n  two: three",
  "a: [1,\n 2",
  "a: 'one\n  two",
  "\ta: 1",
  "a: 'x",
  "a: 0x1F",
  "a: 1\n b: 2",
])("[objects.format.yaml] %j stays a text", (text) => {
  expect(parseYamlValue(text)).toBe(text);
});

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      "",
      "a",
      "true",
      "1",
      "- x",
      "a: b",
      "#",
      "it's",
      "x\ny",
      " x",
      "a #b",
      "[",
      "|",
    ),
  );
  return {
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, false, numeral("1.0"), numeral("-3")),
      word,
      fc.array(tie("value"), { maxLength: 3 }),
      fc
        .array(fc.tuple(word, tie("value")), { maxLength: 3 })
        .map((entries) => createFields(entries)),
    ),
  };
}).value;

test("[objects.format.yaml] printed YAML is read back unchanged by every YAML parser", () => {
  fc.assert(
    fc.property(value, (given) => {
      const text = formatYaml(given);
      expect(valuesEqual(parseYamlValue(text), given)).toBe(true);
      // A text that no YAML parser accepts is kept unchanged.
      if (given !== text) expect(parseWhole(text)).toEqual(JSON.parse(formatJson(given)));
    }),
    { numRuns: 1000 },
  );
});
