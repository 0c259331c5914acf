import { distance } from "fastest-levenshtein";

/**
 * The names closest to `wanted` by Levenshtein distance, closest first, for "did you mean" hints.
 * Names that differ by more than half of their length are left out.
 */
export function similarNames(wanted: string, names: readonly string[], count = 3): string[] {
  const compared = distances(wanted, names).filter(
    ({ edits, longerLength }) => edits <= longerLength / 2,
  );
  return takeClosest(compared, count);
}

/** Longer input is cut: comparing takes time proportional to the product of both lengths. */
const maxComparedLength = 1_000;

function distances(wanted: string, names: readonly string[]) {
  const target = wanted.slice(0, maxComparedLength).toLowerCase();
  return names.map((name) => ({
    name,
    edits: distance(target, name.toLowerCase()),
    longerLength: Math.max(name.length, target.length),
  }));
}

const takeClosest = (compared: ReturnType<typeof distances>, count: number): string[] =>
  compared
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
