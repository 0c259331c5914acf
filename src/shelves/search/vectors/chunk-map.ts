import type { Steps } from "../../../kernel/storage/steps.ts";
import { type ChunkRef, readChunkRefsAfter } from "../storage-chunks.ts";

/** An in-memory map between chunks and vectors, for fast lookup during search. */
export interface ChunkMap {
  /** Loads chunks added since the last call, by any process. */
  refresh(): Steps<void>;
  /** The number of documents with chunks. */
  readonly documents: number;
  /** The chunks of a document. */
  chunksOfDocument(document: number): readonly ChunkRef[];
  /** The chunks with a vector: equal texts share one. Some may be outdated. */
  chunksOfVector(vector: number): readonly ChunkRef[];
  /** Whether a chunk is from the latest known version of its document. */
  isCurrent(chunk: ChunkRef): boolean;
  /** Removes all chunks of the same document, after this one was not found in the store. */
  forget(chunk: ChunkRef): void;
}

/**
 * Chunk ids only increase, and all chunks of a document are replaced together. So new chunks have ids
 * above the highest known id, and outdated chunks have ids below the document's current first id.
 */
export function createChunkMap(): ChunkMap {
  const byVector = new Map<number, ChunkRef[]>();
  const current = new Map<number, ChunkRef[]>();
  let highest = 0;
  let totalChunks = 0;
  let currentChunks = 0;

  function addAll(chunks: Iterable<ChunkRef>): void {
    // In PostgreSQL, another call may have added some of them while they were read.
    const before = highest;
    for (const chunk of chunks) {
      if (chunk.id <= before) continue;
      addChunk(chunk, before);
      highest = chunk.id;
    }
  }

  function addChunk(chunk: ChunkRef, before: number): void {
    const known = current.get(chunk.document);
    if (known && firstChunkId(known) > before) known.push(chunk);
    else {
      forgetDocument(chunk.document);
      current.set(chunk.document, [chunk]);
    }
    const others = byVector.get(chunk.vector);
    if (others) others.push(chunk);
    else byVector.set(chunk.vector, [chunk]);
    totalChunks++;
    currentChunks++;
  }

  function forgetDocument(document: number): void {
    currentChunks -= current.get(document)?.length ?? 0;
    current.delete(document);
  }

  const isCurrent = ({ id, document }: ChunkRef): boolean =>
    id >= firstChunkId(current.get(document) ?? noChunks);

  return {
    *refresh() {
      addAll(yield* readChunkRefsAfter(highest));
      // Outdated chunks only use memory. Rebuild when they are more than half.
      if (totalChunks <= 2 * currentChunks + minStaleChunks) return;
      const before = highest;
      const chunks = yield* readChunkRefsAfter(0);
      // Another call has added newer chunks; a later one will rebuild.
      if (highest !== before) return;
      byVector.clear();
      current.clear();
      highest = totalChunks = currentChunks = 0;
      addAll(chunks);
    },
    get documents() {
      return current.size;
    },
    chunksOfDocument: (document) => current.get(document) ?? noChunks,
    chunksOfVector: (vector) => byVector.get(vector) ?? noChunks,
    isCurrent,
    forget(chunk) {
      // In PostgreSQL, another call may have added a newer version of the document.
      if (isCurrent(chunk)) forgetDocument(chunk.document);
    },
  };
}

/** The lowest id of a document's current chunks. */
const firstChunkId = ([first]: readonly ChunkRef[]): number =>
  first?.id ?? Number.POSITIVE_INFINITY;

const noChunks: readonly ChunkRef[] = [];
const minStaleChunks = 1_000;
