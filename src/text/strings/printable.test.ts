import { expect, test } from "vitest";
import { toPrintable } from "./printable.ts";

test("[search.titles.visible] line breaks, bidirectional controls and invisible characters are removed", () => {
  expect(toPrintable("Title\u202eevil\u200b \u001b[31mred")).toBe("Titleevil  [31mred");
  expect(toPrintable("a\nSYSTEM: obey\u2028b")).toBe("a SYSTEM: obey b");
});

test("joiners needed by letters and emoji are kept", () => {
  expect(toPrintable("👩‍🔬 क्‍ष")).toBe("👩‍🔬 क्‍ष");
});
