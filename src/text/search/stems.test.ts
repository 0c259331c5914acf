import fc from "fast-check";
import { expect, test } from "vitest";
import { stemOf } from "./stems.ts";

const sameStem = (...words: string[]) => expect(new Set(words.map(stemOf)).size).toBe(1);
const otherStem = (a: string, b: string) => expect(stemOf(a)).not.toBe(stemOf(b));

test("all forms of a word have one stem, in each supported script", () => {
  sameStem("light", "lights", "lighting", "lighted");
  sameStem("resolution", "resolutions");
  sameStem("маяк", "маяка", "маяками");
  sameStem("كتاب", "الكتاب");
  sameStem("δρομος", "δρομους");
  sameStem("किताब", "किताबें");
});

test("different words have different stems", () => {
  otherStem("light", "tower");
  otherStem("universe", "lamp");
  otherStem("маяк", "лампа");
});

test("short words, numbers and identifiers are not stemmed", () => {
  for (const word of ["is", "as", "bus", "2026", "v2s", "read_files", "naïves", "x".repeat(65)]) {
    expect(stemOf(word)).toBe(word);
  }
});

test("a stem is never empty, for any word", () => {
  const alphabets = ["aeiouyings", "ёившаяся", "οςαιηθήκ", "الوةيكتن", "ाएगीकों"];
  const word = fc
    .constantFrom(...alphabets)
    .chain((letters) =>
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 40 }),
    );
  fc.assert(
    fc.property(word, (written) => {
      expect(stemOf(written)).not.toBe("");
      expect(stemOf(written)).toBe(stemOf(written));
      expect(stemOf(written).isWellFormed()).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
