import type { House } from "../../kernel/house.ts";
import type { Match } from "../../kernel/index/contract.ts";
import { openVectorStore, type VectorStore } from "../../kernel/vectors/store.ts";
import { openVectorSet, type VectorSet } from "../../kernel/vectors/vector-set.ts";
import { chunksOfVectors } from "./storage-chunks.ts";

/** The vectors of the model in use: in the store, and in memory once somebody asks. */
export interface Meaning {
  readonly store: VectorStore;
  /** All vectors, as others have left them by now. */
  vectors(): VectorSet;
}

export function openMeaning({ db, models }: House): Meaning {
  const { id, weights, dimensions } = models.embedder;
  const store = openVectorStore(db, "kept", { id, weights, dimensions });
  let loaded: { set: VectorSet; highest: number } | undefined;
  return {
    store,
    vectors() {
      loaded ??= { set: openVectorSet({ dimensions, exact: store.exact }), highest: 0 };
      // Numbers only grow, so what is new lies behind the highest; what is gone is met and dropped.
      loaded.highest = store.loadAll(loaded.set, loaded.highest);
      return loaded.set;
    },
  };
}

/** The model in use, as documents remember by which one they were embedded. */
export const modelOf = ({ models }: Pick<House, "models">): string =>
  `${models.embedder.id} ${models.embedder.weights}`;

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
  const { limit, perDocument = 1, englishOnly = false } = options;
  const roots = options.roots && new Set(options.roots);
  const documents = options.documents && new Set(options.documents);
  const vectors = meaning.vectors();
  for (let count = limit * 4; ; count *= 4) {
    const neighbours = vectors.nearest(query, count);
    const similarity = new Map(neighbours.map((near) => [near.id, near.similarity]));
    const taken = new Map<number, number>();
    const found: Match[] = [];
    for (const { root, ...chunk } of chunksOfVectors(db, [...similarity.keys()])) {
      const before = taken.get(chunk.document) ?? 0;
      if (before >= perDocument || found.length >= limit) continue;
      if (roots && !roots.has(root)) continue;
      if (documents && !documents.has(chunk.document)) continue;
      if (englishOnly && !chunk.isEnglish) continue;
      taken.set(chunk.document, before + 1);
      const { line, endLine, headings, text, document } = chunk;
      const score = Math.min(Math.max(similarity.get(chunk.vector) ?? 0, 0), 1);
      found.push({ document, score, passage: { line, endLine, headings, text }, words: [] });
    }
    if (found.length >= limit || neighbours.length < count) return found;
  }
}
