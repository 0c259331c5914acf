import { distance } from "fastest-levenshtein";
import { elementAt } from "../arrays/element-at.ts";
import { int32At } from "../arrays/typed-element-at.ts";

/**
 * The names closest to `wanted` by Levenshtein distance, closest first, for "did you mean" hints.
 * Names that differ by more than half of their length are left out.
 */
export function similarNames(wanted: string, names: readonly string[], count = 3): string[] {
  const target = wanted.slice(0, maxComparedLength).toLowerCase();
  const minEdits = createMinEdits(target);
  /** Closest first. */
  const closest: { name: string; edits: number }[] = [];
  for (const name of names) {
    const maxEdits = Math.min(
      Math.max(name.length, target.length) / 2,
      closest.length < count ? Number.POSITIVE_INFINITY : elementAt(closest, count - 1).edits,
    );
    const lower = name.toLowerCase();
    // Computing the distance is slow, and most names are too different.
    if (Math.abs(lower.length - target.length) > maxEdits || minEdits(lower) > maxEdits) continue;
    const edits = distance(target, lower);
    if (edits > maxEdits || closest.some((other) => other.name === name)) continue;
    let at = closest.length;
    while (at > 0 && comesBefore({ name, edits }, elementAt(closest, at - 1))) at--;
    closest.splice(at, 0, { name, edits });
    if (closest.length > count) closest.pop();
  }
  return closest.map(({ name }) => name);
}

/** Longer input is cut: comparing takes time proportional to the product of both lengths. */
const maxComparedLength = 1_000;

type Compared = { name: string; edits: number };

const comesBefore = (a: Compared, b: Compared): boolean =>
  a.edits < b.edits || (a.edits === b.edits && a.name < b.name);

/** A power of two. Characters that share a counter only make the lower bound lower. */
const counters = 128;

/**
 * A lower bound of the edit distance to `target`, which is fast to compute: each edit adds, removes
 * or replaces one character, so characters that only one of both has need an edit.
 */
function createMinEdits(target: string): (name: string) => number {
  const available = new Int32Array(counters);
  const add = (text: string, place: number, change: number): void => {
    const counter = text.charCodeAt(place) % counters;
    available[counter] = int32At(available, counter) + change;
  };
  for (let place = 0; place < target.length; place++) add(target, place, 1);
  return (name) => {
    let shared = 0;
    for (let place = 0; place < name.length; place++) {
      if (int32At(available, name.charCodeAt(place) % counters) > 0) shared++;
      add(name, place, -1);
    }
    for (let place = 0; place < name.length; place++) add(name, place, 1);
    return Math.max(name.length, target.length) - shared;
  };
}
