import { distance } from "fastest-levenshtein";

/**
 * The names most like `wanted`, nearest first. A name is only worth showing when less than
 * half of it would have to change.
 */
export function nearest(wanted: string, names: readonly string[], count = 3): string[] {
  const target = wanted.toLowerCase();
  return names
    .map((name) => ({ name, edits: distance(target, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(name.length, target.length) / 2)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}
