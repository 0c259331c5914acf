import type { Database } from "../database.ts";
import { type BytePages, bytePageTables, openBytePages } from "./byte-pages.ts";
import { quantise, selected } from "./quantised.ts";
import type { VectorSet } from "./vector-set.ts";

/** What decides which numbers a text gets. Where any of it differs, vectors cannot be compared. */
export interface VectorModel {
  id: string;
  /** The hash of its weights. */
  weights: string;
  dimensions: number;
}

/** The vectors of one model. Those of another are never seen through it. */
export interface VectorStore {
  /** Keeps vectors by the hash of what was embedded. One that is known keeps its vector and id. */
  saveVectors(vectors: ReadonlyMap<string, Float32Array>): void;
  vectorOf(hash: string): Float32Array | undefined;
  /** Those of the hashes that have a vector, with its id. */
  idsOf(hashes: readonly string[]): Map<string, number>;
  /** The vectors of these ids, in this order; undefined where one is gone. */
  exact(ids: readonly number[]): (Float32Array | undefined)[];
  /** Puts all into a set, or only those after an id, and gives the highest id there is. */
  loadAll(set: VectorSet, after?: number): number;
  /** Removes all others, and what other models left behind. */
  keepOnly(ids: ReadonlySet<number>): void;
  count(): number;
}

/**
 * Each model that was ever used has a row, and each vector names its model. An id is never given
 * twice, so whoever still holds that of a removed vector meets nothing, and nobody else's.
 */
export const vectorTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_vector_models (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    weights TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    UNIQUE (model, weights, dimensions)
  );
  CREATE TABLE ${shelf}_vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model INTEGER NOT NULL REFERENCES ${shelf}_vector_models ON DELETE CASCADE,
    chunk_hash TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (model, chunk_hash)
  );
  ${bytePageTables(shelf)}`;

export function openVectorStore(db: Database, shelf: string, model: VectorModel): VectorStore {
  const { id: name, weights, dimensions } = model;
  const table = `${shelf}_vectors`;

  return {
    saveVectors(vectors) {
      // One that cannot be used is refused before anything is written.
      const { scales, rows } = quantise([...vectors.values()], dimensions);
      db.transaction(() => {
        const model = modelNumber() || addModel();
        const ids = Float64Array.from(vectors, ([hash, vector]) => insert(model, hash, vector));
        pagesOf(model).append(selected({ ids, scales, rows }, (id) => id !== known));
      });
    },
    vectorOf(hash) {
      const row = db.get<{ vector: Uint8Array }>(
        `SELECT vector FROM ${table} WHERE model = ? AND chunk_hash = ?`,
        modelNumber(),
        hash,
      );
      return row && numbersOf(row.vector);
    },
    idsOf(hashes) {
      const rows = db.all<{ hash: string; id: number }>(
        `SELECT chunk_hash AS hash, id FROM ${table}
          WHERE model = ? AND chunk_hash IN (SELECT value FROM json_each(?))`,
        modelNumber(),
        JSON.stringify(hashes),
      );
      return new Map(rows.map(({ hash, id }) => [hash, id]));
    },
    exact(ids) {
      // The plus keeps SQLite from reading all of the model to find a few.
      const rows = db.all<{ id: number; vector: Uint8Array }>(
        `SELECT id, vector FROM ${table}
          WHERE +model = ? AND id IN (SELECT value FROM json_each(?))`,
        modelNumber(),
        JSON.stringify(ids),
      );
      const found = new Map(rows.map(({ id, vector }) => [id, numbersOf(vector)]));
      return ids.map((id) => found.get(id));
    },
    loadAll: (set, after = 0) =>
      db.snapshot(() => {
        let highest = after;
        for (const vectors of pagesOf(modelNumber()).after(after)) {
          set.setQuantised(vectors);
          highest = vectors.ids.at(-1) ?? highest;
        }
        return highest;
      }),
    keepOnly: (ids) =>
      db.transaction(() => {
        const model = modelNumber();
        db.run(`DELETE FROM ${shelf}_vector_models WHERE id <> ?`, model);
        db.run(
          `DELETE FROM ${table} WHERE id NOT IN (SELECT value FROM json_each(?))`,
          JSON.stringify([...ids]),
        );
        pagesOf(model).keepOnly(ids);
      }),
    count: () =>
      db.get<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE model = ?`,
        modelNumber(),
      )?.count ?? 0,
  };

  /** Asked for each time, since another process may have dropped the model. No row has 0. */
  function modelNumber(): number {
    const row = db.get<{ id: number }>(
      `SELECT id FROM ${shelf}_vector_models WHERE model = ? AND weights = ? AND dimensions = ?`,
      name,
      weights,
      dimensions,
    );
    return row?.id ?? 0;
  }

  function addModel(): number {
    return db.run(
      `INSERT INTO ${shelf}_vector_models (model, weights, dimensions) VALUES (?, ?, ?)`,
      name,
      weights,
      dimensions,
    ).lastId;
  }

  function pagesOf(model: number): BytePages {
    return openBytePages(db, shelf, model, dimensions);
  }

  /** Its id, or `known` where there is one already. */
  function insert(model: number, hash: string, vector: Float32Array): number {
    const row = db.get<{ id: number }>(
      `INSERT INTO ${table} (model, chunk_hash, vector) VALUES (?, ?, ?)
       ON CONFLICT DO NOTHING RETURNING id`,
      model,
      hash,
      new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    );
    return row?.id ?? known;
  }
}

const known = 0;

/** A copy, because numbers of four bytes may not begin just anywhere. */
const numbersOf = (blob: Uint8Array): Float32Array => new Float32Array(new Uint8Array(blob).buffer);
