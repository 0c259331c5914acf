import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { Failure } from "../failure.ts";
import {
  decodeCursor,
  decodeNumericCursor,
  encodeCursor,
  listPageShape,
  maxListItems,
  pageByKey,
  pageByOffset,
  toListPage,
} from "./list-page.ts";

const keyOf = (item: string) => item;
const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `item-${String(index + from).padStart(5, "0")}`);

test("[core.bounded.cap] a list of more than 200 items is truncated and reports how many remain", () => {
  const part = pageByKey(names(450), { keyOf });

  expect(part.items).toHaveLength(maxListItems);
  expect(part).toMatchObject({ total: 450, truncated: true, remaining: 250 });
  expect(part.next_cursor).toBeTypeOf("string");
});

test("a list that fits is complete, without cursor or remainder", () => {
  expect(pageByKey(names(200), { keyOf })).toEqual({
    items: names(200),
    total: 200,
    truncated: false,
  });
  expect(pageByKey([], { keyOf })).toEqual({ items: [], total: 0, truncated: false });
});

test("[core.bounded.cursor] following the cursor returns every item once, in order", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (items, limit) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const part = pageByKey(items, { keyOf, limit, cursor });
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

test("a list without keys continues at its position, and ends if it has become shorter", () => {
  const first = pageByOffset(["a", "a", "b"], { limit: 2 });
  const { next_cursor: cursor } = first;

  expect(first).toEqual({
    items: ["a", "a"],
    total: 3,
    truncated: true,
    remaining: 1,
    next_cursor: cursor,
  });
  expect(pageByOffset(["a", "a", "b"], { limit: 2, cursor }).items).toEqual(["b"]);
  expect(pageByOffset(["a"], { cursor })).toEqual({ items: [], total: 1, truncated: false });
  expect(() => pageByOffset(["a"], { cursor: encodeCursor("b") })).toThrow("'cursor'");
});

test("an item inserted before the cursor causes no repetition or gap", () => {
  const first = pageByKey(["b", "d", "f", "h"], { keyOf, limit: 2 });
  const second = pageByKey(["a", "b", "c", "d", "f", "h"], {
    keyOf,
    limit: 2,
    cursor: first.next_cursor,
  });

  expect(first.items).toEqual(["b", "d"]);
  expect(second).toEqual({ items: ["f", "h"], total: 6, truncated: false });
});

test("a list continues after the position of a removed item", () => {
  const { next_cursor: cursor } = pageByKey(["b", "d", "f"], { keyOf, limit: 2 });

  expect(pageByKey(["b", "e", "f"], { keyOf, cursor }).items).toEqual(["e", "f"]);
  expect(pageByKey(["a"], { keyOf, cursor }).items).toEqual([]);
});

test("a list not ordered by key asks to restart if the position is gone", () => {
  const { next_cursor: cursor } = pageByKey(["z", "m", "a"], { keyOf, limit: 2 });

  expect(pageByKey(["z", "m", "a"], { keyOf, cursor }).items).toEqual(["a"]);
  expect(() => pageByKey(["z", "a"], { keyOf, cursor })).toThrow(/cursor.*no longer exists/);
});

test("[core.bounded.bad-cursor] a cursor that no list returned is invalid, and the message names it", () => {
  for (const bad of [
    "",
    "nonsense",
    "!!!",
    "aGVsbG8",
    "=",
    "\u0000",
    `${encodeCursor("ab")}x`,
    "🙂",
  ]) {
    expect(() => pageByKey(["a"], { keyOf, cursor: bad })).toThrow(Failure);
    expect(() => decodeCursor(bad)).toThrow(/'cursor'/);
  }
});

test("a cursor of another list is invalid in a list of numbers", () => {
  expect(decodeNumericCursor(encodeCursor("12"))).toBe(12);
  for (const key of ["", "-1", "1.5", "notes/a.md", "9".repeat(30)]) {
    expect(() => decodeNumericCursor(encodeCursor(key))).toThrow(/'cursor'/);
  }
});

test("any key round-trips through a cursor", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (key) => {
      expect(decodeCursor(encodeCursor(key))).toBe(key);
      expect(encodeCursor(key)).toMatch(/^[\w-]+$/);
    }),
  );
});

test("a page from SQL has the same form as one from memory, and fits the schema", () => {
  const schema = z.object({ items: z.array(z.string()), ...listPageShape }).strict();
  const here = pageByKey(["a", "b", "c"], { keyOf, limit: 2 });
  const there = toListPage(["a", "b"], { total: 3, remaining: 1, keyOf });

  expect(there).toEqual(here);
  expect(schema.parse(there)).toEqual(there);
  expect(schema.parse(toListPage([], { total: 0, remaining: 0, keyOf }))).toBeDefined();
});
