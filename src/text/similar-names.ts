import { distance } from "fastest-levenshtein";

/**
 * The names most like `wanted`, nearest first. A name is only worth showing when less than
 * half of it would have to change.
 */
export function nearest(wanted: string, names: readonly string[], count = 3): string[] {
  const compared = distances(wanted, names).filter(({ edits, longer }) => edits <= longer / 2);
  return firstOf(compared, count);
}

/** The same, however far they are. */
export const leastFar = (wanted: string, names: readonly string[], count = 3): string[] =>
  firstOf(distances(wanted, names), count);

/** Longer than any name; to compare a whole book with each of them would take minutes. */
const longest = 1_000;

function distances(wanted: string, names: readonly string[]) {
  const target = wanted.slice(0, longest).toLowerCase();
  return names.map((name) => ({
    name,
    edits: distance(target, name.toLowerCase()),
    longer: Math.max(name.length, target.length),
  }));
}

const firstOf = (compared: ReturnType<typeof distances>, count: number): string[] =>
  compared
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
