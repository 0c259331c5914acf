import { countBelow } from "./ascending.ts";

/** A part that stands once in each of two lists, by its place in both. */
interface Common {
  old: number;
  fresh: number;
}

/**
 * Parts that stand exactly once in both lists and in the same order: the landmarks between which two
 * texts are compared, so that many changes far apart are many small comparisons.
 */
export function landmarks(old: readonly string[], fresh: readonly string[]): Common[] {
  const places = oncePlaces(fresh);
  const common = [...oncePlaces(old)].flatMap(([part, place]) => {
    const other = places.get(part);
    return other === undefined ? [] : [{ old: place, fresh: other }];
  });
  return longestRise(common);
}

function oncePlaces(parts: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const often = new Set<string>();
  for (const [place, part] of parts.entries()) {
    if (places.has(part)) often.add(part);
    else places.set(part, place);
  }
  for (const part of often) places.delete(part);
  return places;
}

/** The longest row of them that rises in both lists; they are given in the order of the first. */
function longestRise(common: readonly Common[]): Common[] {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, { fresh }] of common.entries()) {
    const place = countBelow(ends, (end) => (common[end]?.fresh ?? 0) < fresh);
    before[index] = ends[place - 1];
    ends[place] = index;
  }
  const rise: Common[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    const one = common[at];
    if (one) rise.push(one);
  }
  return rise.reverse();
}
