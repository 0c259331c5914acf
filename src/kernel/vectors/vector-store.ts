import type { Database } from "../storage/database.ts";
import { filterVectors, quantise } from "./quantisation.ts";
import { openQuantisedPages, type QuantisedPages, quantisedPageTables } from "./quantised-pages.ts";
import type { VectorSet } from "./vector-set.ts";

/** The identity of an embedding model. Only vectors of the same model can be compared. */
export interface VectorModel {
  id: string;
  /** The hash of its weights. */
  weights: string;
  dimensions: number;
}

/** The stored vectors of one model. Vectors of other models are not visible. */
export interface VectorStore {
  /** Stores vectors by the hash of the embedded text. A known hash keeps its vector and id. */
  saveVectors(vectors: ReadonlyMap<string, Float32Array>): void;
  findVector(hash: string): Float32Array | undefined;
  /** The ids of the vectors of these hashes. Hashes without a vector are omitted. */
  idsOf(hashes: readonly string[]): Map<string, number>;
  /** The vectors of these ids in the same order; undefined if one was removed. */
  loadVectors(ids: readonly number[]): (Float32Array | undefined)[];
  /** Adds all vectors with ids above `after` to a set. Returns the highest id. */
  loadInto(set: VectorSet, after?: number): number;
  /** Deletes all other vectors of this model, and all vectors of other models. */
  retainOnly(ids: ReadonlySet<number>): void;
  count(): number;
}

/**
 * Each model has a row, which its vectors reference. Ids are never reused, so the id of a removed
 * vector in another process's set never leads to a different vector.
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
  ${quantisedPageTables(shelf)}`;

export function openVectorStore(db: Database, shelf: string, model: VectorModel): VectorStore {
  const { id: name, weights, dimensions } = model;
  const table = `${shelf}_vectors`;

  return {
    saveVectors(vectors) {
      // Throws on an invalid vector before anything is written.
      const { scales, rows } = quantise([...vectors.values()], dimensions);
      db.transaction(() => {
        const model = modelRowId() || insertModel();
        const ids = Float64Array.from(vectors, ([hash, vector]) => insert(model, hash, vector));
        openPages(model).append(filterVectors({ ids, scales, rows }, (id) => id !== alreadyStored));
      });
    },
    findVector(hash) {
      const row = db.get<{ vector: Uint8Array }>(
        `SELECT vector FROM ${table} WHERE model = ? AND chunk_hash = ?`,
        modelRowId(),
        hash,
      );
      return row && toFloat32Array(row.vector);
    },
    idsOf(hashes) {
      const rows = db.all<{ hash: string; id: number }>(
        `SELECT chunk_hash AS hash, id FROM ${table}
          WHERE model = ? AND chunk_hash IN (SELECT value FROM json_each(?))`,
        modelRowId(),
        JSON.stringify(hashes),
      );
      return new Map(rows.map(({ hash, id }) => [hash, id]));
    },
    loadVectors(ids) {
      // The unary plus keeps SQLite from using the index on `model`, and so reading all its vectors.
      const rows = db.all<{ id: number; vector: Uint8Array }>(
        `SELECT id, vector FROM ${table}
          WHERE +model = ? AND id IN (SELECT value FROM json_each(?))`,
        modelRowId(),
        JSON.stringify(ids),
      );
      const found = new Map(rows.map(({ id, vector }) => [id, toFloat32Array(vector)]));
      return ids.map((id) => found.get(id));
    },
    loadInto: (set, after = 0) =>
      db.snapshot(() => {
        let highest = after;
        for (const vectors of openPages(modelRowId()).pagesAfter(after)) {
          set.upsertQuantised(vectors);
          highest = vectors.ids.at(-1) ?? highest;
        }
        return highest;
      }),
    retainOnly: (ids) =>
      db.transaction(() => {
        const model = modelRowId();
        db.run(`DELETE FROM ${shelf}_vector_models WHERE id <> ?`, model);
        db.run(
          `DELETE FROM ${table} WHERE id NOT IN (SELECT value FROM json_each(?))`,
          JSON.stringify([...ids]),
        );
        openPages(model).retainOnly(ids);
      }),
    count: () =>
      db.get<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE model = ?`,
        modelRowId(),
      )?.count ?? 0,
  };

  /** The row of the model, or 0. Not cached, because another process may delete the model. */
  function modelRowId(): number {
    const row = db.get<{ id: number }>(
      `SELECT id FROM ${shelf}_vector_models WHERE model = ? AND weights = ? AND dimensions = ?`,
      name,
      weights,
      dimensions,
    );
    return row?.id ?? 0;
  }

  function insertModel(): number {
    return db.run(
      `INSERT INTO ${shelf}_vector_models (model, weights, dimensions) VALUES (?, ?, ?)`,
      name,
      weights,
      dimensions,
    ).lastId;
  }

  function openPages(model: number): QuantisedPages {
    return openQuantisedPages(db, shelf, model, dimensions);
  }

  /** The id of the new vector, or `alreadyStored`. */
  function insert(model: number, hash: string, vector: Float32Array): number {
    const row = db.get<{ id: number }>(
      `INSERT INTO ${table} (model, chunk_hash, vector) VALUES (?, ?, ?)
       ON CONFLICT DO NOTHING RETURNING id`,
      model,
      hash,
      new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    );
    return row?.id ?? alreadyStored;
  }
}

const alreadyStored = 0;

/** Copies the blob, because a Float32Array must be 4-byte aligned. */
const toFloat32Array = (blob: Uint8Array): Float32Array =>
  new Float32Array(new Uint8Array(blob).buffer);
