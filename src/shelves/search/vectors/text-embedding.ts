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
  { db, semanticIndex }: Pick<SearchState, "db" | "semanticIndex">,
  embedder: Embedder,
  { parallelism, signal }: TextEmbeddingOptions,
): (texts: ReadonlyMap<string, string>) => Promise<void> {
  const limit = createLimiter(parallelism);
  const unfinished = new Map<string, Promise<void>>();
  let hasFailed = false;

  async function embedPart(part: readonly (readonly [string, string])[]): Promise<void> {
    if (signal.aborted || hasFailed) return;
    const inputs = part.map(([, text]) => text);
    const vectors = await embedder.embed(inputs, signal);
    await db.waitUntilWritable({ signal, timeoutMs: Number.POSITIVE_INFINITY });
    semanticIndex
      .vectorStoreOf(embedder)
      .saveVectors(new Map(part.map(([hash], index) => [hash, elementAt(vectors, index)])));
  }

  function startPart(part: readonly (readonly [string, string])[]): void {
    const work = limit(() => embedPart(part))
      .catch((error) => {
        hasFailed = true;
        throw error;
      })
      .finally(() => {
        for (const [hash] of part) unfinished.delete(hash);
      });
    for (const [hash] of part) unfinished.set(hash, work);
  }

  return async (texts) => {
    const stored = semanticIndex.vectorStoreOf(embedder).idsOf([...texts.keys()]);
    const missing = [...texts].filter(([hash]) => !stored.has(hash));
    const added = missing.filter(([hash]) => !unfinished.has(hash));
    for (let at = 0; at < added.length; at += textsPerSave) {
      startPart(added.slice(at, at + textsPerSave));
    }
    const work = new Set(missing.map(([hash]) => unfinished.get(hash)));
    for (const end of await Promise.allSettled(work)) {
      if (end.status === "rejected") throw end.reason;
    }
  };
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
