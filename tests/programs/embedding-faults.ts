import type { EmbeddedContent, EmbeddedStore, KeptVectors } from "./embedded-store.ts";

/** Stored vectors are kept, with their ids. */
export function lost(before: KeptVectors, after: KeptVectors): string[] {
  const missing = [...before.vectors].filter(([hash, id]) => after.vectors.get(hash) !== id);
  return missing.length === 0 ? [] : [`${missing.length} vectors that were there are gone`];
}

/** A document reported as finished has as many chunks as in the end. */
export function prematureReports(
  finishedChunks: ReadonlyMap<string, number>,
  end: EmbeddedStore,
): string[] {
  const wrong = [...finishedChunks].filter(([hash, chunks]) => end.finished.get(hash) !== chunks);
  return wrong.length === 0
    ? []
    : [`${wrong.length} documents were reported as finished too early`];
}

/** Equal texts have equal vectors, with or without kills. */
export function differences(killed: EmbeddedContent, fresh: EmbeddedContent): string[] {
  const faults: string[] = [];
  if (!killed.isWhole) faults.push("the store is damaged");
  if (killed.vectors.size !== fresh.vectors.size) {
    faults.push(`there are ${killed.vectors.size} vectors in place of ${fresh.vectors.size}`);
  }
  const wrong = [...killed.vectors].filter(
    ([hash, vector]) => !isSame(vector, fresh.vectors.get(hash)),
  );
  if (wrong.length > 0) faults.push(`${wrong.length} vectors are not those of their texts`);
  const paths = new Set([...killed.chunks.keys(), ...fresh.chunks.keys()]);
  const differing = [...paths].filter(
    (path) => killed.chunks.get(path)?.join() !== fresh.chunks.get(path)?.join(),
  );
  if (differing.length > 0)
    faults.push(`${differing.length} documents have other chunks or vectors`);
  return faults;
}

const isSame = (one: Float32Array, other: Float32Array | undefined): boolean =>
  other?.length === one.length && one.every((value, index) => value === other[index]);
