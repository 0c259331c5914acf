import { afterEach, describe, expect, test, vi } from "vitest";
import { randomNumbers } from "../../../tests/fixtures/random-numbers.ts";
import { openDatabase } from "../storage/database.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { direct, type Steps } from "../storage/steps.ts";
import { type ByteMatrix, blockSize } from "./byte-matrix.ts";
import { createScalarMatrix } from "./scalar-matrix.ts";
import { createSimdMatrix } from "./simd-matrix.ts";
import { type Neighbour, openVectorSet, type VectorSet } from "./vector-set.ts";

const kinds: [name: string, rows: (width: number) => ByteMatrix | undefined][] = [
  ["eight at a time", createSimdMatrix],
  ["one by one", createScalarMatrix],
];

describe.each(kinds)("vectors that are multiplied %s", (_name, createMatrix) => {
  /** A set, and all vectors added to it. */
  function filled(dimensions: number, vectors: Iterable<[number, Float32Array]>) {
    const kept = new Map<number, Float32Array>();
    const set = openVectorSet({
      dimensions,
      loadVectors: (ids) => direct(() => ids.map((id) => kept.get(id))),
      createMatrix,
    });
    const put = (id: number, vector: Float32Array) => {
      set.upsert(id, vector);
      kept.set(id, vector);
    };
    for (const [id, vector] of vectors) put(id, vector);
    return { set, kept, put };
  }

  test("the nearest are returned first, with exact cosines", () => {
    const { set } = filled(3, [
      [5, floats(1, 0, 0)],
      [7, floats(3, 4, 0)],
      [9, floats(0, -2, 0)],
    ]);

    expect(run(set.nearest(floats(2, 0, 0), 10))).toEqual([
      { id: 5, similarity: 1 },
      { id: 7, similarity: 0.6 },
      { id: 9, similarity: 0 },
    ]);
    expect(run(set.nearest(floats(0, 1, 0), 2))).toEqual([
      { id: 7, similarity: 0.8 },
      { id: 5, similarity: 0 },
    ]);
  });

  test("an empty set has no neighbors, and a single vector is nearest to everything", () => {
    const { set, put } = filled(4, []);
    expect(run(set.nearest(floats(1, 2, 3, 4), 5))).toEqual([]);

    put(1, floats(1, 0, 0, 0));
    expect(run(set.nearest(floats(-1, 0, 0, 0), 5))).toEqual([{ id: 1, similarity: -1 }]);
    expect(run(set.nearest(floats(1, 0, 0, 0), 0))).toEqual([]);
  });

  test("ties are ordered by id", () => {
    const same = randomVector(randomNumbers(1), 20);
    const ids = Array.from({ length: 500 }, (_, place) => (place * 7919) % 500);
    const { set } = filled(
      20,
      ids.map((id) => [id, same]),
    );

    expect(run(set.nearest(same, 5))).toEqual([0, 1, 2, 3, 4].map((id) => ({ id, similarity: 1 })));
  });

  test("[search.vectors.filter] filtered-out vectors do not take places in the result", () => {
    const random = randomNumbers(2);
    const vectors = Array.from({ length: 3_000 }, () => randomVector(random, 32));
    const { set, kept } = filled(32, vectors.entries());
    const query = randomVector(random, 32);
    const isIncluded = (id: number) => id % 100 === 3;

    const found = run(set.nearest(query, 10, { isIncluded }));

    expect(found).toEqual(naive(kept, query, 10, isIncluded));
    expect(found).toHaveLength(10);
    expect(run(set.nearest(query, 10, { isIncluded: () => false }))).toEqual([]);
  });

  test("removed vectors are not found, and replacements are", () => {
    const { set, kept, put } = filled(2, [
      [1, floats(1, 0)],
      [2, floats(0, 1)],
      [3, floats(1, 1)],
    ]);

    expect(set.remove(1)).toBe(true);
    expect(set.remove(1)).toBe(false);
    kept.delete(1);
    put(2, floats(1, 0));

    expect(set.size).toBe(2);
    expect(run(set.nearest(floats(1, 0), 5)).map(({ id }) => id)).toEqual([2, 3]);
  });

  test("vectors removed from the store by others do not displace any", () => {
    const random = randomNumbers(3);
    const query = randomVector(random, 16);
    const { set, kept } = filled(16, Array(400).fill(query).entries());
    set.upsert(1_000, randomVector(random, 16));
    kept.clear();
    kept.set(1_000, randomVector(random, 16));

    expect(run(set.nearest(query, 10)).map(({ id }) => id)).toEqual([1_000]);
    expect(set.size).toBe(1);
  });

  test("ten thousand writes, removals and queries give the same as a plain list", () => {
    const random = randomNumbers(4);
    const dimensions = 24;
    // Few vectors with many ids, so that some are equal.
    const pool = Array.from({ length: 300 }, () => randomVector(random, dimensions));
    const { set, kept, put } = filled(dimensions, []);
    for (let step = 0; step < 10_000; step++) {
      const id = Math.floor(random() * 900);
      const vector = pool[Math.floor(random() * pool.length)] ?? floats();
      const kind = random();
      if (kind < 0.5) put(id, vector);
      else if (kind < 0.8) expect(set.remove(id)).toBe(kept.delete(id));
      else {
        const isIncluded = kind < 0.9 ? (other: number) => other % 3 === id % 3 : () => true;
        expect(run(set.nearest(vector, 8, { isIncluded }))).toEqual(
          naive(kept, vector, 8, isIncluded),
        );
      }
      expect(set.size).toBe(kept.size);
    }
  });

  test("[search.vectors.recall] recall of the ten nearest neighbors is at least 99%", () => {
    const random = randomNumbers(5);
    const clusters = Array.from({ length: 100 }, () => randomVector(random, 384));
    const around = (center: Float32Array) => {
      const noise = randomVector(random, 384);
      return unit(center.map((value, index) => value + 0.7 * (noise[index] ?? 0)));
    };
    const vectors = Array.from({ length: 6_000 }, (_, place) =>
      around(clusters[place % clusters.length] ?? floats()),
    );
    const { set, kept } = filled(384, vectors.entries());
    let found = 0;
    for (const cluster of clusters.slice(0, 40)) {
      const query = around(cluster);
      const exact = new Map(naive(kept, query, 10).map(({ id, similarity }) => [id, similarity]));
      for (const { id, similarity } of run(set.nearest(query, 10))) {
        if (!exact.has(id)) continue;
        found++;
        expect(similarity).toBe(exact.get(id));
      }
    }

    expect(found / 400).toBeGreaterThanOrEqual(0.99);
  });

  test("sums do not overflow, for any number and size of dimensions", () => {
    const dimensions = 4_096;
    const ones = new Float32Array(dimensions).fill(1);
    const others = Array.from({ length: 60 }, (_, place) =>
      ones.map((_, index) => (index < dimensions / 2 + place ? 1 : -1)),
    );
    const { set } = filled(dimensions, [ones, ...others].entries());

    expect(run(set.nearest(ones, 1))).toEqual([{ id: 0, similarity: 1 }]);
    const opposite = ones.map((value) => -value);
    expect(run(set.nearest(opposite, 1))[0]?.id).toBe(1);
  });

  test("values near the int8 limits are as accurate as others", () => {
    const { set } = filled(2, [
      [1, floats(1e38, 1e38)],
      [2, floats(1e-44, 0)],
      [3, floats(0, -1e-30)],
    ]);

    expect(run(set.nearest(floats(1e-40, 0), 3)).map(({ id }) => id)).toEqual([2, 1, 3]);
  });

  test("an invalid vector is refused, and the set stays unchanged", () => {
    const { set } = filled(3, [[1, floats(1, 2, 3)]]);
    const refused: [vector: Float32Array, words: string][] = [
      [floats(1, 2), "A vector of this set has 3 numbers, not 2."],
      [floats(1, 2, 3, 4), "A vector of this set has 3 numbers, not 4."],
      [floats(1, Number.NaN, 3), "A vector must contain finite numbers only."],
      [floats(1, Number.NEGATIVE_INFINITY, 3), "A vector must contain finite numbers only."],
      [floats(0, 0, 0), "A vector must not be zero."],
    ];
    for (const [vector, words] of refused) {
      expect(() => set.upsert(2, vector)).toThrow(words);
      expect(() => run(set.nearest(vector, 1))).toThrow(words);
    }
    expect(() => set.upsert(1.5, floats(1, 2, 3))).toThrow("must be an integer");
    expect(() => run(set.nearest(floats(1, 2, 3), -1))).toThrow("non-negative integer");

    expect(run(set.nearest(floats(1, 2, 3), 9))).toEqual([{ id: 1, similarity: 1 }]);
  });
});

