import { expect, test } from "vitest";
import { readTokenVariable } from "./token.ts";

test("a token is used unchanged, and an empty one is ignored", () => {
  expect(readTokenVariable({ LECTERN_TOKEN: "eight-or-more" })).toBe("eight-or-more");
  expect(readTokenVariable({ LECTERN_TOKEN: "" })).toBeUndefined();
  expect(readTokenVariable({})).toBeUndefined();
});

test.each(["short", "two words", " eight-or-more"])("'%s' is refused as a token", (token) => {
  expect(() => readTokenVariable({ LECTERN_TOKEN: token })).toThrow(
    "at least 8 characters and no whitespace",
  );
});
