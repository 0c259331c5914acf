import fc from "fast-check";
import { expect, test } from "vitest";
import { codePointOffsets } from "./offsets.ts";

/** Characters of one and two UTF-16 units, combining marks, line endings and lone surrogates. */
const anyText = fc
  .array(
    fc.constantFrom("a", "é", "e\u0301", "😀", "👩‍👩‍👧", "\r\n", "\uFEFF", "𝒳", "\uD83D", "日"),
  )
  .map((parts) => parts.join(""));

test("[qualitative.offsets.code-points] positions count code points, whatever the storage encoding", () => {
  const offsets = codePointOffsets("a😀b");

  expect(offsets.length).toBe(3);
  expect([0, 1, 2, 3].map(offsets.unitAt)).toEqual([0, 1, 3, 4]);
  expect([0, 1, 2, 3, 4].map(offsets.codePointAt)).toEqual([0, 1, 1, 2, 3]);
  expect(offsets.slice(1, 3)).toBe("😀b");
});

test("[qualitative.offsets.code-points] any text is split at code points", () => {
  fc.assert(
    fc.property(anyText, fc.nat(30), fc.nat(30), (text, one, other) => {
      const points = [...text];
      const offsets = codePointOffsets(text);
      const [start, end] = [one, other]
        .map((place) => place % (points.length + 1))
        .sort((a, b) => a - b) as [number, number];

      expect(offsets.length).toBe(points.length);
      expect(offsets.slice(start, end)).toBe(points.slice(start, end).join(""));
    }),
  );
});

test("[qualitative.offsets.code-points] a code point's UTF-16 unit maps back to it", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const offsets = codePointOffsets(text);
      for (let place = 0; place <= offsets.length; place++) {
        expect(offsets.codePointAt(offsets.unitAt(place))).toBe(place);
      }
    }),
  );
});
