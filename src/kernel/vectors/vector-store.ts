import {
  all,
  get,
  inNumbers,
  inTexts,
  run,
  runForEach,
  type Steps,
  transaction,
} from "../storage/steps.ts";
import { quantise, selectVectors } from "./quantisation.ts";
import { openQuantisedPages, quantisedPageTables } from "./quantised-pages.ts";
import { modelRow, type VectorModel } from "./vector-model.ts";
import type { VectorSet } from "./vector-set.ts";

/** The stored vectors of one model. Vectors of other models are not visible. */
export interface VectorStore {
  /** Stores vectors by the hash of the embedded text. A known hash keeps its vector and id. */
  saveVectors(vectors: ReadonlyMap<string, Float32Array>): Steps<void>;
  findVector(hash: string): Steps<Float32Array | undefined>;
  /** The ids of the vectors of these hashes. Hashes without a vector are omitted. */
  idsOf(hashes: readonly string[]): Steps<Map<string, number>>;
  /** The vectors of these ids in the same order; undefined if one was removed. */
  loadVectors(ids: readonly number[]): Steps<(Float32Array | undefined)[]>;
  /** Adds all vectors with ids above `after` to a set. Returns the `after` of the next call. */
  loadInto(set: Pick<VectorSet, "upsertQuantised">, after?: number): Steps<number>;
  /** Deletes all other vectors of this model, and all vectors of other models. */
  retainOnly(ids: ReadonlySet<number>): Steps<void>;
  count(): Steps<number>;
}

/**
 * Each model has a row, which its vectors reference. Ids are never reused, so the id of a removed
 * vector in another process's set never leads to a different vector. They increase with every commit,
 * because writers run one after the other.
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

export function openVectorStore(shelf: string, model: VectorModel): VectorStore {
  const table = `${shelf}_vectors`;
  const { dimensions } = model;
  const ofModel = [model.id, model.weights, dimensions];
  const thisModel = modelRow(shelf);
  const pages = openQuantisedPages(shelf, model);
  const insertVector = insertVectorInto(table);

  return {
    *saveVectors(vectors) {
      // Throws on an invalid vector before anything is written.
      const quantised = quantise([...vectors.values()], dimensions);
      const positions = new Map([...vectors.keys()].map((hash, position) => [hash, position]));
      yield* transaction(function* () {
        const modelId = (yield* modelRowId()) ?? (yield* insertModel());
        const highest = yield* highestId();
        yield* runForEach(
          insertVector,
          [...vectors].map(([hash, vector]) => [modelId, hash, toBytes(vector)]),
        );
        const added = yield* all<{ id: number; hash: string }>(
          `SELECT id, chunk_hash AS hash FROM ${table} WHERE id > ? ORDER BY id`,
          highest,
        );
        const rows = added.flatMap(({ hash }) => positions.get(hash) ?? []);
        const ids = Float64Array.from(added, ({ id }) => id);
        yield* pages.append(modelId, { ...selectVectors(quantised, rows), ids });
      });
    },
    *findVector(hash) {
      const row = yield* get<{ vector: Uint8Array }>(
        `SELECT vector FROM ${table} WHERE model = ${thisModel} AND chunk_hash = ?`,
        ...ofModel,
        hash,
      );
      return row && toFloat32Array(row.vector);
    },
    *idsOf(hashes) {
      const rows = yield* all<{ hash: string; id: number }>(
        `SELECT chunk_hash AS hash, id FROM ${table}
          WHERE model = ${thisModel} AND chunk_hash ${inTexts("?")}`,
        ...ofModel,
        JSON.stringify(hashes),
      );
      return new Map(rows.map(({ hash, id }) => [hash, id]));
    },
    *loadVectors(ids) {
      // The unary plus keeps SQLite from using the index on `model`, and so reading all its vectors.
      const rows = yield* all<{ id: number; vector: Uint8Array }>(
        `SELECT id, vector FROM ${table} WHERE +model = ${thisModel} AND id ${inNumbers("?")}`,
        ...ofModel,
        JSON.stringify(ids),
      );
      const found = new Map(rows.map(({ id, vector }) => [id, toFloat32Array(vector)]));
      return ids.map((id) => found.get(id));
    },
    loadInto: (set, after = 0) => pages.forEachAfter(after, set.upsertQuantised),
    retainOnly: (ids) =>
      transaction(function* () {
        yield* run(
          `DELETE FROM ${shelf}_vector_models WHERE id <> coalesce(${thisModel}, 0)`,
          ...ofModel,
        );
        yield* run(deleteOthersFrom(table), JSON.stringify([...ids]));
        yield* pages.retainOnly(ids);
      }),
    *count() {
      const row = yield* get<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE model = ${thisModel}`,
        ...ofModel,
      );
      return row?.count ?? 0;
    },
  };

  /** Not cached, because another process may delete the model. */
  function* modelRowId(): Steps<number | undefined> {
    const row = yield* get<{ id: number | null }>(`SELECT ${thisModel} AS id`, ...ofModel);
    return row?.id ?? undefined;
  }

  function* insertModel(): Steps<number> {
    const row = yield* get<{ id: number }>(
      `INSERT INTO ${shelf}_vector_models (model, weights, dimensions) VALUES (?, ?, ?) RETURNING id`,
      ...ofModel,
    );
    if (!row) throw new Error("The model was not stored.");
    return row.id;
  }

  function* highestId(): Steps<number> {
    const row = yield* get<{ id: number }>(`SELECT coalesce(max(id), 0) AS id FROM ${table}`);
    return row?.id ?? 0;
  }
}

const insertVectorInto = (table: string) => ({
  sqlite: `INSERT INTO ${table} (model, chunk_hash, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
  postgres: `INSERT INTO ${table} (model, chunk_hash, vector)
    SELECT (given.value ->> 0)::bigint, given.value ->> 1, (given.value ->> 2)::bytea
      FROM json_array_elements(?::json) AS given (value) ON CONFLICT DO NOTHING`,
});

/** PostgreSQL searches a long list in `NOT IN` again for each row. */
const deleteOthersFrom = (table: string) => ({
  sqlite: `DELETE FROM ${table} WHERE id NOT ${inNumbers("?")}`,
  postgres: `DELETE FROM ${table} WHERE NOT EXISTS
    (SELECT 1 FROM json_array_elements_text(?::json) AS kept (id) WHERE kept.id::bigint = ${table}.id)`,
});

const toBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Copies the blob, because a Float32Array must be 4-byte aligned. */
const toFloat32Array = (blob: Uint8Array): Float32Array =>
  new Float32Array(new Uint8Array(blob).buffer);
