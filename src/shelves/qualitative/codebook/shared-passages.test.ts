import { expect, test } from "vitest";
import { randomNumbers } from "../../../../tests/fixtures/random-numbers.ts";
import { type CodedSpan, countSharedPassages, forEachClosePair } from "./shared-passages.ts";

interface Coding {
  code: number;
  start: number;
  end: number;
}

function placesOf(codings: readonly Coding[]): CodedSpan[] {
  const places = new Map<string, { start: number; end: number; codes: Map<number, number> }>();
  for (const { code, start, end } of codings) {
    const place = places.get(`${start} ${end}`) ?? { start, end, codes: new Map() };
    places.set(`${start} ${end}`, place);
    place.codes.set(code, (place.codes.get(code) ?? 0) + 1);
  }
  return [...places.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The expected result by definition: every passage is compared with every other. */
function sharedByDefinition(codings: readonly Coding[], one: number, other: number): number {
  const isClose = (a: Coding, b: Coding) =>
    2 * (Math.min(a.end, b.end) - Math.max(a.start, b.start)) >=
    Math.max(a.end, b.end) - Math.min(a.start, b.start);
  const of = (code: number) => codings.filter((coding) => coding.code === code);
  const sharing = (own: number, theirs: number) =>
    of(own).filter((a) => of(theirs).some((b) => isClose(a, b))).length;
  return sharing(one, other) + sharing(other, one);
}

test("[qualitative.codebook.duplicates] passages are shared if their overlap covers half of both", () => {
  const random = randomNumbers(5);
  const codings = Array.from({ length: 400 }, () => {
    const start = Math.floor(random() * 300);
    const length = 1 + Math.floor(random() * random() * 80);
    return { code: 1 + Math.floor(random() * 6), start, end: start + length };
  });
  const shared = countSharedPassages([placesOf(codings)]);
  for (let one = 1; one <= 6; one++) {
    for (let other = one + 1; other <= 6; other++) {
      const found = shared.get(one)?.get(other) ?? 0;
      expect([one, other, found]).toEqual([one, other, sharedByDefinition(codings, one, other)]);
    }
  }
});

test("[qualitative.codebook.growth] a passage is compared only with its neighbors, regardless of how many are elsewhere or enclose it", () => {
  const looks = (count: number): number => {
    let read = 0;
    const place = (start: number, length: number): CodedSpan => ({
      start,
      get end() {
        read++;
        return start + length;
      },
      codes: new Map([[1, 1]]),
    });
    const around = Array.from({ length: 8 }, (_, at) => place(0, 10 * count * 4 ** at));
    const beside = Array.from({ length: count }, (_, at) => place(10 * at, 8));
    forEachClosePair([...around, ...beside], () => undefined);
    return read;
  };
  expect(looks(4_000) / looks(1_000)).toBeLessThan(5);
});
