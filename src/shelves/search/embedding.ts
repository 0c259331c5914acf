import { setImmediate as breathe } from "node:timers/promises";
import type { Document } from "../../kernel/documents.ts";
import { Failure } from "../../kernel/failure.ts";
import { hashOf } from "../../kernel/hashing.ts";
import { type Embedder, switchedOff } from "../../kernel/models/embedder.ts";
import { type Chunk, chunksOf, embeddedText } from "../../text/chunks.ts";
import { counted } from "../../text/counted.ts";
import { isEnglish } from "../../text/language.ts";
import { linesOf } from "../../text/lines.ts";
import { modelOf } from "./meaning.ts";
import { textAsIndexed } from "./reading.ts";
import type { SearchState } from "./state.ts";
import {
  countWithoutChunks,
  documentsWithoutChunks,
  isUnchanged,
  saveChunks,
} from "./storage-chunks.ts";

export interface EmbeddingOptions {
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** What one chunk may take of the model, with the headings above it. */
const mostTokens = 250;

/** Vectors are kept after so many texts, so that a kill costs no more than these. */
const textsBetweenSaves = 32;

/**
 * Gives every document its vectors that has none of the model in use. Vectors are kept by what was
 * embedded: equal chunks are embedded once, and work that was stopped goes on where it was.
 */
export async function embedPending(state: SearchState, options: EmbeddingOptions) {
  const { db } = state;
  const { embedder } = state.models;
  if (embedder.isOff) throw switchedOff();
  const model = modelOf(embedder);
  const total = countWithoutChunks(db, model);
  const passedOver = new Set<number>();
  let documents = 0;
  let chunks = 0;
  // Where another model is configured meanwhile, nobody wants more of this one.
  const isOver = () => options.signal.aborted || state.models.embedder !== embedder;
  while (!isOver()) {
    const pending = documentsWithoutChunks(db, model, 16 + passedOver.size);
    const next = pending.filter(({ id }) => !passedOver.has(id));
    if (next.length === 0) break;
    for (const document of next) {
      if (isOver()) break;
      const made = await embedDocument(state, embedder, document, options.signal).catch((error) => {
        // Whoever stopped the work needs no complaint about it.
        if (!options.signal.aborted) throw stoppedAfter(documents, error);
        return undefined;
      });
      // One that is not as the index knows it is met again when the index has caught up.
      if (made === undefined) passedOver.add(document.id);
      else {
        documents++;
        chunks += made;
      }
      options.onProgress?.(Math.min(documents, total), total);
      await breathe();
    }
  }
  return { documents, chunks, partial: isOver() };
}

/** What is done is kept, and whoever began the work is told so. */
function stoppedAfter(documents: number, error: unknown): unknown {
  if (!(error instanceof Failure) || documents === 0) return error;
  const { kind, code, message, hints } = error;
  const done = `${counted(documents, "document")} got vectors before that; run it again to go on.`;
  return new Failure(kind, code, message, { hints: [...hints, done], cause: error.cause });
}

/** The number of its chunks, or nothing where the file says something else by now. */
async function embedDocument(
  state: SearchState,
  embedder: Embedder,
  document: Document,
  signal: AbortSignal,
): Promise<number | undefined> {
  const text = textAsIndexed(state, document);
  if (text === undefined) return undefined;
  const options = { mostTokens, countTokens: embedder.countTokens };
  const chunks = chunksOf(linesOf(text), options).filter((chunk) => chunk.text.trim() !== "");
  const texts = new Map(chunks.map((chunk) => [chunk, embeddedText(chunk)]));
  const hashes = new Map([...texts].map(([chunk, words]) => [chunk, hashOf(Buffer.from(words))]));
  await embedTexts(state, embedder, texts, hashes, signal);
  if (signal.aborted) return undefined;
  await state.db.writable({ signal, patienceMs: Number.POSITIVE_INFINITY });
  return state.db.transaction(() => {
    if (!isUnchanged(state.db, document)) return undefined;
    const ids = state.meaning.storeOf(embedder).idsOf([...hashes.values()]);
    const rows = chunks.flatMap((chunk) => {
      const vector = ids.get(hashes.get(chunk) ?? "");
      return vector ? [{ ...chunk, vector, isEnglish: isEnglish(texts.get(chunk) ?? "") }] : [];
    });
    // Another process has cleaned up between the vectors and the chunks that need them.
    if (rows.length < chunks.length) return undefined;
    saveChunks(state.db, document.id, rows, modelOf(embedder));
    return rows.length;
  });
}

async function embedTexts(
  { db, meaning }: SearchState,
  embedder: Embedder,
  texts: ReadonlyMap<Chunk, string>,
  hashes: ReadonlyMap<Chunk, string>,
  signal: AbortSignal,
): Promise<void> {
  const known = meaning.storeOf(embedder).idsOf([...hashes.values()]);
  const wanted = new Map(
    [...texts].flatMap(([chunk, words]) => {
      const hash = hashes.get(chunk) ?? "";
      return known.has(hash) ? [] : [[hash, words] as const];
    }),
  );
  const all = [...wanted];
  for (let at = 0; at < all.length && !signal.aborted; at += textsBetweenSaves) {
    const part = all.slice(at, at + textsBetweenSaves);
    const vectors = await embedder.embed(
      part.map(([, words]) => words),
      signal,
    );
    await db.writable({ signal, patienceMs: Number.POSITIVE_INFINITY });
    meaning
      .storeOf(embedder)
      .saveVectors(
        new Map(part.flatMap(([hash], place) => (vectors[place] ? [[hash, vectors[place]]] : []))),
      );
  }
}
