import { expect, test } from "vitest";
import * as z from "zod";
import { valueFromStrings } from "./query-values.ts";

function check(schema: z.ZodType, texts: string[], expected: unknown): void {
  expect(valueFromStrings(schema, texts)).toEqual(expected);
}

test("strings are converted to the schema's type, through defaults, optionals and unions", () => {
  check(z.int(), ["5"], 5);
  check(z.number().min(0).default(1), ["0.5"], 0.5);
  check(z.number().nullable().optional(), ["1e3"], 1000);
  check(z.boolean().default(false), ["true"], true);
  check(z.boolean(), ["0"], false);
  check(z.boolean().optional(), [""], true);
  check(z.string(), ["5"], "5");
  check(z.literal([1, 2]), ["2"], 2);
  check(z.array(z.int()).default([]), ["1", "2"], [1, 2]);
  check(z.array(z.string()), ["one"], ["one"]);
  check(z.union([z.int(), z.string()]), ["7"], 7);
  check(z.union([z.int(), z.string()]), ["seven"], "seven");
  check(z.union([z.string(), z.array(z.string())]), ["a", "b"], ["a", "b"]);
  check(z.record(z.string(), z.int()), ['{"a":1}'], { a: 1 });
});

test("an invalid string is kept, so that the schema reports the error", () => {
  check(z.int(), ["five"], "five");
  check(z.int(), [""], "");
  check(z.int(), ["0x10"], "0x10");
  check(z.boolean(), ["maybe"], "maybe");
  check(z.boolean(), ["toString"], "toString");
  check(z.int(), ["1", "2"], ["1", "2"]);
  check(z.record(z.string(), z.int()), ["{"], "{");
});
