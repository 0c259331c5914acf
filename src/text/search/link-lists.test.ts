import { expect, test } from "vitest";
import { isLinkLine, isLinkList } from "./link-lists.ts";

test.each([
  ["- [Lamps](lamps.md)", true],
  ["* {{[[Lamps and towers]]}}", true],
  ["1. [Lamps](lamps.md): how they are lit", false],
  ["- [How lamps are lit at sea](lamps.md) (guide)", true],
  ["Read [Lamps](lamps.md) before you light one.", false],
  ["* Learn more about [lamps of old towers](lamps.md).", true],
  ["Learn more about [lamps of old towers](lamps.md).", false],
  ["- no link", false],
  ["", false],
])("%s holds little but links: %s", (line, expected) => {
  expect(isLinkLine(line)).toBe(expected);
});

test("a list of links is distinguished from prose with links", () => {
  expect(isLinkList("## See also\n\n- [Lamps](a.md)\n- [Towers](b.md)\n")).toBe(true);
  expect(isLinkList("## Lamps\n\nLight them.\n\n- [Lamps](a.md)\n")).toBe(false);
  expect(isLinkList("No links at all.")).toBe(false);
});
