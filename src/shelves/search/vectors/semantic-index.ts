import { readVersion } from "../../../kernel/documents/revision.ts";
import type { Match } from "../../../kernel/index/search-index.ts";
import type { Embedder } from "../../../kernel/models/embedder.ts";
import type { Note } from "../../../kernel/operations/note.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { openVectorSet, type VectorSet } from "../../../kernel/vectors/vector-set.ts";
import { openVectorStore, type VectorStore } from "../../../kernel/vectors/vector-store.ts";
import {
  type ChunkRef,
  countEmbedded,
  findVectorsInUse,
  hasChunks,
  measureUnembedded,
  readDocumentOrder,
  readPassages,
} from "../storage-chunks.ts";
import { type ChunkMap, createChunkMap } from "./chunk-map.ts";

/** The vectors of the current model: in the store, and in memory after first use. */
export interface SemanticIndex {
  /** The store of a model's vectors. */
  vectorStoreOf(model: ModelInUse): VectorStore;
  /** Deletes vectors that no chunk uses. Does nothing if the model's dimensions are unknown. */
  dropUnusedVectors(): Steps<void>;
  /** What a search needs, including what other processes have added; optionally of some roots only. */
  load(roots: readonly string[] | undefined): Steps<LoadedIndex>;
  /** The number of documents in these roots, and how many of them have vectors. */
  coverage(roots: readonly string[]): Steps<Coverage>;
}

interface LoadedIndex {
  /** All vectors of the current model. */
  vectors: VectorSet;
  /** The chunks of these vectors. */
  chunks: ChunkMap;
  /** The documents to search, with their positions in path order. */
  documents: ReadonlyMap<number, number>;
}

interface Coverage {
  documents: number;
  embedded: number;
}

/** The dependencies of a semantic index. */
export interface SemanticIndexDependencies {
  readonly models: { readonly embedder: ModelInUse };
}

/** A model. While its dimensions are unknown, it has no vectors. */
type ModelInUse = Pick<Embedder, "id" | "weights" | "dimensions">;

export function createSemanticIndex({ models }: SemanticIndexDependencies): SemanticIndex {
  const vectorStoreOf = ({ id, weights, dimensions = 0 }: ModelInUse): VectorStore =>
    openVectorStore("kept", { id, weights, dimensions });
  const chunks = createChunkMap();
  let loaded: LoadedVectors | undefined;
  let counted: { key: string; byRoots: Map<string, Coverage> } | undefined;
  let listed: { key: string; ids: ReadonlyMap<number, number> } | undefined;

  /**
   * Loads what has been added since the last call. In PostgreSQL, calls can overlap: each loads by
   * itself what the other has not finished loading.
   */
  function* loadVectors(stamp: string): Steps<VectorSet> {
    const { dimensions = 0 } = models.embedder;
    const model = `${modelKey(models.embedder)} ${dimensions}`;
    if (loaded?.model !== model) {
      const store = vectorStoreOf(models.embedder);
      const set = openVectorSet({ dimensions, loadVectors: store.loadVectors });
      loaded = { model, store, set, highest: 0, stamp: undefined };
    }
    const current = loaded;
    if (current.stamp === stamp) return current.set;
    // Ids only increase, so new vectors have ids above the highest loaded one.
    const highest = yield* current.store.loadInto(current.set, current.highest);
    current.highest = Math.max(current.highest, highest);
    yield* chunks.refresh();
    current.stamp = stamp;
    return current.set;
  }

  function* orderDocuments(
    revision: number,
    roots: readonly string[] | undefined,
  ): Steps<ReadonlyMap<number, number>> {
    const key = JSON.stringify([revision, roots]);
    if (listed?.key === key) return listed.ids;
    const ids = yield* readDocumentOrder(roots);
    listed = { key, ids };
    return ids;
  }

  return {
    vectorStoreOf,
    *dropUnusedVectors() {
      const { embedder } = models;
      if (!embedder.dimensions) return;
      yield* vectorStoreOf(embedder).retainOnly(yield* findVectorsInUse(modelKey(embedder)));
    },
    *load(roots) {
      const { stamp, revision } = yield* readVersion();
      const vectors = yield* loadVectors(stamp);
      return { vectors, chunks, documents: yield* orderDocuments(revision, roots) };
    },
    *coverage(roots) {
      const model = modelKey(models.embedder);
      const key = JSON.stringify([(yield* readVersion()).stamp, model]);
      // Counting takes long in a large store, so it is not repeated until something is written.
      if (counted?.key !== key) counted = { key, byRoots: new Map() };
      const { byRoots } = counted;
      const name = JSON.stringify(roots);
      const coverage = byRoots.get(name) ?? (yield* countEmbedded(model, roots));
      byRoots.set(name, coverage);
      return coverage;
    },
  };
}

interface LoadedVectors {
  model: string;
  store: VectorStore;
  set: VectorSet;
  highest: number;
  /** The version of the store when everything was loaded. */
  stamp: string | undefined;
}

