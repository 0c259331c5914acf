import { expect, test } from "vitest";
import { paginate } from "./pagination.ts";

const letters = [..."abcdefg"];

test("[core.mcp.pagination] cursors lead through all pages to the end of the list", () => {
  const first = paginate("letters", letters, undefined, 3);
  const second = paginate("letters", letters, first.nextCursor, 3);
  const third = paginate("letters", letters, second.nextCursor, 3);

  expect([first.items, second.items, third.items]).toEqual([
    ["a", "b", "c"],
    ["d", "e", "f"],
    ["g"],
  ]);
  expect(third).not.toHaveProperty("nextCursor");
});

test("a short list is one page", () => {
  expect(paginate("letters", letters, undefined)).toEqual({ items: letters });
});

test("a list that shrank between two pages ends early", () => {
  const { nextCursor } = paginate("letters", letters, undefined, 5);
  expect(paginate("letters", ["a"], nextCursor, 5)).toEqual({ items: [] });
});

test("[core.mcp.bad-cursor] a cursor that the server did not issue is refused", () => {
  const { nextCursor = "" } = paginate("letters", letters, undefined, 3);
  const forged = (text: string) => Buffer.from(text).toString("base64url");
  for (const cursor of [
    "",
    "3",
    nextCursor.slice(1),
    forged("letters -1"),
    forged("letters 1e1"),
  ]) {
    expect(() => paginate("letters", letters, cursor, 3), cursor).toThrow(
      "Invalid cursor for letters.",
    );
  }
  expect(() => paginate("words", letters, nextCursor, 3)).toThrow(
    expect.objectContaining({
      message: "Invalid cursor for words.",
      data: { details: expect.stringContaining("'cursor'") },
    }),
  );
});
