import { bundledModel, rerankingModel } from "./bundled.ts";
import type { Languages } from "./embedder.ts";
import type { LocalModel } from "./job.ts";
import type { ModelRuntime } from "./runtime.ts";

/** Reads a query and a passage together and says how well the one answers the other. */
export interface Reranker {
  readonly id: string;
  /** A model that knows English alone has no say about anything else. */
  readonly languages: Languages;
  /** Why there is no model, or nothing; it may be asked at any time, and loads nothing. */
  readonly problem: string | undefined;
  /**
   * A number for each passage, which should be a title, a line break and a text: the higher, the
   * better. The numbers order passages of one query; alone they are a worse judge than the search
   * that found them, so they are mixed with its scores by `rerankingModel.bands`.
   */
  score(query: string, passages: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

interface LocalReranker {
  model: LocalModel;
  id: string;
  languages: Languages;
}

/** The one that ships with the program, unless another is named. */
export function openReranker(
  runtime: ModelRuntime,
  { model, id, languages }: LocalReranker = bundledReranker(runtime.folder),
): Reranker {
  return {
    id,
    languages,
    get problem() {
      return runtime.problemWith(model)?.explanation;
    },
    async score(query, passages, signal) {
      const scores: number[] = [];
      for (let at = 0; at < passages.length; at += passagesAtOnce) {
        const part = passages.slice(at, at + passagesAtOnce);
        const task = { task: "score", query, passages: part } as const;
        scores.push(...(await runtime.run(model, task, { isUrgent: true, signal })));
      }
      return scores;
    },
  };
}

const bundledReranker = (folder: string): LocalReranker => ({
  model: bundledModel(folder, "reranker"),
  id: rerankingModel.id,
  languages: "english",
});

/** Whoever no longer waits stops the work after so many passages. */
const passagesAtOnce = 4;
