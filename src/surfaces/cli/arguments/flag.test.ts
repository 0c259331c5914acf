import { expect, test } from "vitest";
import * as z from "zod";
import { type Flag, flagOf, flagsOf } from "./flag.ts";

const check = (schema: z.ZodType, expected: Partial<Flag>) =>
  expect(flagOf("someKey", schema)).toMatchObject(expected);

test("wrappers are unwrapped, and the outermost description is used", () => {
  check(z.string().optional(), { valueType: "text", required: false });
  check(z.string().nullable(), { valueType: "text", required: true });
  check(z.int().default(3).readonly(), {
    valueType: "whole number",
    defaultValue: 3,
    required: false,
  });
  check(z.int().prefault(3), { valueType: "whole number", required: false });
  check(z.number().catch(1), { valueType: "number", required: false });
  check(z.lazy(() => z.boolean()).optional(), { valueType: "nothing" });
  check(z.string().describe("inner").optional().describe("outer."), { description: "outer" });
  check(z.string().meta({ short: "s", flag: "other" }).optional(), { short: "s", name: "other" });
});

test("a pipe uses its input schema, unless that is a bare function", () => {
  check(z.string().transform(Number), { valueType: "text" });
  check(
    z.preprocess((value) => value, z.int()),
    { valueType: "whole number" },
  );
});

test("numbers show their range", () => {
  check(z.int().min(1).max(9), { range: "1 to 9" });
  check(z.int().min(1), { range: "at least 1", valueType: "whole number" });
  check(z.number().max(1), { range: "at most 1", valueType: "number" });
  check(z.int(), { range: undefined });
});

test("choices are taken from enums, literals and unions of them", () => {
  check(z.enum(["a", "b"]), { choices: ["a", "b"], valueType: "text" });
  check(z.literal(["a", "b"]).optional(), { choices: ["a", "b"] });
  check(z.union([z.literal("a"), z.enum(["b"])]), { choices: ["a", "b"] });
  check(z.union([z.literal("a"), z.string()]), { choices: [], valueType: "text" });
  check(z.literal(true), { valueType: "nothing", choices: [] });
  check(z.literal(7), { valueType: "number", choices: [] });
});

test("lists can be repeated, even if a single value is allowed", () => {
  check(z.array(z.int()), { isList: true, valueType: "whole number" });
  check(z.array(z.enum(["a"])).default([]), { isList: true, choices: ["a"] });
  check(z.union([z.string(), z.array(z.string())]), { isList: true, valueType: "text" });
  check(z.array(z.object({ a: z.string() })), { isList: true, valueType: "json" });
});

test("any other type is given as JSON on the command line", () => {
  check(z.object({ a: z.string() }), { valueType: "json" });
  check(z.record(z.string(), z.int()), { valueType: "json" });
  check(z.unknown(), { valueType: "json", required: false });
});

test("a value with a command line default is optional", () => {
  check(z.string().meta({ shell: { default: () => ".", label: "here" } }), { required: false });
});

test("names are in kebab-case, in schema order", () => {
  const names = flagsOf(z.object({ minScore: z.int(), source_id: z.int(), x: z.int() }));
  expect(names.map(({ name }) => name)).toEqual(["min-score", "source-id", "x"]);
});
