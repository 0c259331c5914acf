import type { Embedder } from "../../../kernel/models/embedder.ts";
import { elementAt } from "../../../text/arrays/element-at.ts";
import type { SearchState } from "../state.ts";

export interface TextEmbeddingOptions {
  /** How many calls of the model may run at the same time. */
  parallelism: number;
  signal: AbortSignal;
}

/** Vectors are saved after this many texts, which limits the work lost if the process is killed. */
const textsPerSave = 32;

/**
 * Returns a function that embeds texts, given by hash, and saves their vectors. A text is embedded
 * once, even if concurrent calls contain it. After a failure or an abort, nothing new is started.
 */
export function openTextEmbedding(
  { store, semanticIndex }: Pick<SearchState, "store" | "semanticIndex">,
  embedder: Embedder,
  { parallelism, signal }: TextEmbeddingOptions,
): (texts: ReadonlyMap<string, string>) => Promise<void> {
  const limit = createLimiter(parallelism);
  const unfinished = new Map<string, Promise<void>>();
  let hasFailed = false;

  async function embedPart(part: readonly (readonly [string, string])[]): Promise<void> {
    if (signal.aborted || hasFailed) return;
    try {
      await embedAndSave(part);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }

  async function embedAndSave(part: readonly (readonly [string, string])[]): Promise<void> {
    const inputs = part.map(([, text]) => text);
    const vectors = await embedder.embed(inputs, signal);
    await store.waitUntilWritable({ signal, timeoutMs: Number.POSITIVE_INFINITY });
    const byHash = new Map(part.map(([hash], index) => [hash, elementAt(vectors, index)]));
    await store.run(semanticIndex.vectorStoreOf(embedder).saveVectors(byHash));
  }

  async function embedMissing(texts: readonly (readonly [string, string])[]): Promise<void> {
    const hashes = texts.map(([hash]) => hash);
    const stored = await store.run(semanticIndex.vectorStoreOf(embedder).idsOf(hashes));
    const missing = texts.filter(([hash]) => !stored.has(hash));
    const work: Promise<void>[] = [];
    for (let at = 0; at < missing.length; at += textsPerSave) {
      const part = missing.slice(at, at + textsPerSave);
      work.push(limit(() => embedPart(part)));
    }
    await allOf(work);
  }

  /** Calls that contain some of these texts wait for this one. */
  function start(texts: readonly (readonly [string, string])[]): void {
    const work = embedMissing(texts).finally(() => {
      for (const [hash] of texts) unfinished.delete(hash);
    });
    for (const [hash] of texts) unfinished.set(hash, work);
  }

  return async (texts) => {
    const added = [...texts].filter(([hash]) => !unfinished.has(hash));
    if (added.length > 0) start(added);
    await allOf(new Set([...texts.keys()].map((hash) => unfinished.get(hash))));
  };
}

/** Waits for all, then fails if one has failed. */
async function allOf(work: Iterable<Promise<void> | undefined>): Promise<void> {
  for (const end of await Promise.allSettled(work)) {
    if (end.status === "rejected") throw end.reason;
  }
}

/** Runs at most this many jobs at the same time, in the order of the calls. */
function createLimiter(count: number): <Result>(job: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (job) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
