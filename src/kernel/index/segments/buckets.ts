import { elementAt } from "../../../text/arrays/element-at.ts";
import { maxBuckets } from "../integrity.ts";
import { bucketOf, hashTerm } from "./blocks.ts";
import type { BuiltSegment } from "./segment-builder.ts";

/** As many buckets for this many terms that reading a term reads few others. */
export const bucketsFor = (terms: number, perBlock: number): number =>
  Math.min(2 ** Math.max(0, Math.ceil(Math.log2(terms / perBlock))), maxBuckets);

/** The numbers of the terms of each bucket, for one of several ranges of hashes. */
export function termsByBucket(
  { terms }: Pick<BuiltSegment, "terms">,
  buckets: number,
  range: number,
  ranges: number,
): number[][] {
  const first = (range * buckets) / ranges;
  const blocks: number[][] = Array.from({ length: buckets / ranges }, () => []);
  for (const [number, term] of terms.entries()) {
    elementAt(blocks, bucketOf(hashTerm(term), buckets) - first).push(number);
  }
  return blocks;
}
