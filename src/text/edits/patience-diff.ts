import { countBelow } from "../arrays/binary-search.ts";
import { elementAt } from "../arrays/element-at.ts";

interface CommonPart {
  oldIndex: number;
  newIndex: number;
}

/**
 * The anchors of a patience diff: the longest sequence of parts that occur exactly once in each
 * list, in the same order. Comparing only between anchors keeps distant changes independent.
 */
export function uniqueCommonParts(
  oldParts: readonly string[],
  newParts: readonly string[],
): CommonPart[] {
  const newIndexes = uniqueIndexes(newParts);
  const common = [...uniqueIndexes(oldParts)].flatMap(([part, oldIndex]) => {
    const newIndex = newIndexes.get(part);
    return newIndex === undefined ? [] : [{ oldIndex, newIndex }];
  });
  return longestIncreasingSubsequence(common);
}

function uniqueIndexes(parts: readonly string[]): Map<string, number> {
  const indexes = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (indexes.has(part)) repeated.add(part);
    else indexes.set(part, index);
  }
  for (const part of repeated) indexes.delete(part);
  return indexes;
}

/** By `newIndex`, for parts sorted by `oldIndex`: patience sorting with back pointers. */
function longestIncreasingSubsequence(common: readonly CommonPart[]): CommonPart[] {
  /** For each length, the last part of the subsequence that ends with the smallest `newIndex`. */
  const tails: number[] = [];
  const predecessors: (number | undefined)[] = [];
  for (const [index, { newIndex }] of common.entries()) {
    const length = countBelow(tails, (tail) => elementAt(common, tail).newIndex < newIndex);
    predecessors[index] = tails[length - 1];
    tails[length] = index;
  }
  const sequence: CommonPart[] = [];
  for (let index = tails.at(-1); index !== undefined; index = predecessors[index]) {
    sequence.push(elementAt(common, index));
  }
  return sequence.reverse();
}