/** The key of a model in the table of embedded documents. */
export const modelKey = ({ id, weights }: Pick<Embedder, "id" | "weights">): string =>
  `${id} ${weights}`;

/** The number of documents that the current model has not embedded; 0 if embeddings are off. */
export function* countUnembedded({ models }: Pick<Runtime, "models">): Steps<number> {
  if (models.embedder.isOff) return 0;
  return (yield* measureUnembedded(modelKey(models.embedder))).documents;
}

/** A note if some of the searched documents have no vectors, so that a semantic search misses them. */
export function* coverageNotes(
  { semanticIndex, config }: Pick<Runtime, "config"> & { semanticIndex: SemanticIndex },
  roots: readonly string[] = Object.keys(config.read().collections),
): Steps<Note[]> {
  const { documents, embedded } = yield* semanticIndex.coverage(roots);
  if (embedded >= documents) return [];
  const share = `${embedded.toLocaleString("en")} of ${documents.toLocaleString("en")} documents`;
  const message = `Only ${share} have vectors and can be found by meaning. Run 'qmd embed' to embed the others.`;
  return [{ kind: "incomplete", message }];
}

/** Whether semantic search is available. */
export function* hasEmbeddings({ models }: Pick<Runtime, "models">): Steps<boolean> {
  return !models.embedder.isOff && (yield* hasChunks(modelKey(models.embedder)));
}

export interface NearestOptions {
  limit: number;
  perDocument?: number | undefined;
  roots?: readonly string[] | undefined;
  documents?: readonly number[] | undefined;
  /** Only English chunks, for a model that supports only English. */
  englishOnly?: boolean | undefined;
}

/** The chunks nearest to a vector, best first. Filters are applied before the limit. */
export function* findNearestChunks(
  { semanticIndex }: { semanticIndex: SemanticIndex },
  query: Float32Array,
  options: NearestOptions,
): Steps<Match[]> {
  for (;;) {
    const { vectors, chunks, documents } = yield* semanticIndex.load(options.roots);
    const selection = createSelection(documents, chunks, options);
    const resultsOf = selection.results();
    const nearest = yield* vectors.nearest(query, options.limit, selection);
    const best = nearest
      .flatMap(({ id, similarity }) => resultsOf(id).map((chunk) => ({ ...chunk, similarity })))
      .slice(0, options.limit);
    const passages = yield* readPassages(best.map(({ id }) => id));
    const missing = best.filter(({ id }) => !passages.has(id));
    if (missing.length === 0) {
      return best.flatMap(({ id, document, similarity }) => {
        const passage = passages.get(id);
        const score = Math.min(Math.max(similarity, 0), 1);
        return passage ? [{ document, score, passage, words: [] }] : [];
      });
    }
    // Their documents have changed and have no vectors yet. Search again without them.
    for (const chunk of missing) chunks.forget(chunk);
  }
}

/** Selects vectors by their chunks: a vector may have several, of which some are excluded. */
function createSelection(
  shown: ReadonlyMap<number, number>,
  chunks: ChunkMap,
  options: NearestOptions,
) {
  const { perDocument = 1, englishOnly = false } = options;
  const documents = options.documents
    ? new Set(options.documents.filter((document) => shown.has(document)))
    : shown;
  const isSelected = (chunk: ChunkRef): boolean =>
    (!englishOnly || chunk.isEnglish) && documents.has(chunk.document) && chunks.isCurrent(chunk);
  // For few documents, listing their vectors is faster than testing all vectors.
  const isFew = documents.size * 8 < chunks.documents;
  const listed = isFew && new Set([...documents.keys()].flatMap(vectorsIn));

  function vectorsIn(document: number): number[] {
    return chunks.chunksOfDocument(document).map(({ vector }) => vector);
  }

  /** Returns the result chunks of each vector, limited per document; call it in order of similarity. */
  function results(): (vector: number) => ChunkRef[] {
    const counts = new Map<number, number>();
    return (vector) =>
      sortByDocument(chunks.chunksOfVector(vector)).filter((chunk) => {
        const count = counts.get(chunk.document) ?? 0;
        if (count >= perDocument || !isSelected(chunk)) return false;
        counts.set(chunk.document, count + 1);
        return true;
      });
  }

  /** Orders chunks with equal text by document path, so that the order is deterministic. */
  function sortByDocument(alike: readonly ChunkRef[]): readonly ChunkRef[] {
    const positionOf = ({ document }: ChunkRef) => shown.get(document) ?? shown.size;
    return alike.length < 2
      ? alike
      : alike.toSorted((a, b) => positionOf(a) - positionOf(b) || a.id - b.id);
  }

  return {
    isIncluded: (vector: number) =>
      (!listed || listed.has(vector)) && chunks.chunksOfVector(vector).some(isSelected),
    results,
    counter() {
      const resultsOf = results();
      return (vector: number) => resultsOf(vector).length;
    },
  };
}
