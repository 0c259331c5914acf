import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { elementAt } from "../../../text/arrays/element-at.ts";
import { pairwiseBigramSimilarity } from "../../../text/edits/bigram-similarity.ts";
import { foldText } from "../../../text/search/folded-text.ts";
import { codedSpanCounts } from "../qda/storage-codebook.ts";
import { allCategories, allCodes, type CategoryRow, type CodeRow } from "../qda/storage-codes.ts";
import { type CodedSpan, countSharedPassages } from "./shared-passages.ts";

/** Two codes that may be duplicates. */
export interface SimilarCodes {
  one: CodeRow;
  other: CodeRow;
  /** From 0 to 1. */
  nameSimilarity: number;
  /** The share of their passages that both codes mark, from 0 to 1. */
  passageSimilarity: number;
}

/** Codes with similar names or the same passages, most similar first. */
export function findSimilarCodes(db: Database, threshold: number): SimilarCodes[] {
  const codes = allCodes(db);
  if (codes.length > maxCompared) throw tooManyCodes(codes.length);
  const normalizedNames = codes.map(({ name }) => normalizedNameOf(name));
  const nameSimilaritiesOf = pairwiseBigramSimilarity(normalizedNames);
  const shared = countSharedPassages(codedSpansBySource(db));
  const pairs: SimilarCodes[] = [];
  const indexById = new Map(codes.map(({ id }, index) => [id, index]));
  for (const [index, one] of codes.entries()) {
    const nameSimilarities = nameSimilaritiesOf(index);
    const sharedCounts = new Float64Array(codes.length);
    for (const [id, count] of shared.get(one.id) ?? []) {
      const position = indexById.get(id);
      if (position !== undefined) sharedCounts[position] = count;
    }
    for (let next = index + 1; next < codes.length; next++) {
      const second = elementAt(codes, next);
      const segmentCount = one.segments + second.segments;
      const passageSimilarity =
        segmentCount === 0 ? 0 : Math.min(elementAt(sharedCounts, next) / segmentCount, 1);
      const nameSimilarity = normalizedNames[index] === "" ? 0 : elementAt(nameSimilarities, next);
      if (Math.max(nameSimilarity, passageSimilarity) < threshold) continue;
      if (pairs.push({ one, other: second, nameSimilarity, passageSimilarity }) > maxPairs)
        throw tooManyPairs(threshold);
    }
  }
  return pairs.sort(
    (a, b) =>
      Math.max(b.nameSimilarity, b.passageSimilarity) -
        Math.max(a.nameSimilarity, a.passageSimilarity) || a.one.id - b.one.id,
  );
}

/** The comparison is quadratic in the number of codes. */
const maxCompared = 10_000;
const maxPairs = 200_000;

const tooManyCodes = (count: number): Failure =>
  new Failure("too-large", "too-large", `The project has ${count} codes.`, {
    hints: [`At most ${maxCompared} codes can be compared.`],
  });

const tooManyPairs = (threshold: number): Failure =>
  new Failure(
    "too-large",
    "too-large",
    `More than ${maxPairs} pairs of codes reach the threshold ${threshold}.`,
    { hints: ["Give a higher threshold."] },
  );

/** The coded ranges of each source. */
function codedSpansBySource(db: Database): CodedSpan[][] {
  const sources: CodedSpan[][] = [];
  let last: (CodedSpan & { source: number; codes: Map<number, number> }) | undefined;
  for (const { source, start, end, code, times } of codedSpanCounts(db)) {
    if (last?.source !== source) sources.push([]);
    if (last?.source !== source || last.start !== start || last.end !== end) {
      last = { source, start, end, codes: new Map() };
      sources.at(-1)?.push(last);
    }
    last.codes.set(code, times);
  }
  return sources;
}

/** Ignores the order of words, case and accents. */
const normalizedNameOf = (name: string): string =>
  (foldText(name).match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" ");

/** Fails if the new parent is the item itself or one of its descendants. */
export function assertNoCycle(
  all: readonly { id: number; parent: number | null }[],
  id: number,
  parent: number | null,
  code: string,
): void {
  const parents = new Map(all.map((one) => [one.id, one.parent]));
  const seen = new Set([id]);
  for (
    let ancestor = parent;
    ancestor !== null && ancestor !== undefined;
    ancestor = parents.get(ancestor) ?? null
  ) {
    if (seen.has(ancestor)) {
      throw new Failure("conflict", `${code}/CIRCLE`, "An item cannot be placed below itself");
    }
    seen.add(ancestor);
  }
}

export function findCategoryByName(db: Database, name: string): CategoryRow | undefined {
  const lowerName = name.toLowerCase();
  return allCategories(db).find((category) => category.name.toLowerCase() === lowerName);
}

/** Makes a code name from the passage that it marks: one line, of limited length. */
export function inVivoName(passage: string): string {
  const line = passage.replace(/\s+/g, " ").trim();
  const chars = [...line];
  return chars.length <= 100 ? line : `${chars.slice(0, 99).join("").trimEnd()}…`;
}
