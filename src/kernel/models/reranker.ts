import { rerankingModel } from "./bundled.ts";
import type { ModelRuntime } from "./runtime.ts";

/** Reads a query and a passage together and says how well the one answers the other. */
export interface Reranker {
  readonly id: string;
  /** Why there is no model, or nothing; it may be asked at any time, and loads nothing. */
  readonly problem: string | undefined;
  /**
   * A number for each passage, which should be a title, a line break and a text: the higher, the
   * better. The numbers order passages of one query; alone they are a worse judge than the search
   * that found them, so they are mixed with its scores by `rerankingModel.bands`.
   */
  score(query: string, passages: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

export function openReranker(runtime: ModelRuntime): Reranker {
  return {
    id: rerankingModel.id,
    get problem() {
      return runtime.problemWith("reranker")?.explanation;
    },
    async score(query, passages, signal) {
      const scores: number[] = [];
      for (let at = 0; at < passages.length; at += passagesAtOnce) {
        const part = passages.slice(at, at + passagesAtOnce);
        const job = { model: "reranker", query, passages: part } as const;
        scores.push(...(await runtime.run(job, { isUrgent: true, signal })));
      }
      return scores;
    },
  };
}

/** Whoever no longer waits stops the work after so many passages. */
const passagesAtOnce = 4;
