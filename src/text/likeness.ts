/**
 * How alike two texts are, from 0 to 1: the share of pairs of neighbouring letters that both have.
 * Words that stand elsewhere cost little, and other words much.
 */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  const pairs = pairsOf(one);
  const total = pairs.count + pairsOf(other).count;
  if (total === 0) return 0;
  let shared = 0;
  for (const [pair, times] of pairsOf(other).times) {
    shared += Math.min(times, pairs.times.get(pair) ?? 0);
  }
  return (2 * shared) / total;
}

function pairsOf(text: string): { times: Map<string, number>; count: number } {
  const times = new Map<string, number>();
  for (let place = 0; place + 1 < text.length; place++) {
    const pair = text.slice(place, place + 2);
    times.set(pair, (times.get(pair) ?? 0) + 1);
  }
  return { times, count: Math.max(text.length - 1, 0) };
}
