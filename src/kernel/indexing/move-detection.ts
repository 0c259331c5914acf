import { type DocumentRow, documentKey, type FileSnapshot } from "../documents/document-rows.ts";

/** A file whose content is new at its path, and the row that was at this path. */
export interface Arrival {
  file: FileSnapshot;
  before: DocumentRow | undefined;
}

/**
 * Matches arrivals to existing documents by content: those whose file is gone, or whose path was
 * taken by another moved document. A path that is merely rewritten keeps its document, even if a
 * copy of the old text appears elsewhere, as when an editor writes a backup.
 *
 * ```
 * gone: a        arrives: b       →  a moved to b
 * swapped: a, b                   →  a moved to b, b moved to a
 * gone: a        arrives: b, c    →  a moved to b, and the old b to c
 * edited: a      arrives: a-old   →  nothing moved
 * ```
 */
export function detectMoves(
  arrivals: ReadonlyMap<string, Arrival>,
  gone: ReadonlyMap<string, readonly DocumentRow[]>,
): Map<Arrival, DocumentRow> {
  const unclaimed = new Map([...gone].map(([hash, rows]) => [hash, [...rows]]));
  const displaced = new Map<string, DocumentRow[]>();
  for (const { before } of arrivals.values()) {
    if (before) displaced.set(before.hash, [...(displaced.get(before.hash) ?? []), before]);
  }
  const moves = new Map<Arrival, DocumentRow>();
  for (const arrival of arrivals.values()) {
    const { file } = arrival;
    const row =
      takeNearest(file, unclaimed.get(file.hash)) ?? takeNearest(file, displaced.get(file.hash));
    if (row) moves.set(arrival, row);
  }
  for (let before = -1; before !== moves.size; ) {
    before = moves.size;
    const filledPaths = new Set([...moves.keys()].map(({ file }) => documentKey(file)));
    for (const [arrival, row] of moves) {
      const isFilled = arrivals.has(documentKey(row));
      if (isFilled && !filledPaths.has(documentKey(row))) moves.delete(arrival);
    }
  }
  return moves;
}

/** Among rows with equal content, prefers the same file name, then the same root. */
function takeNearest(
  { root, path }: FileSnapshot,
  rows: DocumentRow[] = [],
): DocumentRow | undefined {
  const sameName = rows.findIndex((row) => fileName(row.path) === fileName(path));
  const sameRoot = rows.findIndex((row) => row.root === root);
  const index = sameName >= 0 ? sameName : Math.max(sameRoot, 0);
  return rows.splice(index, 1)[0];
}

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The ids of recently removed documents, by content hash. */
export interface RecentlyRemovedIds {
  remember(row: Pick<DocumentRow, "id" | "hash">): void;
  /** The former id of this content; each id is returned once. */
  take(hash: string): number | undefined;
}

/** More documents than are usually moved at once. */
const maxRemovedIds = 10_000;

/**
 * The system may report the removal of a moved file before its new name, and removals are applied
 * immediately. Content that reappears soon gets its former id back.
 */
export function trackRecentlyRemoved(): RecentlyRemovedIds {
  const ids = new Map<string, number[]>();
  let count = 0;
  return {
    remember({ id, hash }) {
      const sameContent = ids.get(hash) ?? [];
      sameContent.push(id);
      ids.set(hash, sameContent);
      count++;
      for (const [oldest, oldestIds] of ids) {
        if (count <= maxRemovedIds) break;
        ids.delete(oldest);
        count -= oldestIds.length;
      }
    },
    take(hash) {
      const remaining = ids.get(hash);
      const id = remaining?.shift();
      if (remaining?.length === 0) ids.delete(hash);
      if (id !== undefined) count--;
      return id;
    },
  };
}
