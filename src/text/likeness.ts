/**
 * How alike two texts are, from 0 to 1: the share of pairs of neighbouring letters that both have.
 * Words that stand elsewhere cost little, and other words much.
 */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  const [pairs, otherPairs] = [pairsOf(one), pairsOf(other)];
  const total = pairs.count + otherPairs.count;
  if (total === 0) return 0;
  let shared = 0;
  for (const [pair, times] of otherPairs.times) {
    shared += Math.min(times, pairs.times.get(pair) ?? 0);
  }
  return (2 * shared) / total;
}

/** How alike the text at a place is to each that comes after it; every text is taken apart once. */
export function likenessAmong(texts: readonly string[]): (place: number) => Float64Array {
  const all = texts.map(pairsOf);
  const holders = new Map<string, { place: number; times: number }[]>();
  for (const [place, { times: counts }] of all.entries()) {
    for (const [pair, times] of counts) {
      const known = holders.get(pair) ?? [];
      holders.set(pair, known);
      known.push({ place, times });
    }
  }
  return (place) => {
    const alike = new Float64Array(texts.length);
    const { times: counts, count } = all[place] ?? pairsOf("");
    for (const [pair, times] of counts) {
      const known = holders.get(pair) ?? [];
      for (let at = known.length - 1; at >= 0; at--) {
        const other = known[at];
        if (!other || other.place <= place) break;
        alike[other.place] = (alike[other.place] ?? 0) + Math.min(times, other.times);
      }
    }
    return alike.map((shared, other) => {
      if (other <= place) return 0;
      const total = count + (all[other]?.count ?? 0);
      return texts[other] === texts[place] ? 1 : (2 * shared) / (total || 1);
    });
  };
}

function pairsOf(text: string): { times: Map<string, number>; count: number } {
  const times = new Map<string, number>();
  for (let place = 0; place + 1 < text.length; place++) {
    const pair = text.slice(place, place + 2);
    times.set(pair, (times.get(pair) ?? 0) + 1);
  }
  return { times, count: Math.max(text.length - 1, 0) };
}
