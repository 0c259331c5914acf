import fc from "fast-check";
import { expect, test } from "vitest";
import { formatJson, parseJsonValue, toPlainJson } from "./json.ts";
import { createFields, numeral, type Value, valuesEqual } from "./value.ts";

test.each([
  '{"b":1,"10":2,"2":3,"a":{"1":null}}',
  "[1.0,1e3,-0.50,12345678901234567890,2E+7]",
  '"é😀 \\"quoted\\" \\u0000"',
  '{"__proto__":1,"constructor":2}',
  "[]",
  "{}",
])("[objects.format.json] %s is printed as it was read", (text) => {
  expect(formatJson(parseJsonValue(text))).toBe(text);
});

test("[objects.format.json] pretty JSON is indented by two spaces", () => {
  const text = '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": []\n}';

  expect(formatJson(parseJsonValue(text), { pretty: true })).toBe(text);
});

test("[objects.format.json] plain values are those of JavaScript", () => {
  const value = createFields([
    ["n", numeral("1.0")],
    ["list", [null, true, "x"]],
    ["__proto__", createFields([["a", "b"]])],
  ]);

  expect(JSON.stringify(toPlainJson(value))).toBe(
    '{"n":1,"list":[null,true,"x"],"__proto__":{"a":"b"}}',
  );
});

test.each([
  ["", "Unexpected end of text at line 1, column 1"],
  ['{"a": 1,\n "b" 2}', "A colon is missing after the key at line 2, column 6"],
  ["[1, 2", "A comma or ] is missing at line 1, column 6"],
  ["{a: 1}", "A key must be in double quotes at line 1, column 2"],
  ['["a\nb"]', "Invalid character in a string at line 1, column 4"],
  ['"a', "Unclosed string at line 1, column 3"],
  ['"\\x"', "Invalid escape in a string at line 1, column 2"],
  ["[01]", "A comma or ] is missing at line 1, column 3"],
  ["[1] 2", "Unexpected text after the value at line 1, column 5"],
  ["[,]", "A value is missing at line 1, column 2"],
  ["[".repeat(100_000), "Nested deeper than 500 levels at line 1, column 1"],
])("[objects.format.json-errors] %j is refused", (text, message) => {
  expect(() => parseJsonValue(text)).toThrow(new SyntaxError(message));
});

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => numeral(JSON.stringify(n))),
    fc.constantFrom("1.0", "1e3", "123456789012345678901").map(numeral),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.nat().map(String)), tie("value")), { maxLength: 4 })
      .map((entries) => createFields(entries)),
  ),
})).value;

test("[objects.format.json] printed JSON is read back unchanged", () => {
  fc.assert(
    fc.property(value, fc.boolean(), (given, pretty) =>
      valuesEqual(parseJsonValue(formatJson(given, { pretty })), given),
    ),
  );
});

test("[objects.format.json] exactly what JSON.parse refuses is refused", () => {
  const text = fc.oneof(
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'[]{}",:01.e-+tfn \\u\n') }),
  );

  fc.assert(
    fc.property(text, (given) => {
      const accepts = (read: (text: string) => unknown) => {
        try {
          read(given);
          return true;
        } catch {
          return false;
        }
      };
      return accepts(parseJsonValue) === accepts(JSON.parse);
    }),
  );
});
