import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/kernel/storage/database.ts";
import { runSteps } from "../../src/kernel/storage/sqlite-store.ts";
import type { VectorModel } from "../../src/kernel/vectors/vector-model.ts";
import { openVectorSet } from "../../src/kernel/vectors/vector-set.ts";
import { openVectorStore } from "../../src/kernel/vectors/vector-store.ts";
import { measureUnembedded } from "../../src/shelves/search/storage-chunks.ts";
import { childSource } from "../child-source.ts";

const file = "lectern.sqlite";

export interface KeptVectors {
  /** The number of each vector, by the hash of its text. */
  vectors: ReadonlyMap<string, number>;
}

/** The vectors in a home at one moment. */
export interface EmbeddedStore extends KeptVectors {
  /** The number of chunks of each complete document, by the hash of its content. */
  finished: Map<string, number>;
  documents: number;
  /** The count that `status` would report. */
  needsEmbedding: number;
  /** Inconsistencies that must not occur, whenever the program was killed. */
  inconsistencies: string[];
}

/**
 * Reads the store as a killed process left it, from a copy: opening the store after a
 * crash recovers it, which is the program's task. A change that was being committed
 * may be in the copy or not.
 */
export function storeAfterKill(home: string, scratch: string): EmbeddedStore {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  for (const name of [file, `${file}-wal`]) {
    if (existsSync(join(home, name))) copyFileSync(join(home, name), join(scratch, name));
  }
  return withStore(scratch, readStore);
}

/** A program that prints the result of `vectorsIn`. */
export const createReaderProgram = (): string =>
  childSource(`
    import { vectorsIn } from "./tests/programs/embedded-store.ts";
    console.log(JSON.stringify([...vectorsIn(process.argv[2])]));
  `);

/**
 * The state visible to others while a program works in the home. It is read by a separate process,
 * since a connection of ours might outlive the program, and its store would never be recovered.
 */
export function vectorsNow(reader: string, home: string): KeptVectors {
  const stdout = execFileSync(process.execPath, [reader, home], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { vectors: new Map(JSON.parse(stdout)) };
}

export const vectorsIn = (home: string): Map<string, number> => withStore(home, allVectors);

function withStore<Result>(home: string, read: (db: Database) => Result): Result {
  const db = openDatabase(join(home, file));
  try {
    return db.snapshot(() => read(db));
  } finally {
    db.close();
  }
}

function readStore(db: Database): EmbeddedStore {
  const documents = countOf(db, "documents");
  const model = db.get<{ model: string }>("SELECT model FROM search_embedded LIMIT 1")?.model ?? "";
  const finished = db.all<{ hash: string; chunks: number }>(
    `SELECT hash, count(search_chunks.id) AS chunks
       FROM search_embedded
       JOIN documents ON documents.id = search_embedded.document
       LEFT JOIN search_chunks ON search_chunks.document = documents.id
      GROUP BY documents.id`,
  );
  const needsEmbedding = runSteps(db, measureUnembedded(model)).documents;
  const checks = {
    "chunks without a vector": countOf(
      db,
      "search_chunks WHERE vector NOT IN (SELECT id FROM kept_vectors)",
    ),
    "chunks of documents that are not finished": countOf(
      db,
      "search_chunks WHERE document NOT IN (SELECT document FROM search_embedded)",
    ),
    "vectors that are stored but not loaded, or loaded but not stored": Math.abs(
      countOf(db, "kept_vectors") - loadedVectors(db),
    ),
    "documents whose reported need for vectors is wrong": Math.abs(
      documents - finished.length - needsEmbedding,
    ),
  };
  return {
    vectors: allVectors(db),
    finished: new Map(finished.map(({ hash, chunks }) => [hash, chunks])),
    documents,
    needsEmbedding,
    inconsistencies: Object.entries(checks).flatMap(([what, count]) =>
      count === 0 ? [] : [`${count} ${what}`],
    ),
  };
}

const countOf = (db: Database, rows: string): number =>
  db.get<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`)?.count ?? 0;

function allVectors(db: Database): Map<string, number> {
  const rows = db.all<{ hash: string; id: number }>(
    "SELECT chunk_hash AS hash, id FROM kept_vectors",
  );
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

function loadedVectors(db: Database): number {
  return db
    .all<VectorModel>("SELECT model AS id, weights, dimensions FROM kept_vector_models")
    .map((model) => {
      const store = openVectorStore("kept", model);
      const set = openVectorSet({ dimensions: model.dimensions, loadVectors: store.loadVectors });
      runSteps(db, store.loadInto(set));
      return set.size;
    })
    .reduce((sum, size) => sum + size, 0);
}

/** All vectors by their texts' hashes, and which each document has. */
export interface EmbeddedContent {
  vectors: Map<string, Float32Array>;
  /** For each document by its path: the lines, language and vector hash of its chunks. */
  chunks: Map<string, string[]>;
  isWhole: boolean;
}

export const contentOf = (home: string): EmbeddedContent =>
  withStore(home, (db) => {
    const vectors = db.all<{ hash: string; vector: Uint8Array }>(
      "SELECT chunk_hash AS hash, vector FROM kept_vectors",
    );
    const chunks = new Map<string, string[]>();
    for (const { path, chunk } of db.all<{ path: string; chunk: string }>(
      `SELECT path, json_array(line, end_line, english, headings, text, chunk_hash) AS chunk
         FROM search_chunks
         JOIN documents ON documents.id = document
         JOIN kept_vectors ON kept_vectors.id = search_chunks.vector
        ORDER BY path, search_chunks.id`,
    )) {
      chunks.set(path, [...(chunks.get(path) ?? []), chunk]);
    }
    const check = db.get<{ integrity_check: string }>("PRAGMA integrity_check");
    return {
      vectors: new Map(
        vectors.map(({ hash, vector }) => [hash, new Float32Array(new Uint8Array(vector).buffer)]),
      ),
      chunks,
      isWhole: check?.integrity_check === "ok",
    };
  });
