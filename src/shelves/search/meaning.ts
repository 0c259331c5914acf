import type { House } from "../../kernel/house.ts";
import type { Match } from "../../kernel/index/contract.ts";
import type { Embedder } from "../../kernel/models/embedder.ts";
import { openVectorStore, type VectorStore } from "../../kernel/vectors/store.ts";
import { openVectorSet, type VectorSet } from "../../kernel/vectors/vector-set.ts";
import { type ChunkMap, openChunkMap } from "./chunk-map.ts";
import {
  type ChunkPlace,
  countWithoutChunks,
  documentPlaces,
  hasChunks,
  passagesOf,
  vectorsInUse,
} from "./storage-chunks.ts";

/** The vectors of the model in use: in the store, and in memory once somebody asks. */
export interface Meaning {
  /** Where the vectors of a model are kept. */
  storeOf(model: ModelInUse): VectorStore;
  /** Drops the vectors that no chunk needs. Without a model in use nobody knows which these are. */
  tidy(): void;
  /** All vectors of the model in use, as others have left them by now. */
  vectors(): VectorSet;
  /** The chunks that they stand for. */
  chunks(): ChunkMap;
  /** The documents that may be found, or those of some roots; each with its place among them. */
  documents(roots: readonly string[] | undefined): ReadonlyMap<number, number>;
}

/** What of the house it stands on. */
export interface MeaningParts extends Pick<House, "db" | "revision"> {
  readonly models: { readonly embedder: ModelInUse };
}

/** As long as nobody knows how long a model's vectors are, there are none. */
type ModelInUse = Pick<Embedder, "id" | "weights" | "dimensions">;

export function openMeaning({ db, models, revision }: MeaningParts): Meaning {
  const storeOf = ({ id, weights, dimensions = 0 }: ModelInUse): VectorStore =>
    openVectorStore(db, "kept", { id, weights, dimensions });
  let loaded: { model: string; store: VectorStore; set: VectorSet; highest: number } | undefined;
  let chunks: ChunkMap | undefined;
  let listed: { key: string; ids: ReadonlyMap<number, number> } | undefined;
  return {
    storeOf,
    tidy() {
      const { embedder } = models;
      if (embedder.dimensions) storeOf(embedder).keepOnly(vectorsInUse(db, modelOf(embedder)));
    },
    vectors() {
      const { dimensions = 0 } = models.embedder;
      const model = `${modelOf(models.embedder)} ${dimensions}`;
      if (loaded?.model !== model) {
        const store = storeOf(models.embedder);
        const set = openVectorSet({ dimensions, exact: store.exact });
        loaded = { model, store, set, highest: 0 };
      }
      // Numbers only grow, so what is new lies behind the highest; what is gone is met and dropped.
      loaded.highest = loaded.store.loadAll(loaded.set, loaded.highest);
      return loaded.set;
    },
    chunks() {
      chunks ??= openChunkMap(db);
      chunks.refresh();
      return chunks;
    },
    documents(roots) {
      const key = JSON.stringify([revision(), roots]);
      if (listed?.key !== key) listed = { key, ids: documentPlaces(db, roots) };
      return listed.ids;
    },
  };
}

/** A model, as documents remember by which one they were embedded. */
export const modelOf = ({ id, weights }: Pick<Embedder, "id" | "weights">): string =>
  `${id} ${weights}`;

/** How many documents the model in use has yet to embed; none where nobody wants vectors. */
export const countPending = ({ db, models }: Pick<House, "db" | "models">): number =>
  models.embedder.isOff ? 0 : countWithoutChunks(db, modelOf(models.embedder));

/** Whether anything can be found by its meaning. */
export const hasMeaning = ({ db, models }: Pick<House, "db" | "models">): boolean =>
  !models.embedder.isOff && hasChunks(db, modelOf(models.embedder));

export interface NearestOptions {
  limit: number;
  perDocument?: number | undefined;
  roots?: readonly string[] | undefined;
  documents?: readonly number[] | undefined;
  /** Only chunks that are English, for a model that knows nothing else. */
  englishOnly?: boolean | undefined;
}

/** The chunks nearest to a vector, best first; filters are asked before the cut. */
export function nearest(
  { db, meaning }: Pick<House, "db"> & { meaning: Meaning },
  query: Float32Array,
  options: NearestOptions,
): Match[] {
  const vectors = meaning.vectors();
  const chunks = meaning.chunks();
  const selection = selectionOf(meaning, chunks, options);
  for (;;) {
    const resultsOf = selection.results();
    const best = vectors
      .nearest(query, options.limit, selection)
      .flatMap(({ id, similarity }) => resultsOf(id).map((chunk) => ({ ...chunk, similarity })))
      .slice(0, options.limit);
    const passages = passagesOf(
      db,
      best.map(({ id }) => id),
    );
    const gone = best.filter(({ id }) => !passages.has(id));
    if (gone.length === 0) {
      return best.flatMap(({ id, document, similarity }) => {
        const passage = passages.get(id);
        const score = Math.min(Math.max(similarity, 0), 1);
        return passage ? [{ document, score, passage, words: [] }] : [];
      });
    }
    // Their documents were changed and have no vectors yet. They must not keep others out.
    for (const { document } of gone) chunks.forget(document);
  }
}

/** What of each vector may be a result: it may stand for many chunks, wanted or not. */
function selectionOf(meaning: Meaning, chunks: ChunkMap, options: NearestOptions) {
  const { perDocument = 1, englishOnly = false } = options;
  const shown = meaning.documents(options.roots);
  const documents = options.documents
    ? new Set(options.documents.filter((document) => shown.has(document)))
    : shown;
  const isWanted = (chunk: ChunkPlace): boolean =>
    (!englishOnly || chunk.isEnglish) && documents.has(chunk.document) && chunks.isCurrent(chunk);
  // The vectors of few documents are listed sooner than all others are asked.
  const isFew = documents.size * 8 < chunks.documents;
  const listed = isFew && new Set([...documents.keys()].flatMap(vectorsIn));

  function vectorsIn(document: number): number[] {
    return chunks.cutFrom(document).map(({ vector }) => vector);
  }

  /** The chunks of a vector that are results, when those of nearer ones have been given. */
  function results(): (vector: number) => ChunkPlace[] {
    const given = new Map<number, number>();
    return (vector) =>
      inOrder(chunks.chunksOf(vector)).filter((chunk) => {
        const before = given.get(chunk.document) ?? 0;
        if (before >= perDocument || !isWanted(chunk)) return false;
        given.set(chunk.document, before + 1);
        return true;
      });
  }

  /** Equal texts have one vector; which comes first is told by where they lie, not by who came first. */
  function inOrder(alike: readonly ChunkPlace[]): readonly ChunkPlace[] {
    const placeOf = ({ document }: ChunkPlace) => shown.get(document) ?? shown.size;
    return alike.length < 2
      ? alike
      : alike.toSorted((a, b) => placeOf(a) - placeOf(b) || a.id - b.id);
  }

  return {
    isWanted: (vector: number) =>
      (!listed || listed.has(vector)) && chunks.chunksOf(vector).some(isWanted),
    results,
    tally() {
      const resultsOf = results();
      return (vector: number) => resultsOf(vector).length;
    },
  };
}
