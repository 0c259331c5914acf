import { invalid } from "../failure.ts";
import { eachIsOne, keepBest, type Tally } from "./best.ts";
import { plainRows } from "./plain-rows.ts";
import { type Quantised, quantise, quantiseQuery } from "./quantised.ts";
import { block, type Rows } from "./rows.ts";
import { simdRows } from "./simd-rows.ts";

/** Vectors by id, and those of them that point the same way as a query. */
export interface VectorSet {
  /** How many it holds. */
  readonly size: number;
  readonly dimensions: number;
  /** Adds a vector, or puts it in the place of the one with the same id. */
  set(id: number, vector: Float32Array): void;
  /** The same for many that were made smaller before. */
  setQuantised(vectors: Quantised): void;
  /** Whether there was one. */
  remove(id: number): boolean;
  /** The nearest that make so many results, nearest first, equal ones by id. */
  nearest(query: Float32Array, count: number, wanted?: Wanted): Neighbour[];
}

/** What is not wanted takes nobody's place. */
interface Wanted {
  /** Asked only of vectors that are near enough. All are wanted where it is absent. */
  isWanted?(id: number): boolean;
  /** One vector is one result where it is absent. */
  tally?: Tally;
}

export interface Neighbour {
  id: number;
  /** The cosine, from -1 to 1, of the vectors as they were given. */
  similarity: number;
}

export interface VectorSetOptions {
  dimensions: number;
  /** The vectors of these ids as they were given, in this order; undefined where one is gone. */
  exact(ids: readonly number[]): readonly (Float32Array | undefined)[];
  /** Where the bytes are kept and multiplied: if not said, eight at a time where the machine can. */
  rows?: ((width: number) => Rows | undefined) | undefined;
}

/**
 * Holds each vector as bytes, which are a quarter of it and read in a quarter of the time. A look
 * at all of them finds those that may be among the nearest; only these are fetched whole and
 * compared exactly.
 */
export function openVectorSet(options: VectorSetOptions): VectorSet {
  const { dimensions, exact } = options;
  // The scan takes sixteen at a time; what is added to a row is zero and changes nothing.
  const width = Math.ceil(dimensions / 16) * 16;
  const rows = options.rows?.(width) ?? simdRows(width) ?? plainRows(width);
  let scales = new Float32Array(0);
  const ids: number[] = [];
  const places = new Map<number, number>();

  return {
    get size() {
      return ids.length;
    },
    dimensions,
    set(id, vector) {
      if (!Number.isSafeInteger(id)) throw invalid("The id of a vector must be a whole number.");
      const { scales, rows } = quantise([vector], dimensions);
      put({ ids: Float64Array.of(id), scales, rows });
    },
    setQuantised: put,
    remove,
    nearest(query, count, wanted = {}) {
      if (!Number.isSafeInteger(count) || count < 0) {
        throw invalid("The number of neighbours must be a whole number from 0 on.");
      }
      const asked = quantiseQuery(query, dimensions, width);
      if (count === 0) return [];
      for (let most = Math.max(leastCandidates, count * 2); ; most *= 4) {
        const near = candidates(asked, most, wanted);
        const vectors = exact(near);
        const gone = near.filter((_, place) => vectors[place] === undefined);
        if (gone.length === 0) return best(compared(query, near, vectors), count, wanted.tally);
        // Another process may have removed them, and many more. They must not keep others out.
        for (const id of gone) remove(id);
      }
    },
  };

  function put(vectors: Quantised): void {
    makeRoom(ids.length + vectors.ids.length);
    for (const [index, id] of vectors.ids.entries()) {
      const place = places.get(id) ?? ids.length;
      const start = index * dimensions;
      rows.write(place, vectors.rows.subarray(start, start + dimensions));
      scales[place] = vectors.scales[index] ?? 0;
      ids[place] = id;
      places.set(id, place);
    }
  }

  function makeRoom(count: number): void {
    rows.reserve(count);
    if (count <= scales.length) return;
    const more = new Float32Array(Math.ceil(count * 1.25));
    more.set(scales);
    scales = more;
  }

  /** The last one moves into the gap, so that there never is one. */
  function remove(id: number): boolean {
    const place = places.get(id);
    if (place === undefined) return false;
    const last = ids.length - 1;
    const moved = ids[last] ?? id;
    rows.move(last, place);
    scales[place] = scales[last] ?? 0;
    ids[place] = moved;
    places.set(moved, place);
    places.delete(id);
    ids.pop();
    return true;
  }

  function candidates(asked: Int16Array, most: number, wanted: Wanted): number[] {
    const best = keepBest(most, wanted.tally ?? eachIsOne);
    let floor = Number.NEGATIVE_INFINITY;
    for (let first = 0; first < ids.length; first += block) {
      const count = Math.min(block, ids.length - first);
      const products = rows.products(asked, first, count);
      for (let place = 0; place < count; place++) {
        const score = (products[place] ?? 0) * (scales[first + place] ?? 0);
        if (score < floor) continue;
        const id = ids[first + place] ?? 0;
        if (!wanted.isWanted || wanted.isWanted(id)) floor = best.offer(score, id);
      }
    }
    return best.ids();
  }
}

/** Bytes tell the order of what is nearly as near a little wrong, so more than asked are compared. */
const leastCandidates = 40;

function compared(
  query: Float32Array,
  ids: readonly number[],
  vectors: readonly (Float32Array | undefined)[],
): Neighbour[] {
  return ids
    .flatMap((id, place) => {
      const vector = vectors[place];
      return vector ? [{ id, similarity: cosine(query, vector) }] : [];
    })
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id);
}

/** The first of the sorted that make so many results; the last of them may make more. */
function best(sorted: readonly Neighbour[], count: number, tally = eachIsOne): Neighbour[] {
  const results = tally();
  let made = 0;
  return sorted.filter(({ id }) => {
    if (made >= count) return false;
    const more = results(id);
    made += more;
    return more > 0;
  });
}

function cosine(one: Float32Array, other: Float32Array): number {
  let product = 0;
  let squares = 0;
  let otherSquares = 0;
  for (let index = 0; index < one.length; index++) {
    const a = one[index] ?? 0;
    const b = other[index] ?? 0;
    product += a * b;
    squares += a * a;
    otherSquares += b * b;
  }
  // One root of both, and not two: a vector then has exactly 1 with itself.
  return Math.min(1, Math.max(-1, product / Math.sqrt(squares * otherSquares)));
}
