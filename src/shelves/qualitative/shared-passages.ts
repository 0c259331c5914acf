/** A stretch of a source, and how often each code marks exactly that. */
export interface CodedPlace {
  start: number;
  end: number;
  /** Times by code. */
  codes: ReadonlyMap<number, number>;
}

/** How many passages two codes share, by the one and then by the other, and the other way round. */
export type SharedPassages = Map<number, Map<number, number>>;

/**
 * Counts passages that codes have in common: of two that overlap, at least half of what both cover
 * together is covered by each of them. A passage counts once for each code that it is shared with,
 * so a pair of codes has those of the one and those of the other. Each source is a list of places in
 * the order of their starts.
 */
export function sharedPassages(sources: Iterable<readonly CodedPlace[]>): SharedPassages {
  const shared: SharedPassages = new Map();
  for (const places of sources) {
    const near = new Map(places.map((place) => [place, new Set(place.codes.keys())]));
    meetClose(places, (one, other) => {
      for (const code of other.codes.keys()) near.get(one)?.add(code);
      for (const code of one.codes.keys()) near.get(other)?.add(code);
    });
    for (const [{ codes }, others] of near) {
      for (const [code, times] of codes) {
        for (const other of others) {
          if (other === code) continue;
          count(shared, code, other, times);
          count(shared, other, code, times);
        }
      }
    }
  }
  return shared;
}

function count(shared: SharedPassages, one: number, other: number, times: number): void {
  const counts = shared.get(one) ?? new Map<number, number>();
  shared.set(one, counts);
  counts.set(other, (counts.get(other) ?? 0) + times);
}

/**
 * Two places that cover half of each other are at most twice as long as one another, and begin at
 * most half a length apart. So each place, in the order of their starts, is only compared with those
 * of about its length which began a little before.
 */
export function meetClose(
  places: readonly CodedPlace[],
  meet: (one: CodedPlace, other: CodedPlace) => void,
): void {
  const byLength = new Map<number, { places: CodedPlace[]; first: number }>();
  for (const place of places) {
    const power = Math.floor(Math.log2(place.end - place.start));
    for (const near of [power - 1, power, power + 1]) {
      const group = byLength.get(near);
      if (!group) continue;
      const reach = 2 ** near;
      while (isBehind(group.places[group.first], place, reach)) group.first++;
      for (let at = group.first; at < group.places.length; at++) {
        const other = group.places[at];
        if (other && isClose(other, place)) meet(other, place);
      }
    }
    const own = byLength.get(power) ?? { places: [], first: 0 };
    byLength.set(power, own);
    own.places.push(place);
  }
}

const isBehind = (earlier: CodedPlace | undefined, place: CodedPlace, reach: number): boolean =>
  earlier !== undefined && earlier.start + reach < place.start;

function isClose(one: CodedPlace, other: CodedPlace): boolean {
  const common = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  const together = Math.max(one.end, other.end) - Math.min(one.start, other.start);
  return common > 0 && 2 * common >= together;
}
