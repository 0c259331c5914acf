import { expect, test } from "vitest";
import { tokenFrom } from "./token.ts";

test("a token is taken as it is, and an empty one is none", () => {
  expect(tokenFrom({ LECTERN_TOKEN: "eight-or-more" })).toBe("eight-or-more");
  expect(tokenFrom({ LECTERN_TOKEN: "" })).toBeUndefined();
  expect(tokenFrom({})).toBeUndefined();
});

test.each(["short", "two words", " eight-or-more"])("'%s' is refused as a token", (token) => {
  expect(() => tokenFrom({ LECTERN_TOKEN: token })).toThrow("8 characters or more, and no blanks");
});
