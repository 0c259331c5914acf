import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openDatabase } from "../storage/database.ts";
import { derivedTables, migrate } from "../storage/migrations.ts";
import { openVectorSet, type VectorSet } from "./vector-set.ts";
import {
  openVectorStore,
  type VectorModel,
  type VectorStore,
  vectorTables,
} from "./vector-store.ts";

const model: VectorModel = { id: "small", weights: "abc", dimensions: 4 };

test("[search.vectors.kept] a vector is stored unchanged and found by its text", () => {
  const store = openStore();
  // It starts in the middle of a larger buffer.
  const vector = Float32Array.from([9, 9, 9, 0.1, -0.2, 0.3, 0.4]).subarray(3);
  store.saveVectors(new Map([["lamp", vector]]));

  expect(store.findVector("lamp")).toEqual(Float32Array.from(vector));
  expect(store.findVector("tower")).toBeUndefined();
  expect([...store.idsOf(["tower", "lamp"]).keys()]).toEqual(["lamp"]);
  expect(store.count()).toBe(1);
});

test("[search.vectors.once] a vector is stored once per text", () => {
  const store = openStore();
  store.saveVectors(vectors(["a", 1], ["b", 2]));
  const before = store.idsOf(["a", "b"]);
  store.saveVectors(vectors(["b", 3], ["c", 4]));

  expect(store.count()).toBe(3);
  expect(store.findVector("b")).toEqual(vectorAt(2));
  expect(store.idsOf(["a", "b"])).toEqual(before);
  expect(loaded(store).size).toBe(3);
});

test("[search.vectors.models] another model, other weights or other dimensions form a separate set", () => {
  const db = openTables();
  const one = openVectorStore(db, "search", model);
  const others = [
    { ...model, id: "large" },
    { ...model, weights: "abd" },
    { ...model, dimensions: 3 },
  ].map((other) => openVectorStore(db, "search", other));
  one.saveVectors(vectors(["a", 1], ["b", 2]));
  others[0]?.saveVectors(vectors(["a", 3]));
  const id = one.idsOf(["a"]).get("a") ?? 0;

  expect(one.findVector("a")).toEqual(vectorAt(1));
  expect(others[0]?.findVector("a")).toEqual(vectorAt(3));
  expect(others.map((other) => other.count())).toEqual([1, 0, 0]);
  for (const other of others) {
    expect(other.loadVectors([id])).toEqual([undefined]);
    expect(other.findVector("b")).toBeUndefined();
  }
  expect(others[0] && loaded(others[0]).size).toBe(1);

  one.retainOnly(new Set(one.idsOf(["a", "b"]).values()));
  expect(others.map((other) => other.count())).toEqual([0, 0, 0]);
  expect(one.count()).toBe(2);
  // A process still using a dropped model creates it again.
  others[0]?.saveVectors(vectors(["z", 5]));
  expect(others[0]?.findVector("z")).toEqual(vectorAt(5));
  expect(others[0] && loaded(others[0]).size).toBe(1);
});

test("an invalid vector is refused before any of its batch is stored", () => {
  const store = openStore();
  const refused = [floats(1, 2, 3), floats(1, 2, 3, Number.NaN), floats(0, 0, 0, 0)];
  for (const vector of refused) {
    expect(() =>
      store.saveVectors(
        new Map([
          ["good", vectorAt(1)],
          ["bad", vector],
        ]),
      ),
    ).toThrow(/^A vector /);
  }

  expect(store.count()).toBe(0);
});

test("a loaded set answers with the store's vectors", () => {
  const store = openStore();
  const hashes = Array.from({ length: 1_000 }, (_, place) => `chunk ${place}`);
  for (let at = 0; at < hashes.length; at += 300) {
    const part = hashes.slice(at, at + 300);
    store.saveVectors(vectors(...part.map((hash, place) => [hash, at + place] as const)));
  }
  const set = loaded(store);
  const ids = store.idsOf(hashes);

  expect(set.size).toBe(1_000);
  for (const place of [0, 255, 256, 299, 300, 511, 999]) {
    const [nearest] = set.nearest(vectorAt(place), 1);
    expect(nearest).toEqual({ id: ids.get(`chunk ${place}`), similarity: 1 });
  }
});

test("vectors that others add are loaded alone, and those they remove are not found", () => {
  const folder = temporaryFolder();
  const ours = openVectorStore(openTables(join(folder, "store")), "search", model);
  ours.saveVectors(vectors(["a", 1], ["b", 2]));
  const set = openVectorSet({ dimensions: 4, loadVectors: ours.loadVectors });
  const highest = ours.loadInto(set);

  const theirs = openVectorStore(openDatabase(join(folder, "store")), "search", model);
  theirs.saveVectors(vectors(["c", 3]));
  const removed = theirs.idsOf(["a"]).get("a");
  theirs.retainOnly(new Set(theirs.idsOf(["b", "c"]).values()));
  const seen: number[] = [];
  const next = ours.loadInto(
    { ...set, upsertQuantised: ({ ids }) => void seen.push(...ids) },
    highest,
  );

  expect(seen).toEqual([...ours.idsOf(["c"]).values()]);
  expect(next).toBe(seen[0]);
  expect(ours.loadInto(set, next)).toBe(next);
  expect(removed).toBeGreaterThan(0);
  expect(set.nearest(vectorAt(1), 5).map(({ id }) => id)).not.toContain(removed);
});

test("an id is never reused", () => {
  const store = openStore();
  store.saveVectors(vectors(["a", 1]));
  const before = store.idsOf(["a"]).get("a");
  store.retainOnly(new Set());
  store.saveVectors(vectors(["b", 2]));

  expect(store.idsOf(["b"]).get("b")).not.toBe(before);
  expect(store.loadVectors([before ?? 0])).toEqual([undefined]);
});

test("[search.vectors.steady] after any number of changes the in-memory set equals the store", () => {
  const store = openStore();
  const kept = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const hash = (place: number) => `chunk ${(round * 31 + place * 17) % 700}`;
    const added = Array.from({ length: 1 + ((round * 7) % 40) }, (_, place) => hash(place));
    store.saveVectors(vectors(...added.map((name) => [name, Number(name.slice(6))] as const)));
    for (const name of added) kept.add(name);
    const removed = Array.from({ length: (round * 13) % 35 }, (_, place) => hash(place * 3 + 1));
    for (const name of removed) kept.delete(name);
    store.retainOnly(new Set(store.idsOf([...kept]).values()));
    expect(store.count()).toBe(kept.size);
  }
  const set = loaded(store);
  const ids = store.idsOf([...kept]);

  expect(set.size).toBe(kept.size);
  expect(store.count()).toBe(kept.size);
  for (const name of kept) {
    const [nearest] = set.nearest(vectorAt(Number(name.slice(6))), 1);
    expect(nearest).toEqual({ id: ids.get(name), similarity: 1 });
  }
});

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-vectors-"));
  folders.push(folder);
  return folder;
}

function openTables(path = ":memory:") {
  const db = openDatabase(path);
  migrate(db, [{ owner: "search", tables: derivedTables(1, vectorTables("search")) }]);
  return db;
}

const openStore = (): VectorStore => openVectorStore(openTables(), "search", model);

function loaded(store: VectorStore): VectorSet {
  const set = openVectorSet({ dimensions: 4, loadVectors: store.loadVectors });
  store.loadInto(set);
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
