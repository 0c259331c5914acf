import { expect, test } from "vitest";
import { toCsv } from "./csv-download.ts";

test("texts that look like formulas are escaped, and numbers are not", () => {
  const row = { name: '=HYPERLINK("x")', "@sum": -3, note: 'said "yes"', none: null };
  expect(toCsv(Object.keys(row), [row])).toBe(
    `name,'@sum,note,none\r\n"'=HYPERLINK(""x"")",-3,"said ""yes""",\r\n`,
  );
});
