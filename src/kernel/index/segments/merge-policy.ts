/** This many segments of one size are merged into one, so a reader sees a few dozen at most. */
const mergeFactor = 16;

/**
 * Tiered merge policy: at least `mergeFactor` of the newest segments, of about the same size or
 * smaller, none of which holds more postings than the others together. So each copy of a posting
 * lands in a segment of at least twice the size, and small changes to a large collection do not
 * copy it over and over. For the smallest size class only the number of segments counts. All
 * segments are merged when a third of their passages is removed.
 */
export function segmentsToMerge<Sized extends { postings: number }>(
  segments: readonly Sized[],
  shareRemoved: number,
): readonly Sized[] {
  if (shareRemoved > 1 / 3) return segments;
  const tierOf = ({ postings }: Sized) => Math.max(0, Math.floor(Math.log2(postings / 1_000) / 3));
  const highestTier = Math.max(0, ...segments.map(tierOf));
  for (let tier = 0; tier <= highestTier; tier++) {
    const lastLarger = segments.findLastIndex((segment) => tierOf(segment) > tier);
    const newest = segments.slice(lastLarger + 1);
    if (newest.length >= mergeFactor && (tier === 0 || !isDominatedByOne(newest))) return newest;
  }
  return [];
}

/** Whether one segment holds more postings than all others together. */
function isDominatedByOne(segments: readonly { postings: number }[]): boolean {
  const sizes = segments.map(({ postings }) => postings);
  return Math.max(...sizes) * 2 > sizes.reduce((sum, size) => sum + size, 0);
}
