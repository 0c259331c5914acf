import { distance } from "fastest-levenshtein";
import { groupBy } from "../../../text/arrays/group-by.ts";
import {
  type LocatedSymbol,
  normalizeCode,
  ownerName,
  sameSignature,
  splitName,
  symbolKey,
} from "../symbols/code-symbol.ts";

/** The change of a symbol. Moving to another file is not a change. */
export type SymbolChange =
  | { change: "removed"; before: LocatedSymbol }
  | { change: "renamed" | "signature"; before: LocatedSymbol; after: LocatedSymbol };

/**
 * Compares two scans of a repository; changes are in the order of the old one. The removal of a
 * class is reported once and not for each member. Symbols are paired in passes of decreasing
 * certainty, each on what the previous passes left.
 */
export function diffSymbols(
  before: readonly LocatedSymbol[],
  now: readonly LocatedSymbol[],
): SymbolChange[] {
  const pairs = new Map<LocatedSymbol, LocatedSymbol>();
  const left = { old: [...before], current: [...now] };
  const addPairs = (pair: readonly [LocatedSymbol, LocatedSymbol][]) => {
    for (const [old, current] of pair) pairs.set(old, current);
    const pairedOld = new Set(pair.map(([old]) => old));
    const pairedNew = new Set(pair.map(([, current]) => current));
    left.old = left.old.filter((symbol) => !pairedOld.has(symbol));
    left.current = left.current.filter((symbol) => !pairedNew.has(symbol));
  };
  addPairs(pairedBy(left.old, left.current, symbolKey));
  addPairs(
    pairedBy(
      left.old,
      left.current,
      ({ name, kind, signature }) => `${name}\0${kind}\0${normalizeCode(signature)}`,
    ),
  );
  addPairs(pairedBy(left.old, left.current, ({ name, kind }) => `${name}\0${kind}`));
  addPairs(findRenames(left.old, left.current));
  addPairs(pairByOwner(left.old, left.current, pairs));

  const removedKeys = new Set(left.old.map(symbolKey));
  return before.flatMap((old): SymbolChange[] => {
    const owner = ownerKey(old);
    const after = pairs.get(old);
    if (!after) return owner && removedKeys.has(owner) ? [] : [{ change: "removed", before: old }];
    if (splitName(old.name).at(-1) !== splitName(after.name).at(-1)) {
      return [{ change: "renamed", before: old, after }];
    }
    const isSame =
      old.kind === after.kind &&
      sameSignature(signatureWithoutOwner(old), signatureWithoutOwner(after));
    return isSame ? [] : [{ change: "signature", before: old, after }];
  });
}

/** Pairs symbols with equal keys in order. */
function pairedBy(
  old: readonly LocatedSymbol[],
  current: readonly LocatedSymbol[],
  keyOf: (symbol: LocatedSymbol) => string,
): [LocatedSymbol, LocatedSymbol][] {
  const unpaired = groupBy(current, keyOf);
  return old.flatMap((one): [LocatedSymbol, LocatedSymbol][] => {
    const other = unpaired.get(keyOf(one))?.shift();
    return other ? [[one, other]] : [];
  });
}

/** Above this the search is skipped: after such a large replacement there are no renames. */
const maxComparedPairs = 2_000_000;

/**
 * A renamed symbol has the same body as before. If only the signatures are similar, it must also be
 * in the same file under a similar name and still have most of its members.
 */
function findRenames(
  old: readonly LocatedSymbol[],
  current: readonly LocatedSymbol[],
): [LocatedSymbol, LocatedSymbol][] {
  const candidates: { pair: [LocatedSymbol, LocatedSymbol]; likeness: number }[] = [];
  const byKind = groupBy(current, ({ kind }) => kind);
  const members = { old: groupBy(old, ownerKey), current: groupBy(current, ownerKey) };
  if (old.length * current.length > maxComparedPairs) return [];
  for (const one of old) {
    for (const other of byKind.get(one.kind) ?? []) {
      if (ownerKey(one) !== ownerKey(other) && ownerKey(one) !== undefined) continue;
      const isSameText = one.body !== "" && one.body === other.body;
      if (!isSameText && one.file !== other.file) continue;
      const nameSimilarity = similarity(unqualifiedName(one), unqualifiedName(other));
      if (isSameText) candidates.push({ pair: [one, other], likeness: 2 + nameSimilarity });
      else if (nameSimilarity >= 0.6 && signatureWithoutName(one) === signatureWithoutName(other)) {
        const oldMembers = members.old.get(symbolKey(one)) ?? [];
        const newMemberNames = new Set(members.current.get(symbolKey(other))?.map(unqualifiedName));
        const commonMembers = oldMembers.filter((member) =>
          newMemberNames.has(unqualifiedName(member)),
        );
        if (commonMembers.length * 2 >= oldMembers.length)
          candidates.push({ pair: [one, other], likeness: nameSimilarity });
      }
    }
  }
  candidates.sort((a, b) => b.likeness - a.likeness);
  const pairedSymbols = new Set<LocatedSymbol>();
  return candidates.flatMap(({ pair }): [LocatedSymbol, LocatedSymbol][] => {
    if (pair.some((one) => pairedSymbols.has(one))) return [];
    for (const one of pair) pairedSymbols.add(one);
    return [pair];
  });
}

/** Pairs members through the new names of their owners. */
function pairByOwner(
  old: readonly LocatedSymbol[],
  current: readonly LocatedSymbol[],
  pairs: ReadonlyMap<LocatedSymbol, LocatedSymbol>,
): [LocatedSymbol, LocatedSymbol][] {
  const newOwner = new Map<string, string>();
  for (const [one, other] of pairs) {
    newOwner.set(symbolKey(one), symbolKey(other));
  }
  return pairedBy(old, current, (symbol) => {
    const owner = ownerKey(symbol) ?? "";
    return `${newOwner.get(owner) ?? owner}\0${unqualifiedName(symbol)}`;
  });
}

const unqualifiedName = ({ name }: LocatedSymbol): string => splitName(name).at(-1) ?? name;

/** The key of a symbol's owner. */
function ownerKey({ file, name: own }: LocatedSymbol): string | undefined {
  const name = ownerName(own);
  return name === "" ? undefined : symbolKey({ file, name });
}

/** The signature without its owner's name, which constructors repeat. */
const signatureWithoutOwner = ({ signature, name }: LocatedSymbol): string => {
  const owner = splitName(name).at(-2);
  return owner === undefined ? signature : signature.replaceAll(owner, "_");
};

const signatureWithoutName = (symbol: LocatedSymbol): string =>
  normalizeCode(symbol.signature.replaceAll(unqualifiedName(symbol), "_"));

/** From 0 to 1. */
const similarity = (one: string, other: string): number =>
  1 - distance(one.toLowerCase(), other.toLowerCase()) / Math.max(one.length, other.length, 1);
