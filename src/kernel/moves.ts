import { keyOf, type ReadFile, type Row } from "./document-rows.ts";

/** A file whose content is new at its place, and the row of what stood there before. */
export interface Arrival {
  file: ReadFile;
  before: Row | undefined;
}

/**
 * Tells which document each arrival is, by its content: one whose file is gone, or one whose place
 * was taken by another that moved. A place that is simply written anew keeps its document, also
 * where a copy of the old text arrives elsewhere, as it does when an editor keeps a backup.
 *
 * ```
 * gone: a        arrives: b       →  a moved to b
 * swapped: a, b                   →  a moved to b, b moved to a
 * gone: a        arrives: b, c    →  a moved to b, and b, whose place it took, to c
 * edited: a      arrives: a-old   →  nothing moved
 * ```
 */
export function pairMoves(
  arrivals: ReadonlyMap<string, Arrival>,
  gone: ReadonlyMap<string, readonly Row[]>,
): Map<Arrival, Row> {
  const free = new Map([...gone].map(([hash, rows]) => [hash, [...rows]]));
  const displaced = new Map<string, Row[]>();
  for (const { before } of arrivals.values()) {
    if (before) displaced.set(before.hash, [...(displaced.get(before.hash) ?? []), before]);
  }
  const moves = new Map<Arrival, Row>();
  for (const arrival of arrivals.values()) {
    const { file } = arrival;
    const row =
      takeNearest(file, free.get(file.hash)) ?? takeNearest(file, displaced.get(file.hash));
    if (row) moves.set(arrival, row);
  }
  for (let before = -1; before !== moves.size; ) {
    before = moves.size;
    const taken = new Set([...moves.keys()].map(({ file }) => keyOf(file)));
    for (const [arrival, row] of moves) {
      const isFilled = arrivals.has(keyOf(row));
      if (isFilled && !taken.has(keyOf(row))) moves.delete(arrival);
    }
  }
  return moves;
}

/** Among equal contents the file of the same name is meant, and next the one of the same root. */
function takeNearest({ root, path }: ReadFile, rows: Row[] = []): Row | undefined {
  const sameName = rows.findIndex((row) => nameOf(row.path) === nameOf(path));
  const sameRoot = rows.findIndex((row) => row.root === root);
  const index = [sameName, sameRoot, 0].find((place) => place >= 0) ?? 0;
  return rows.splice(index, 1)[0];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The ids of documents that were removed, by their contents. */
export interface Departed {
  remember(row: Pick<Row, "id" | "hash">): void;
  /** The id under which this content was known, given once. */
  recall(hash: string): number | undefined;
}

/** More than anybody moves at once, and little enough to keep. */
const mostDeparted = 10_000;

/**
 * The system may tell of a file's end before it tells of its new name, and the end is believed at
 * once. A content that comes back within living memory gets its id back.
 */
export function rememberDeparted(): Departed {
  const ids = new Map<string, number[]>();
  let count = 0;
  return {
    remember({ id, hash }) {
      const same = ids.get(hash) ?? [];
      same.push(id);
      ids.set(hash, same);
      count++;
      for (const [oldest, known] of ids) {
        if (count <= mostDeparted) break;
        ids.delete(oldest);
        count -= known.length;
      }
    },
    recall(hash) {
      const known = ids.get(hash);
      const id = known?.shift();
      if (known?.length === 0) ids.delete(hash);
      if (id !== undefined) count--;
      return id;
    },
  };
}
