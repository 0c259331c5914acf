import { expect, test } from "vitest";
import { createListCache } from "./list-cache.ts";

test("the least recently used lists make room, and the last one is always kept", () => {
  const cache = createListCache<string>(10, ({ length }) => length);
  const read: string[] = [];
  const get = (term: string, list: string) =>
    cache.get(term, () => {
      read.push(term);
      return list;
    });
  get("a", "1234");
  get("b", "1234");
  get("a", "1234");
  get("c", "1234");
  expect(get("a", "")).toBe("1234");
  expect(get("b", "12")).toBe("12");
  expect(get("large", "1".repeat(50))).toHaveLength(50);
  get("large", "");
  get("a", "1");
  cache.clear();
  get("a", "12");

  expect(read).toEqual(["a", "b", "c", "b", "large", "a", "a"]);
});
