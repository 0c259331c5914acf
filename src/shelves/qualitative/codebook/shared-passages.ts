/** A range of a source, and how many codings have exactly this range, by code. */
export interface CodedSpan {
  start: number;
  end: number;
  /** Number of codings by code id. */
  codes: ReadonlyMap<number, number>;
}

/** The number of passages that two codes share, by the ids of both, in both directions. */
export type SharedPassageCounts = Map<number, Map<number, number>>;

/**
 * Counts the passages that codes share. Two passages are shared if their intersection is at least
 * half of each of them. A passage counts once for each code that it is shared with, so the counts
 * of the two directions of a pair may differ. Each source is a list of ranges ordered by start.
 */
export function countSharedPassages(sources: Iterable<readonly CodedSpan[]>): SharedPassageCounts {
  const shared: SharedPassageCounts = new Map();
  for (const spans of sources) {
    const codesNearby = new Map(spans.map((span) => [span, new Set(span.codes.keys())]));
    forEachClosePair(spans, (first, second) => {
      for (const code of second.codes.keys()) codesNearby.get(first)?.add(code);
      for (const code of first.codes.keys()) codesNearby.get(second)?.add(code);
    });
    for (const [{ codes }, others] of codesNearby) {
      for (const [code, times] of codes) {
        for (const other of others) {
          if (other === code) continue;
          addCount(shared, code, other, times);
          addCount(shared, other, code, times);
        }
      }
    }
  }
  return shared;
}

function addCount(shared: SharedPassageCounts, first: number, second: number, times: number): void {
  const counts = shared.get(first) ?? new Map<number, number>();
  shared.set(first, counts);
  counts.set(second, (counts.get(second) ?? 0) + times);
}

/**
 * Calls back for each pair of ranges that may overlap by half. Of two such ranges, one is at most
 * twice as long as the other and they start at most half a length apart, so each range is compared
 * only with ranges of similar length that start shortly before it.
 */
export function forEachClosePair(
  spans: readonly CodedSpan[],
  onPair: (first: CodedSpan, second: CodedSpan) => void,
): void {
  const byLength = new Map<number, { spans: CodedSpan[]; first: number }>();
  for (const span of spans) {
    const power = Math.floor(Math.log2(span.end - span.start));
    for (const groupPower of [power - 1, power, power + 1]) {
      const group = byLength.get(groupPower);
      if (!group) continue;
      const reach = 2 ** groupPower;
      while (isBehind(group.spans[group.first], span, reach)) group.first++;
      for (let index = group.first; index < group.spans.length; index++) {
        const earlier = group.spans[index];
        if (earlier && isClose(earlier, span)) onPair(earlier, span);
      }
    }
    const own = byLength.get(power) ?? { spans: [], first: 0 };
    byLength.set(power, own);
    own.spans.push(span);
  }
}

const isBehind = (earlier: CodedSpan | undefined, span: CodedSpan, reach: number): boolean =>
  earlier !== undefined && earlier.start + reach < span.start;

function isClose(first: CodedSpan, second: CodedSpan): boolean {
  const intersection = Math.min(first.end, second.end) - Math.max(first.start, second.start);
  const union = Math.max(first.end, second.end) - Math.min(first.start, second.start);
  return intersection > 0 && 2 * intersection >= union;
}
