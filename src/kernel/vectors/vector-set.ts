import { float32At, int32At, numberAt } from "../../text/arrays/typed-element-at.ts";
import { invalid } from "../failure.ts";
import type { Steps } from "../storage/steps.ts";
import { type ByteMatrix, blockSize } from "./byte-matrix.ts";
import { type QuantisedVectors, quantise, quantiseQuery } from "./quantisation.ts";
import { createScalarMatrix } from "./scalar-matrix.ts";
import { createSimdMatrix } from "./simd-matrix.ts";
import { countEachOnce, createTopK, type ResultCounter } from "./top-k.ts";

/** Vectors by id, searched by cosine similarity. */
export interface VectorSet {
  readonly size: number;
  readonly dimensions: number;
  /** Adds a vector, or replaces the one with the same id. */
  upsert(id: number, vector: Float32Array): void;
  /** The same for many quantised vectors. */
  upsertQuantised(vectors: QuantisedVectors): void;
  /** Returns whether the vector existed. */
  remove(id: number): boolean;
  /** The nearest vectors that yield `count` results, nearest first, equal ones by id. */
  nearest(query: Float32Array, count: number, nearestOptions?: NearestOptions): Steps<Neighbour[]>;
}

interface NearestOptions {
  /** Filters vectors before they count as results. Called only for vectors near the query. */
  isIncluded?(id: number): boolean;
  /** Default: each vector is one result. */
  counter?: ResultCounter;
}

export interface Neighbour {
  id: number;
  /** The cosine of the original vectors, from -1 to 1. */
  similarity: number;
}

export interface VectorSetOptions {
  dimensions: number;
  /** The original vectors of these ids in the same order; undefined if one was removed. */
  loadVectors(ids: readonly number[]): Steps<readonly (Float32Array | undefined)[]>;
  /** Default: the SIMD matrix if the machine supports it, otherwise the scalar one. */
  createMatrix?: ((width: number) => ByteMatrix | undefined) | undefined;
}

/**
 * Holds quantised vectors, which take a quarter of the memory and of the scan time. A full scan
 * selects candidates; only these are loaded with full precision and ranked exactly.
 */
export function openVectorSet(options: VectorSetOptions): VectorSet {
  const { dimensions, loadVectors } = options;
  // The scan processes 16 components at a time. Padding with zeros does not change the products.
  const width = Math.ceil(dimensions / 16) * 16;
  const rows =
    options.createMatrix?.(width) ?? createSimdMatrix(width) ?? createScalarMatrix(width);
  let scales = new Float32Array(0);
  const ids: number[] = [];
  const rowsById = new Map<number, number>();

  return {
    get size() {
      return ids.length;
    },
    dimensions,
    upsert(id, vector) {
      if (!Number.isSafeInteger(id)) throw invalid("The id of a vector must be an integer.");
      const { scales, rows } = quantise([vector], dimensions);
      upsertAll({ ids: Float64Array.of(id), scales, rows });
    },
    upsertQuantised: upsertAll,
    remove,
    *nearest(query, count, nearestOptions = {}) {
      if (!Number.isSafeInteger(count) || count < 0) {
        throw invalid("The number of neighbours must be a non-negative integer.");
      }
      const quantisedQuery = quantiseQuery(query, dimensions, width);
      if (count === 0) return [];
      for (let candidateCount = Math.max(minCandidates, count * 2); ; candidateCount *= 4) {
        const near = approximateNearest(quantisedQuery, candidateCount, nearestOptions);
        const vectors = yield* loadVectors(near);
        const removed = near.filter((_, index) => vectors[index] === undefined);
        if (removed.length === 0)
          return takeResults(rankExactly(query, near, vectors), count, nearestOptions.counter);
        // Another process may have removed them, and many more: search again without them.
        for (const id of removed) remove(id);
      }
    },
  };

  function upsertAll(vectors: QuantisedVectors): void {
    ensureCapacity(ids.length + vectors.ids.length);
    for (const [index, id] of vectors.ids.entries()) {
      const row = rowsById.get(id) ?? ids.length;
      const start = index * dimensions;
      rows.write(row, vectors.rows.subarray(start, start + dimensions));
      scales[row] = float32At(vectors.scales, index);
      ids[row] = id;
      rowsById.set(id, row);
    }
  }

  function ensureCapacity(count: number): void {
    rows.reserve(count);
    if (count <= scales.length) return;
    const larger = new Float32Array(Math.ceil(count * 1.25));
    larger.set(scales);
    scales = larger;
  }

  /** Moves the last row into the gap. */
  function remove(id: number): boolean {
    const row = rowsById.get(id);
    if (row === undefined) return false;
    const lastRow = ids.length - 1;
    const lastId = numberAt(ids, lastRow);
    rows.move(lastRow, row);
    scales[row] = float32At(scales, lastRow);
    ids[row] = lastId;
    rowsById.set(lastId, row);
    rowsById.delete(id);
    ids.pop();
    return true;
  }

  function approximateNearest(
    quantisedQuery: Int16Array,
    limit: number,
    nearestOptions: NearestOptions,
  ): number[] {
    const best = createTopK(limit, nearestOptions.counter ?? countEachOnce);
    let minScore = Number.NEGATIVE_INFINITY;
    for (let first = 0; first < ids.length; first += blockSize) {
      const count = Math.min(blockSize, ids.length - first);
      const products = rows.dotProducts(quantisedQuery, first, count);
      for (let index = 0; index < count; index++) {
        const score = int32At(products, index) * float32At(scales, first + index);
        if (score < minScore) continue;
        const id = numberAt(ids, first + index);
        if (!nearestOptions.isIncluded || nearestOptions.isIncluded(id))
          minScore = best.offer(score, id);
      }
    }
    return best.ids();
  }
}

/** Quantisation may swap near neighbours, so more candidates are ranked exactly than are needed. */
const minCandidates = 40;

function rankExactly(
  query: Float32Array,
  ids: readonly number[],
  vectors: readonly (Float32Array | undefined)[],
): Neighbour[] {
  return ids
    .flatMap((id, index) => {
      const vector = vectors[index];
      return vector ? [{ id, similarity: cosine(query, vector) }] : [];
    })
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id);
}

/** The first neighbours that yield `count` results; the last one may yield more. */
function takeResults(
  sorted: readonly Neighbour[],
  count: number,
  startCount = countEachOnce,
): Neighbour[] {
  const countResults = startCount();
  let results = 0;
  return sorted.filter(({ id }) => {
    if (results >= count) return false;
    const added = countResults(id);
    results += added;
    return added > 0;
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let index = 0; index < a.length; index++) {
    const componentA = float32At(a, index);
    const componentB = float32At(b, index);
    product += componentA * componentB;
    squaresA += componentA * componentA;
    squaresB += componentB * componentB;
  }
  // One square root instead of two, so that the cosine of a vector with itself is exactly 1.
  return Math.min(1, Math.max(-1, product / Math.sqrt(squaresA * squaresB)));
}
