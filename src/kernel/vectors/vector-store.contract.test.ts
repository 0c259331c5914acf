import { expect, test } from "vitest";
import { describeEveryStore } from "../../../tests/fixtures/stores/every-store.ts";
import type { Store } from "../storage/store.ts";
import { readStoredDimensions } from "./known-dimensions.ts";
import type { QuantisedVectors } from "./quantisation.ts";
import type { VectorModel } from "./vector-model.ts";
import { openVectorSet } from "./vector-set.ts";
import { openVectorStore, vectorTables } from "./vector-store.ts";

const model: VectorModel = { id: "small", weights: "abc", dimensions: 4 };

describeEveryStore(vectorTables("search"), (openStore, dialect) => {
  const open = async () => storeOf(await openStore(), model);
  /** Each statement takes longer in PostgreSQL. */
  const rounds = dialect === "sqlite" ? 200 : 60;

  test("[search.vectors.kept] a vector is stored unchanged and found by its text", async () => {
    const store = await open();
    // It starts in the middle of a larger buffer.
    const vector = Float32Array.from([9, 9, 9, 0.1, -0.2, 0.3, 0.4]).subarray(3);
    await store.saveVectors(new Map([["lamp", vector]]));

    expect(await store.findVector("lamp")).toEqual(Float32Array.from(vector));
    expect(await store.findVector("tower")).toBeUndefined();
    expect([...(await store.idsOf(["tower", "lamp"])).keys()]).toEqual(["lamp"]);
    expect(await store.count()).toBe(1);
  });

  test("[search.vectors.once] a vector is stored once per text", async () => {
    const store = await open();
    await store.saveVectors(vectors(["a", 1], ["b", 2]));
    const before = await store.idsOf(["a", "b"]);
    await store.saveVectors(vectors(["b", 3], ["c", 4]));

    expect(await store.count()).toBe(3);
    expect(await store.findVector("b")).toEqual(vectorAt(2));
    expect(await store.idsOf(["a", "b"])).toEqual(before);
    expect((await loaded(store)).size()).toBe(3);
  });

  test("[search.vectors.models] another model, other weights or other dimensions form a separate set", async () => {
    const home = await openStore();
    const one = storeOf(home, model);
    const others = [
      { ...model, id: "large" },
      { ...model, weights: "abd" },
      { ...model, dimensions: 3 },
    ].map((other) => storeOf(home, other));
    await one.saveVectors(vectors(["a", 1], ["b", 2]));
    await others[0]?.saveVectors(vectors(["a", 3]));
    const id = (await one.idsOf(["a"])).get("a") ?? 0;

    expect(await one.findVector("a")).toEqual(vectorAt(1));
    expect(await others[0]?.findVector("a")).toEqual(vectorAt(3));
    expect(await Promise.all(others.map((other) => other.count()))).toEqual([1, 0, 0]);
    for (const other of others) {
      expect(await other.loadVectors([id])).toEqual([undefined]);
      expect(await other.findVector("b")).toBeUndefined();
    }
    expect(others[0] && (await loaded(others[0])).size()).toBe(1);

    await one.retainOnly(new Set((await one.idsOf(["a", "b"])).values()));
    expect(await Promise.all(others.map((other) => other.count()))).toEqual([0, 0, 0]);
    expect(await one.count()).toBe(2);
    // A process still using a dropped model creates it again.
    await others[0]?.saveVectors(vectors(["z", 5]));
    expect(await others[0]?.findVector("z")).toEqual(vectorAt(5));
    expect(others[0] && (await loaded(others[0])).size()).toBe(1);
  });

  test("an invalid vector is refused before any of its batch is stored", async () => {
    const store = await open();
    const refused = [floats(1, 2, 3), floats(1, 2, 3, Number.NaN), floats(0, 0, 0, 0)];
    for (const vector of refused) {
      await expect(
        store.saveVectors(
          new Map([
            ["good", vectorAt(1)],
            ["bad", vector],
          ]),
        ),
      ).rejects.toThrow(/^A vector /);
    }

    expect(await store.count()).toBe(0);
  });

  test("a loaded set answers with the store's vectors", async () => {
    const store = await open();
    const hashes = Array.from({ length: 1_000 }, (_, place) => `chunk ${place}`);
    for (let at = 0; at < hashes.length; at += 300) {
      const part = hashes.slice(at, at + 300);
      await store.saveVectors(vectors(...part.map((hash, place) => [hash, at + place] as const)));
    }
    const set = await loaded(store);
    const ids = await store.idsOf(hashes);

    expect(set.size()).toBe(1_000);
    for (const place of [0, 255, 256, 299, 300, 511, 999]) {
      const [nearest] = await set.nearest(vectorAt(place), 1);
      expect(nearest).toEqual({ id: ids.get(`chunk ${place}`), similarity: 1 });
    }
  });

  test("vectors that others add are loaded alone, and those they remove are not found", async () => {
    const home = await openStore();
    const [ours, theirs] = [storeOf(home, model), storeOf(home, model)];
    await ours.saveVectors(vectors(["a", 1], ["b", 2]));
    const set = ours.openSet();
    const highest = await ours.loadInto(set);

    await theirs.saveVectors(vectors(["c", 3]));
    const removed = (await theirs.idsOf(["a"])).get("a");
    await theirs.retainOnly(new Set((await theirs.idsOf(["b", "c"])).values()));
    const seen: number[] = [];
    const next = await ours.loadInto(
      { upsertQuantised: ({ ids }) => void seen.push(...ids) },
      highest,
    );

    expect(seen).toEqual([...(await ours.idsOf(["c"])).values()]);
    expect(next).toBe(seen[0]);
    expect(await ours.loadInto(set, next)).toBe(next);
    expect(removed).toBeGreaterThan(0);
    expect((await set.nearest(vectorAt(1), 5)).map(({ id }) => id)).not.toContain(removed);
  });

  test("an id is never reused", async () => {
    const store = await open();
    await store.saveVectors(vectors(["a", 1]));
    const before = (await store.idsOf(["a"])).get("a");
    await store.retainOnly(new Set());
    await store.saveVectors(vectors(["b", 2]));

    expect(await (await store.idsOf(["b"])).get("b")).not.toBe(before);
    expect(await store.loadVectors([before ?? 0])).toEqual([undefined]);
  });

  test("[search.vectors.steady] after any number of changes the in-memory set equals the store", async () => {
    const store = await open();
    const kept = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const hash = (place: number) => `chunk ${(round * 31 + place * 17) % 700}`;
      const added = Array.from({ length: 1 + ((round * 7) % 40) }, (_, place) => hash(place));
      await store.saveVectors(
        vectors(...added.map((name) => [name, Number(name.slice(6))] as const)),
      );
      for (const name of added) kept.add(name);
      const removed = Array.from({ length: (round * 13) % 35 }, (_, place) => hash(place * 3 + 1));
      for (const name of removed) kept.delete(name);
      await store.retainOnly(new Set((await store.idsOf([...kept])).values()));
      expect(await store.count()).toBe(kept.size);
    }
    const set = await loaded(store);
    const ids = await store.idsOf([...kept]);

    expect(set.size()).toBe(kept.size);
    expect(await store.count()).toBe(kept.size);
    for (const name of kept) {
      const [nearest] = await set.nearest(vectorAt(Number(name.slice(6))), 1);
      expect(nearest).toEqual({ id: ids.get(name), similarity: 1 });
    }
  });

  test("the dimensions of a model are those of its latest vectors", async () => {
    const home = await openStore();
    for (const other of [model, { ...model, dimensions: 3 }, { ...model, weights: "abd" }]) {
      const vector = new Float32Array(other.dimensions).fill(1);
      await storeOf(home, other).saveVectors(new Map([["a", vector]]));
    }
    const storedDimensions = await home.run(readStoredDimensions("search"));

    expect(storedDimensions(model)).toBe(3);
    expect(storedDimensions({ id: "small", weights: "abd" })).toBe(4);
    expect(storedDimensions({ id: "large", weights: "abc" })).toBeUndefined();
  });
});

