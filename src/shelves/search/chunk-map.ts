import type { Database } from "../../kernel/database.ts";
import { type ChunkPlace, chunkPlacesAfter } from "./storage-chunks.ts";

/** Which chunks each vector stands for, in memory, since a search asks it of very many. */
export interface ChunkMap {
  /** Takes in what was cut since the last time, by whomever. */
  refresh(): void;
  /** How many documents have chunks. */
  readonly documents: number;
  /** The chunks of a document. */
  cutFrom(document: number): readonly ChunkPlace[];
  /** The chunks that a vector stands for: equal texts have one. Some may be out of date. */
  chunksOf(vector: number): readonly ChunkPlace[];
  /** Whether its document has not been cut anew, as far as is known here. */
  isCurrent(chunk: ChunkPlace): boolean;
  /** For a document whose chunk turned out to be gone from the store: all beside it are, too. */
  forget(document: number): void;
}

/**
 * Numbers of chunks only grow, and a document's chunks are replaced all at once. So what is new lies
 * behind the highest number, and what a document had before lies below its first one of now.
 */
export function openChunkMap(db: Database): ChunkMap {
  const byVector = new Map<number, ChunkPlace[]>();
  const current = new Map<number, ChunkPlace[]>();
  let highest = 0;
  let held = 0;
  let living = 0;

  function load(): void {
    const before = highest;
    for (const chunk of chunkPlacesAfter(db, before)) {
      place(chunk, before);
      highest = chunk.id;
    }
  }

  function place(chunk: ChunkPlace, before: number): void {
    const known = current.get(chunk.document);
    if (known && firstOf(known) > before) known.push(chunk);
    else {
      forget(chunk.document);
      current.set(chunk.document, [chunk]);
    }
    const others = byVector.get(chunk.vector);
    if (others) others.push(chunk);
    else byVector.set(chunk.vector, [chunk]);
    held++;
    living++;
  }

  function forget(document: number): void {
    living -= current.get(document)?.length ?? 0;
    current.delete(document);
  }

  return {
    refresh() {
      load();
      // What is out of date costs nothing but room, until it is more than all the rest.
      if (held <= 2 * living + fewChunks) return;
      byVector.clear();
      current.clear();
      highest = held = living = 0;
      load();
    },
    get documents() {
      return current.size;
    },
    cutFrom: (document) => current.get(document) ?? none,
    chunksOf: (vector) => byVector.get(vector) ?? none,
    isCurrent: ({ id, document }) => id >= firstOf(current.get(document) ?? none),
    forget,
  };
}

/** The number above which all chunks of a document lie that are not out of date. */
const firstOf = ([first]: readonly ChunkPlace[]): number => first?.id ?? Number.POSITIVE_INFINITY;

const none: readonly ChunkPlace[] = [];
const fewChunks = 1_000;
