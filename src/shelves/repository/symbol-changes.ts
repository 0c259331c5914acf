import { distance } from "fastest-levenshtein";
import { groupedBy } from "../../text/grouped.ts";
import {
  compact,
  keyOf,
  ownerNameOf,
  type PlacedSymbol,
  sameSignature,
  stepsOf,
} from "./symbols/symbol.ts";

/** What became of a symbol. One that only moved to another file has not changed. */
export type SymbolChange =
  | { change: "removed"; before: PlacedSymbol }
  | { change: "renamed" | "signature"; before: PlacedSymbol; after: PlacedSymbol };

/**
 * What changed between two looks at a repository, in the order of the former. What happened to a
 * class as a whole is told once, and not again for each of its members.
 */
export function changesBetween(
  before: readonly PlacedSymbol[],
  now: readonly PlacedSymbol[],
): SymbolChange[] {
  const pairs = new Map<PlacedSymbol, PlacedSymbol>();
  const left = { old: [...before], fresh: [...now] };
  const settle = (pair: readonly [PlacedSymbol, PlacedSymbol][]) => {
    for (const [old, fresh] of pair) pairs.set(old, fresh);
    const [taken, given] = [new Set(pair.map(([old]) => old)), new Set(pair.map(([, one]) => one))];
    left.old = left.old.filter((one) => !taken.has(one));
    left.fresh = left.fresh.filter((one) => !given.has(one));
  };
  settle(pairedBy(left.old, left.fresh, keyOf));
  settle(
    pairedBy(
      left.old,
      left.fresh,
      ({ name, kind, signature }) => `${name}\0${kind}\0${compact(signature)}`,
    ),
  );
  settle(pairedBy(left.old, left.fresh, ({ name, kind }) => `${name}\0${kind}`));
  settle(renamedAmong(left.old, left.fresh));
  settle(movedAlong(left.old, left.fresh, pairs));

  const gone = new Set(left.old.map(keyOf));
  return before.flatMap((old): SymbolChange[] => {
    const owner = ownerOf(old);
    const after = pairs.get(old);
    if (!after) return owner && gone.has(owner) ? [] : [{ change: "removed", before: old }];
    if (stepsOf(old.name).at(-1) !== stepsOf(after.name).at(-1)) {
      return [{ change: "renamed", before: old, after }];
    }
    const isSame = old.kind === after.kind && sameSignature(shown(old), shown(after));
    return isSame ? [] : [{ change: "signature", before: old, after }];
  });
}

/** Those that have one key, in their order. */
function pairedBy(
  old: readonly PlacedSymbol[],
  fresh: readonly PlacedSymbol[],
  keyOf: (symbol: PlacedSymbol) => string,
): [PlacedSymbol, PlacedSymbol][] {
  const waiting = groupedBy(fresh, keyOf);
  return old.flatMap((one): [PlacedSymbol, PlacedSymbol][] => {
    const other = waiting.get(keyOf(one))?.shift();
    return other ? [[one, other]] : [];
  });
}

/** So many pairs are compared at most; where half a library was replaced, nothing was renamed. */
const mostCompared = 2_000_000;

/**
 * A renamed symbol says the same as before but for its name. Where only the signatures are alike,
 * it must stand in the same file under a similar name, and have most of its members still.
 */
function renamedAmong(
  old: readonly PlacedSymbol[],
  fresh: readonly PlacedSymbol[],
): [PlacedSymbol, PlacedSymbol][] {
  const candidates: { pair: [PlacedSymbol, PlacedSymbol]; likeness: number }[] = [];
  const byKind = groupedBy(fresh, ({ kind }) => kind);
  const members = { old: groupedBy(old, ownerOf), fresh: groupedBy(fresh, ownerOf) };
  if (old.length * fresh.length > mostCompared) return [];
  for (const one of old) {
    for (const other of byKind.get(one.kind) ?? []) {
      if (ownerOf(one) !== ownerOf(other) && ownerOf(one) !== undefined) continue;
      const isSameText = one.body !== "" && one.body === other.body;
      if (!isSameText && one.file !== other.file) continue;
      const alike = similarity(lastOf(one), lastOf(other));
      if (isSameText) candidates.push({ pair: [one, other], likeness: 2 + alike });
      else if (alike >= 0.6 && unnamed(one) === unnamed(other)) {
        const had = members.old.get(keyOf(one)) ?? [];
        const has = new Set(members.fresh.get(keyOf(other))?.map(lastOf));
        const kept = had.filter((member) => has.has(lastOf(member)));
        if (kept.length * 2 >= had.length) candidates.push({ pair: [one, other], likeness: alike });
      }
    }
  }
  candidates.sort((a, b) => b.likeness - a.likeness);
  const taken = new Set<PlacedSymbol>();
  return candidates.flatMap(({ pair }): [PlacedSymbol, PlacedSymbol][] => {
    if (pair.some((one) => taken.has(one))) return [];
    for (const one of pair) taken.add(one);
    return [pair];
  });
}

/** Members follow what they belong to under its new name. */
function movedAlong(
  old: readonly PlacedSymbol[],
  fresh: readonly PlacedSymbol[],
  pairs: ReadonlyMap<PlacedSymbol, PlacedSymbol>,
): [PlacedSymbol, PlacedSymbol][] {
  const newOwner = new Map<string, string>();
  for (const [one, other] of pairs) {
    newOwner.set(keyOf(one), keyOf(other));
  }
  return pairedBy(old, fresh, (symbol) => {
    const owner = ownerOf(symbol) ?? "";
    return `${newOwner.get(owner) ?? owner}\0${lastOf(symbol)}`;
  });
}

const lastOf = ({ name }: PlacedSymbol): string => stepsOf(name).at(-1) ?? name;

/** The key of what a symbol belongs to. */
function ownerOf({ file, name: own }: PlacedSymbol): string | undefined {
  const name = ownerNameOf(own);
  return name === "" ? undefined : keyOf({ file, name });
}

/** A signature without the names around it, which a renamed class changes in its constructors. */
const shown = ({ signature, name }: PlacedSymbol): string => {
  const owner = stepsOf(name).at(-2);
  return owner === undefined ? signature : signature.replaceAll(owner, "_");
};

const unnamed = (symbol: PlacedSymbol): string =>
  compact(symbol.signature.replaceAll(lastOf(symbol), "_"));

/** From 0 to 1. */
const similarity = (one: string, other: string): number =>
  1 - distance(one.toLowerCase(), other.toLowerCase()) / Math.max(one.length, other.length, 1);
