import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("texts that a spreadsheet would calculate are guarded, and numbers are not", () => {
  const row = { name: '=HYPERLINK("x")', "@sum": -3, note: 'said "yes"', none: null };
  expect(csvOf(Object.keys(row), [row])).toBe(
    `name,'@sum,note,none\r\n"'=HYPERLINK(""x"")",-3,"said ""yes""",\r\n`,
  );
});
