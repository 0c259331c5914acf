import { bundledModelFiles, bundledRerankingModel } from "./bundled-models.ts";
import type { SupportedLanguages } from "./embedder.ts";
import type { LocalModel } from "./local/job.ts";
import type { ModelRunner } from "./local/model-runner.ts";

/** A cross-encoder: it reads a query and a passage together and scores how well they match. */
export interface Reranker {
  readonly id: string;
  /** An English-only model is not used for other languages. */
  readonly languages: SupportedLanguages;
  /** Why the model cannot be used, if so. Reading it does not load the model. */
  readonly problem: string | undefined;
  /**
   * A score for each passage, higher is better. A passage should be a title, a line break and a
   * text. Scores are comparable only within one query. They rank worse than the scores of the
   * search, so the two are blended by `bundledRerankingModel.bands`.
   */
  score(query: string, passages: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

interface LocalRerankerOptions {
  model: LocalModel;
  id: string;
  languages: SupportedLanguages;
}

/** Opens a model on the local disk; default: the bundled one. */
export function openLocalReranker(
  runtime: ModelRunner,
  { model, id, languages }: LocalRerankerOptions = bundledReranker(runtime.folder),
): Reranker {
  return {
    id,
    languages,
    get problem() {
      return runtime.problemWith(model)?.explanation;
    },
    async score(query, passages, signal) {
      const scores: number[] = [];
      for (let at = 0; at < passages.length; at += batchSize) {
        const part = passages.slice(at, at + batchSize);
        const task = { task: "score", query, passages: part } as const;
        scores.push(...(await runtime.run(model, task, { isUrgent: true, signal })));
      }
      return scores;
    },
  };
}

const bundledReranker = (folder: string): LocalRerankerOptions => ({
  model: bundledModelFiles(folder, "reranker"),
  id: bundledRerankingModel.id,
  languages: "english",
});

/** An aborted request stops after the current batch. */
const batchSize = 4;
