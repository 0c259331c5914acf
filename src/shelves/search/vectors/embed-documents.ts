import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Document } from "../../../kernel/documents/documents.ts";
import { Failure } from "../../../kernel/failure.ts";
import { sha256Hex } from "../../../kernel/files/hashes.ts";
import { type Embedder, embeddingDisabled } from "../../../kernel/models/embedder.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import { isEnglish } from "../../../text/language/english.ts";
import { embeddingInput, splitIntoChunks } from "../../../text/search/chunks.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { readIndexedText } from "../documents/document-text.ts";
import type { SearchState } from "../state.ts";
import {
  deleteChunks,
  isUnchanged,
  measureUnembedded,
  readDocumentOrder,
  readUnembeddedDocuments,
  saveChunks,
} from "../storage-chunks.ts";
import { createTimeEstimate } from "./remaining-time.ts";
import { modelKey } from "./semantic-index.ts";
import { openTextEmbedding } from "./text-embedding.ts";

export interface EmbeddingOptions {
  /** Only documents of these collections. */
  collections?: readonly string[] | undefined;
  /** Whether a user waits, so that all processors are used. */
  isUrgent: boolean;
  signal: AbortSignal;
  onProgress?: (done: number, total: number, message?: string) => void;
}

/** The maximum size of a chunk, including its headings. */
const maxChunkTokens = 250;

/** Documents per query. */
const documentsPerPage = 100;

/** More documents than lanes, so that no lane waits while a document is split or saved. */
const documentsPerLane = 3;

/**
 * Embeds all documents without vectors of the current model. Vectors are stored by content hash, so
 * equal chunks are embedded once, and an interrupted run can be resumed.
 */
export async function embedPending(state: SearchState, options: EmbeddingOptions) {
  const { store } = state;
  const { embedder } = state.models;
  if (embedder.isOff) throw embeddingDisabled();
  const model = modelKey(embedder);
  const { collections, signal } = options;
  const lanes = options.isUrgent ? embedder.parallelism : 1;
  const concurrent = lanes > 1 ? lanes * documentsPerLane : 1;
  const embedTexts = openTextEmbedding(state, embedder, { parallelism: concurrent, signal });
  const total = await store.run(measureUnembedded(model, collections));
  const remainingTime = createTimeEstimate(total.bytes);
  const done = { documents: 0, chunks: 0, bytes: 0 };
  const skipped = new Set<number>();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  // Stops after a failure, and if another model has been configured meanwhile.
  const isOver = () => signal.aborted || failures.length > 0 || state.models.embedder !== embedder;

  async function embedNext(document: Document): Promise<void> {
    try {
      const made = await embedDocument(state, embedder, document, { embedTexts, signal });
      // The file has changed since it was indexed; it is embedded after the next update.
      if (made === undefined) skipped.add(document.id);
      else {
        done.documents++;
        done.chunks += made;
      }
    } catch (error) {
      // Errors after a cancellation are ignored.
      if (!signal.aborted) failures.push(error);
    }
    done.bytes += document.size;
    const finished = Math.min(done.documents, total.documents);
    options.onProgress?.(finished, total.documents, remainingTime(done.bytes));
  }

  async function* unembeddedDocuments(): AsyncGenerator<Document> {
    for (let after = 0; ; ) {
      const page = await store.run(
        readUnembeddedDocuments(model, collections, after, documentsPerPage),
      );
      yield* page;
      if (page.length < documentsPerPage) break;
      after = page.at(-1)?.id ?? after;
    }
  }

  for (let hasFound = true; hasFound && !isOver(); ) {
    hasFound = false;
    for await (const document of unembeddedDocuments()) {
      if (isOver()) break;
      if (skipped.has(document.id)) continue;
      hasFound = true;
      const work = embedNext(document).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= concurrent) await Promise.race(running);
      await yieldToEventLoop();
    }
    await Promise.all(running);
  }
  if (failures.length > 0) throw toInterruptedError(done.documents, failures[0]);
  const { documents, chunks } = done;
  return { documents, chunks, partial: isOver() };
}

/** Deletes the embeddings of all documents, or of those in some collections. */
export function* forgetEmbeddings(
  { semanticIndex, models }: SearchState,
  collections: readonly string[] | undefined,
): Steps<void> {
  if (models.embedder.isOff) throw embeddingDisabled();
  yield* transaction(function* () {
    const documents = yield* readDocumentOrder(collections);
    yield* deleteChunks([...documents.keys()]);
    yield* semanticIndex.dropUnusedVectors();
  });
}

/** Adds a hint about the documents that were embedded before the error. */
function toInterruptedError(documents: number, error: unknown): unknown {
  if (!(error instanceof Failure) || documents === 0) return error;
  const { kind, code, message, hints } = error;
  const done = `${pluralise(documents, "document")} embedded before that. Run it again to continue.`;
  return new Failure(kind, code, message, { hints: [...hints, done], cause: error.cause });
}

interface DocumentEmbedding {
  /** Embeds texts by hash. */
  embedTexts: (texts: ReadonlyMap<string, string>) => Promise<void>;
  signal: AbortSignal;
}

/** Returns the number of chunks; undefined if the file has changed since it was indexed. */
async function embedDocument(
  state: SearchState,
  embedder: Embedder,
  document: Document,
  { embedTexts, signal }: DocumentEmbedding,
): Promise<number | undefined> {
  const text = await state.store.run(readIndexedText(state, document));
  if (text === undefined) return undefined;
  const options = { maxTokens: maxChunkTokens, countTokens: embedder.countTokens };
  const chunks = splitIntoChunks(splitLines(text), options)
    .filter((chunk) => chunk.text.trim() !== "")
    .map((chunk) => {
      const input = embeddingInput(chunk);
      return { ...chunk, input, hash: sha256Hex(Buffer.from(input)) };
    });
  await embedTexts(new Map(chunks.map(({ hash, input }) => [hash, input])));
  if (signal.aborted) return undefined;
  await state.store.waitUntilWritable({ signal, timeoutMs: Number.POSITIVE_INFINITY });
  const save = transaction(function* () {
    if (!(yield* isUnchanged(document))) return undefined;
    const hashes = chunks.map(({ hash }) => hash);
    const ids = yield* state.semanticIndex.vectorStoreOf(embedder).idsOf(hashes);
    const rows = chunks.flatMap(({ input, hash, ...chunk }) => {
      const vector = ids.get(hash);
      return vector ? [{ ...chunk, vector, isEnglish: isEnglish(input) }] : [];
    });
    // Another process has removed vectors before the chunks that need them were saved.
    if (rows.length < chunks.length) return undefined;
    yield* saveChunks(document.id, rows, modelKey(embedder));
    return rows.length;
  });
  return await state.store.run(save);
}