test("[search.vectors.machines] dot products are the same on every machine", () => {
  const random = randomNumbers(6);
  for (const width of [16, 48, 384, 1_024]) {
    const sets = [createSimdMatrix(width), createScalarMatrix(width)];
    const count = blockSize + 300;
    for (const rows of sets) rows?.reserve(count);
    for (let place = 0; place < count; place++) {
      const bytes = Int8Array.from({ length: width }, () => Math.floor(random() * 255) - 127);
      for (const rows of sets) rows?.write(place, place === 7 ? bytes.fill(-127) : bytes);
    }
    const most = Math.min(0x7fff, Math.floor(0x7fffffff / 127 / width));
    for (const query of [
      new Int16Array(width).fill(most),
      Int16Array.from({ length: width }, () => Math.floor((random() * 2 - 1) * most)),
    ]) {
      for (const [first, many] of [
        [0, blockSize],
        [blockSize, 300],
        [17, 1],
      ] as const) {
        const [ours, plain] = sets.map((rows) =>
          rows?.dotProducts(query, first, many).slice(0, many),
        );
        expect(ours).toBeDefined();
        expect(ours).toEqual(plain);
      }
    }
  }
});

describe("a machine without vector instructions", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test("finds the same neighbors", () => {
    const random = randomNumbers(7);
    const vectors = Array.from({ length: 2_500 }, () => randomVector(random, 40));
    const query = randomVector(random, 40);
    const open = (): VectorSet => {
      const set = openVectorSet({
        dimensions: 40,
        loadVectors: (ids) => direct(() => ids.map((id) => vectors[id])),
      });
      for (const [id, vector] of vectors.entries()) set.upsert(id, vector);
      return set;
    };
    const withThem = open();
    vi.stubGlobal("WebAssembly", { validate: () => false });

    expect(createSimdMatrix(48)).toBeUndefined();
    expect(run(open().nearest(query, 100))).toEqual(run(withThem.nearest(query, 100)));
  });
});

const store = openDatabase(":memory:");
const run = <Result>(steps: Steps<Result>): Result => runSteps(store, steps);

/** The expected answer of a set, by a full scan. */
function naive(
  vectors: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  count: number,
  isWanted: (id: number) => boolean = () => true,
): Neighbour[] {
  const product = (one: Float32Array, other: Float32Array) => {
    let sum = 0;
    for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
    return sum;
  };
  return [...vectors]
    .filter(([id]) => isWanted(id))
    .map(([id, vector]) => {
      const lengths = Math.sqrt(product(query, query) * product(vector, vector));
      const similarity = product(query, vector) / lengths;
      return { id, similarity: Math.max(-1, Math.min(1, similarity)) };
    })
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, count);
}

const floats = (...values: number[]): Float32Array => Float32Array.from(values);

/** Uniformly distributed directions. */
const randomVector = (random: () => number, dimensions: number): Float32Array =>
  unit(
    Float32Array.from({ length: dimensions }, () => {
      return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    }),
  );

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
