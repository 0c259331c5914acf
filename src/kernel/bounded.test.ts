import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  bounded,
  boundedByPlace,
  boundedShape,
  cursorFor,
  keyFrom,
  listCap,
  numberFrom,
  page,
} from "./bounded.ts";
import { Failure } from "./failure.ts";

const keyOf = (item: string) => item;
const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `item-${String(index + from).padStart(5, "0")}`);

test("[house.bounded.cap] a list of more than 200 is cut, and says how many remain", () => {
  const part = bounded(names(450), { keyOf });

  expect(part.items).toHaveLength(listCap);
  expect(part).toMatchObject({ total: 450, truncated: true, remaining: 250 });
  expect(part.next_cursor).toBeTypeOf("string");
});

test("a list that fits is whole, with neither a cursor nor a remainder", () => {
  expect(bounded(names(200), { keyOf })).toEqual({
    items: names(200),
    total: 200,
    truncated: false,
  });
  expect(bounded([], { keyOf })).toEqual({ items: [], total: 0, truncated: false });
});

test("[house.bounded.cursor] following the cursor shows every item once, in order", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (items, limit) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const part = bounded(items, { keyOf, limit, cursor });
          expect(part.items.length).toBeLessThanOrEqual(limit);
          expect(seen.length + part.items.length + (part.remaining ?? 0)).toBe(items.length);
          seen.push(...part.items);
          cursor = part.next_cursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(items);
      },
    ),
  );
});

test("a list without keys goes on at its place, and ends where it has become shorter", () => {
  const first = boundedByPlace(["a", "a", "b"], { limit: 2 });
  const { next_cursor: cursor } = first;

  expect(first).toEqual({
    items: ["a", "a"],
    total: 3,
    truncated: true,
    remaining: 1,
    next_cursor: cursor,
  });
  expect(boundedByPlace(["a", "a", "b"], { limit: 2, cursor }).items).toEqual(["b"]);
  expect(boundedByPlace(["a"], { cursor })).toEqual({ items: [], total: 1, truncated: false });
  expect(() => boundedByPlace(["a"], { cursor: cursorFor("b") })).toThrow("'cursor'");
});

test("what is inserted before the cursor neither repeats nor skips an item", () => {
  const first = bounded(["b", "d", "f", "h"], { keyOf, limit: 2 });
  const second = bounded(["a", "b", "c", "d", "f", "h"], {
    keyOf,
    limit: 2,
    cursor: first.next_cursor,
  });

  expect(first.items).toEqual(["b", "d"]);
  expect(second).toEqual({ items: ["f", "h"], total: 6, truncated: false });
});

test("a list goes on behind the place of an item that is gone", () => {
  const { next_cursor: cursor } = bounded(["b", "d", "f"], { keyOf, limit: 2 });

  expect(bounded(["b", "e", "f"], { keyOf, cursor }).items).toEqual(["e", "f"]);
  expect(bounded(["a"], { keyOf, cursor }).items).toEqual([]);
});

test("a list in another order than its keys asks to begin again when the place is gone", () => {
  const { next_cursor: cursor } = bounded(["z", "m", "a"], { keyOf, limit: 2 });

  expect(bounded(["z", "m", "a"], { keyOf, cursor }).items).toEqual(["a"]);
  expect(() => bounded(["z", "a"], { keyOf, cursor })).toThrow(/cursor.*is gone/);
});

test("[house.bounded.bad-cursor] a cursor that no list gave is invalid, and the message names it", () => {
  for (const bad of [
    "",
    "nonsense",
    "!!!",
    "aGVsbG8",
    "=",
    "\u0000",
    `${cursorFor("ab")}x`,
    "🙂",
  ]) {
    expect(() => bounded(["a"], { keyOf, cursor: bad })).toThrow(Failure);
    expect(() => keyFrom(bad)).toThrow(/'cursor'/);
  }
});

test("a cursor of another list is no place in a list of numbers", () => {
  expect(numberFrom(cursorFor("12"))).toBe(12);
  for (const key of ["", "-1", "1.5", "notes/a.md", "9".repeat(30)]) {
    expect(() => numberFrom(cursorFor(key))).toThrow(/'cursor'/);
  }
});

test("any key survives the way through a cursor", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (key) => {
      expect(keyFrom(cursorFor(key))).toBe(key);
      expect(cursorFor(key)).toMatch(/^[\w-]+$/);
    }),
  );
});

test("a page cut in SQL has the same shape as one cut here, and fits the schema", () => {
  const schema = z.object({ items: z.array(z.string()), ...boundedShape }).strict();
  const here = bounded(["a", "b", "c"], { keyOf, limit: 2 });
  const there = page(["a", "b"], { total: 3, remaining: 1, keyOf });

  expect(there).toEqual(here);
  expect(schema.parse(there)).toEqual(there);
  expect(schema.parse(page([], { total: 0, remaining: 0, keyOf }))).toBeDefined();
});
