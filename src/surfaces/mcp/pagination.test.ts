import { expect, test } from "vitest";
import { page } from "./pagination.ts";

const letters = [..."abcdefg"];

test("[house.mcp.pagination] pages follow one another until the list ends", () => {
  const first = page("letters", letters, undefined, 3);
  const second = page("letters", letters, first.nextCursor, 3);
  const third = page("letters", letters, second.nextCursor, 3);

  expect([first.items, second.items, third.items]).toEqual([
    ["a", "b", "c"],
    ["d", "e", "f"],
    ["g"],
  ]);
  expect(third).not.toHaveProperty("nextCursor");
});

test("an ordinary list is one page", () => {
  expect(page("letters", letters, undefined)).toEqual({ items: letters });
});

test("a list that shrank between two pages ends early", () => {
  const { nextCursor } = page("letters", letters, undefined, 5);
  expect(page("letters", ["a"], nextCursor, 5)).toEqual({ items: [] });
});

test("[house.mcp.bad-cursor] a cursor that we did not make is refused", () => {
  const { nextCursor = "" } = page("letters", letters, undefined, 3);
  const forged = (text: string) => Buffer.from(text).toString("base64url");
  for (const cursor of [
    "",
    "3",
    nextCursor.slice(1),
    forged("letters -1"),
    forged("letters 1e1"),
  ]) {
    expect(() => page("letters", letters, cursor, 3), cursor).toThrow(
      "Invalid cursor for letters.",
    );
  }
  expect(() => page("words", letters, nextCursor, 3)).toThrow(
    expect.objectContaining({
      message: "Invalid cursor for words.",
      data: { details: expect.stringContaining("'cursor'") },
    }),
  );
});
