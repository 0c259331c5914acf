import { expect, test } from "vitest";
import * as z from "zod";
import { snakeCaseKeys } from "./key-spelling.ts";

const Tree = z.object({
  nodeName: z.string(),
  get childNodes() {
    return z.array(Tree).optional();
  },
});

const schema = z.object({
  minScore: z.number().default(0),
  byName: z.record(z.string(), z.object({ timesSeen: z.int() })),
  asIs: z
    .object({ mimeType: z.string(), inner: z.object({ leftAlone: z.int() }) })
    .meta({ verbatim: true }),
  either: z.union([z.object({ kindOne: z.int() }), z.object({ kindTwo: z.string() })]).nullable(),
  pair: z.tuple([z.object({ firstOne: z.int() }), z.int()]).optional(),
  tree: Tree.optional(),
  both: z
    .intersection(z.object({ leftSide: z.int() }), z.object({ rightSide: z.int() }))
    .optional(),
});

const declared = {
  minScore: 0.5,
  byName: { someName: { timesSeen: 1 } },
  asIs: { mimeType: "text/plain", inner: { leftAlone: 1 } },
  either: { kindTwo: "x" },
  pair: [{ firstOne: 1 }, 2],
  tree: { nodeName: "a", childNodes: [{ nodeName: "b" }] },
  both: { leftSide: 1, rightSide: 2 },
};

const spelled = {
  min_score: 0.5,
  by_name: { someName: { times_seen: 1 } },
  as_is: { mimeType: "text/plain", inner: { leftAlone: 1 } },
  either: { kind_two: "x" },
  pair: [{ first_one: 1 }, 2],
  tree: { node_name: "a", child_nodes: [{ node_name: "b" }] },
  both: { left_side: 1, right_side: 2 },
};

test("[core.http.casing] declared keys are written in snake_case, and keys that are data are unchanged", () => {
  expect(snakeCaseKeys.write(schema, declared)).toEqual(spelled);
});

test("[core.http.casing] both spellings are accepted", () => {
  expect(snakeCaseKeys.read(schema, spelled)).toEqual(declared);
  expect(snakeCaseKeys.read(schema, declared)).toEqual(declared);
});

test("a parameter given in both spellings is refused, because one of them would be lost", () => {
  expect(() => snakeCaseKeys.read(schema, { min_score: 1, minScore: 0 })).toThrow(
    "'min_score' and 'minScore' are the same parameter. Use only one of them.",
  );
});

test("unknown keys are kept, so that they can be refused by name", () => {
  expect(snakeCaseKeys.read(schema, { min_scor: 1 })).toEqual({ min_scor: 1 });
});

test("a key named __proto__ is an ordinary key", () => {
  const read = snakeCaseKeys.read(schema, JSON.parse('{"__proto__": {"polluted": true}}'));

  expect(Object.keys(Object(read))).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(Object(read).polluted).toBeUndefined();
});