type TestVectors = ReturnType<typeof storeOf>;

/** The stored vectors of a model, with results instead of steps. */
function storeOf(home: Store, model: VectorModel) {
  const store = openVectorStore("search", model);
  return {
    saveVectors: async (added: ReadonlyMap<string, Float32Array>) =>
      await home.run(store.saveVectors(added)),
    findVector: async (hash: string) => await home.run(store.findVector(hash)),
    idsOf: async (hashes: readonly string[]) => await home.run(store.idsOf(hashes)),
    loadVectors: async (ids: readonly number[]) => await home.run(store.loadVectors(ids)),
    loadInto: async (set: { upsertQuantised(added: QuantisedVectors): void }, after?: number) =>
      await home.run(store.loadInto(set, after)),
    retainOnly: async (ids: ReadonlySet<number>) => await home.run(store.retainOnly(ids)),
    count: async () => await home.run(store.count()),
    openSet() {
      const set = openVectorSet({ dimensions: 4, loadVectors: store.loadVectors });
      return {
        upsertQuantised: set.upsertQuantised,
        size: () => set.size,
        nearest: async (query: Float32Array, count: number) =>
          await home.run(set.nearest(query, count)),
      };
    },
  };
}

async function loaded(store: TestVectors) {
  const set = store.openSet();
  await store.loadInto(set);
  return set;
}

const floats = (...values: number[]): Float32Array => Float32Array.from(values);

/** Each number has its own direction, well separated from the others. */
const vectorAt = (number: number): Float32Array =>
  floats(
    Math.cos(number),
    Math.sin(number),
    Math.cos(number * 1.7 + 1),
    Math.sin(number * 0.37 + 2),
  );

const vectors = (...entries: (readonly [hash: string, number: number])[]) =>
  new Map(entries.map(([hash, number]) => [hash, vectorAt(number)]));
