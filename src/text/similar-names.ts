import { distance } from "fastest-levenshtein";

/**
 * The names most like `wanted`, nearest first. A name is only worth showing when less than
 * half of it would have to change.
 */
export function nearest(wanted: string, names: readonly string[], count = 3): string[] {
  return compared(wanted, names)
    .filter(({ name, edits }) => edits <= Math.max(name.length, wanted.length) / 2)
    .slice(0, count)
    .map(({ name }) => name);
}

/** The same, however far they are. */
export const leastFar = (wanted: string, names: readonly string[], count = 3): string[] =>
  compared(wanted, names)
    .slice(0, count)
    .map(({ name }) => name);

/** Longer than any name; to compare a whole book with each of them would take minutes. */
const longest = 1_000;

function compared(wanted: string, names: readonly string[]) {
  const target = wanted.slice(0, longest).toLowerCase();
  return names
    .map((name) => ({ name, edits: distance(target, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1));
}
