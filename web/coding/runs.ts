/** A stretch of the text that something lies over, in the units of the shown part. */
export interface Stretch {
  start: number;
  end: number;
}

export interface Run<Over extends Stretch> extends Stretch {
  /** Everything that lies over it from its first to its last character. */
  over: readonly Over[];
}

/**
 * Cuts a text wherever something begins or ends, so that stretches which overlap need not nest.
 *
 *     over    ---aaaaaa---
 *             -----bbbbbb-
 *     runs    |  |a|ab|b||
 */
export function runsOf<Over extends Stretch>(
  length: number,
  stretches: readonly Over[],
): Run<Over>[] {
  const ordered = stretches
    .filter(({ start, end }) => start < end && start < length && end > 0)
    .sort((a, b) => a.start - b.start);
  const borders = ordered.flatMap(({ start, end }) => [Math.max(start, 0), Math.min(end, length)]);
  const cuts = [...new Set([0, ...borders, length])].sort((a, b) => a - b);
  let open: Over[] = [];
  let next = 0;
  return cuts.slice(0, -1).map((start, at) => {
    for (let one = ordered[next]; one && one.start <= start; one = ordered[++next]) open.push(one);
    open = open.filter(({ end }) => end > start);
    return { start, end: cuts[at + 1] ?? length, over: [...open] };
  });
}

/** Gives each stretch a lane of its own as long as it runs; a lane that has ended is used again. */
export function lanesOf<Over extends Stretch>(stretches: readonly Over[]): Map<Over, number> {
  const ends: number[] = [];
  const lanes = new Map<Over, number>();
  for (const one of [...stretches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const free = ends.findIndex((end) => end <= one.start);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = one.end;
    lanes.set(one, lane);
  }
  return lanes;
}
