import { expect, test } from "vitest";
import * as z from "zod";
import { type Flag, flagOf, flagsOf } from "./flag.ts";

const check = (schema: z.ZodType, expected: Partial<Flag>) =>
  expect(flagOf("someKey", schema)).toMatchObject(expected);

test("wrappers are looked through, and the outermost description counts", () => {
  check(z.string().optional(), { takes: "text", required: false });
  check(z.string().nullable(), { takes: "text", required: true });
  check(z.int().default(3).readonly(), { takes: "whole number", fallback: 3, required: false });
  check(z.int().prefault(3), { takes: "whole number", required: false });
  check(z.number().catch(1), { takes: "number", required: false });
  check(z.lazy(() => z.boolean()).optional(), { takes: "nothing" });
  check(z.string().describe("inner").optional().describe("outer."), { about: "outer" });
  check(z.string().meta({ short: "s", flag: "other" }).optional(), { short: "s", name: "other" });
});

test("a pipe is typed by what goes in, unless that is a bare function", () => {
  check(z.string().transform(Number), { takes: "text" });
  check(
    z.preprocess((value) => value, z.int()),
    { takes: "whole number" },
  );
});

test("numbers tell their range", () => {
  check(z.int().min(1).max(9), { range: "1 to 9" });
  check(z.int().min(1), { range: "at least 1", takes: "whole number" });
  check(z.number().max(1), { range: "at most 1", takes: "number" });
  check(z.int(), { range: undefined });
});

test("choices come from enums, literals and unions of them", () => {
  check(z.enum(["a", "b"]), { choices: ["a", "b"], takes: "text" });
  check(z.literal(["a", "b"]).optional(), { choices: ["a", "b"] });
  check(z.union([z.literal("a"), z.enum(["b"])]), { choices: ["a", "b"] });
  check(z.union([z.literal("a"), z.string()]), { choices: [], takes: "text" });
  check(z.literal(true), { takes: "nothing", choices: [] });
  check(z.literal(7), { takes: "number", choices: [] });
});

test("lists may be given several times, also where one alone is allowed", () => {
  check(z.array(z.int()), { many: true, takes: "whole number" });
  check(z.array(z.enum(["a"])).default([]), { many: true, choices: ["a"] });
  check(z.union([z.string(), z.array(z.string())]), { many: true, takes: "text" });
  check(z.array(z.object({ a: z.string() })), { many: true, takes: "json" });
});

test("whatever has no form of its own at a shell is typed as JSON", () => {
  check(z.object({ a: z.string() }), { takes: "json" });
  check(z.record(z.string(), z.int()), { takes: "json" });
  check(z.unknown(), { takes: "json", required: false });
});

test("a value that a shell knows need not be typed", () => {
  check(z.string().meta({ shell: { default: () => ".", says: "here" } }), { required: false });
});

test("names are in kebab-case, in the order of the schema", () => {
  const names = flagsOf(z.object({ minScore: z.int(), source_id: z.int(), x: z.int() }));
  expect(names.map(({ name }) => name)).toEqual(["min-score", "source-id", "x"]);
});
