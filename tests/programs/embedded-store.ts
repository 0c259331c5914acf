import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/kernel/database.ts";
import { openVectorStore, type VectorModel } from "../../src/kernel/vectors/store.ts";
import { openVectorSet } from "../../src/kernel/vectors/vector-set.ts";
import { countWithoutChunks } from "../../src/shelves/search/storage-chunks.ts";
import { childSource } from "../child-source.ts";

const file = "lectern.sqlite";

export interface KeptVectors {
  /** The number of each vector, by the hash of its text. */
  vectors: ReadonlyMap<string, number>;
}

/** What a home holds of vectors at one moment. */
export interface EmbeddedStore extends KeptVectors {
  /** For each document whose chunks are all there, by the hash of its content: how many they are. */
  finished: Map<string, number>;
  documents: number;
  /** What `status` would say. */
  needsEmbedding: number;
  /** What can never be right, whenever the program was killed. */
  contradictions: string[];
}

/**
 * Reads the store as a killed process has left it, from a copy: whoever opens the store after a
 * crash mends it, and that is for the program to do. A change that the process was about to make
 * known may be in the copy or not.
 */
export function storeAfterKill(home: string, scratch: string): EmbeddedStore {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  for (const name of [file, `${file}-wal`]) {
    if (existsSync(join(home, name))) copyFileSync(join(home, name), join(scratch, name));
  }
  return reading(scratch, readStore);
}

/** A program that tells what `vectorsIn` finds. */
export const makeLooker = (): string =>
  childSource(`
    import { vectorsIn } from "./tests/programs/embedded-store.ts";
    console.log(JSON.stringify([...vectorsIn(process.argv[2])]));
  `);

/**
 * What everybody can see while a program works in the home. A process of its own looks, since a
 * connection of ours might outlive the program, and what it left would never be mended.
 */
export function vectorsNow(looker: string, home: string): KeptVectors {
  const said = execFileSync(process.execPath, [looker, home], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { vectors: new Map(JSON.parse(said)) };
}

export const vectorsIn = (home: string): Map<string, number> => reading(home, allVectors);

function reading<Result>(home: string, read: (db: Database) => Result): Result {
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
  const needsEmbedding = countWithoutChunks(db, model);
  const wrong = {
    "chunks without a vector": countOf(
      db,
      "search_chunks WHERE vector NOT IN (SELECT id FROM kept_vectors)",
    ),
    "chunks of documents that are not finished": countOf(
      db,
      "search_chunks WHERE document NOT IN (SELECT document FROM search_embedded)",
    ),
    "vectors that a search does not load, or loads for nothing": Math.abs(
      countOf(db, "kept_vectors") - loadedVectors(db),
    ),
    "documents that are told to need vectors and have them, or the other way round": Math.abs(
      documents - finished.length - needsEmbedding,
    ),
  };
  return {
    vectors: allVectors(db),
    finished: new Map(finished.map(({ hash, chunks }) => [hash, chunks])),
    documents,
    needsEmbedding,
    contradictions: Object.entries(wrong).flatMap(([what, many]) =>
      many === 0 ? [] : [`${many} ${what}`],
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
      const store = openVectorStore(db, "kept", model);
      const set = openVectorSet({ dimensions: model.dimensions, exact: store.exact });
      store.loadAll(set);
      return set.size;
    })
    .reduce((sum, size) => sum + size, 0);
}

/** All that was embedded: the vectors by their texts' hashes, and which each document has. */
export interface EmbeddedContent {
  vectors: Map<string, Float32Array>;
  /** For each document by its path: the lines, language and vector's hash of its chunks. */
  chunks: Map<string, string[]>;
  isWhole: boolean;
}

export const contentOf = (home: string): EmbeddedContent =>
  reading(home, (db) => {
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
