import { float32At } from "../../text/arrays/typed-element-at.ts";
import { bundledModelFiles, bundledRerankingModel } from "./bundled-models.ts";
import type { SupportedLanguages } from "./embedder.ts";
import type { LocalModel } from "./local/job.ts";
import type { ModelRunner } from "./local/model-runner.ts";
import { createRecentScores } from "./recent-scores.ts";

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
  const isParallel = model.format === "onnx" && model.isSmall === true;
  const recent = createRecentScores();
  const concurrent = isParallel ? Math.min(runtime.lanes, maxProcesses) : 1;
  return {
    id,
    languages,
    get problem() {
      return runtime.problemWith(model)?.explanation;
    },
    async score(query, passages, signal) {
      const scores = passages.map((passage) => recent.find(query, passage) ?? Number.NaN);
      // The longest first, so that the last batches, for which the others wait, are short.
      const waiting = [...passages.entries()]
        .filter(([place]) => Number.isNaN(scores[place]))
        .sort(([, a], [, b]) => b.length - a.length);

      async function scoreBatches(): Promise<void> {
        while (waiting.length > 0) {
          const batch = waiting.splice(0, batchSize);
          const task = { task: "score", query, passages: batch.map(([, text]) => text) } as const;
          const found = await runtime.run(model, task, { isUrgent: true, isParallel, signal });
          for (const [index, [place, passage]] of batch.entries()) {
            scores[place] = float32At(found, index);
            recent.save(query, passage, float32At(found, index));
          }
        }
      }

      try {
        await Promise.all(Array.from({ length: concurrent }, scoreBatches));
      } finally {
        // After a failure, nothing new is started.
        waiting.length = 0;
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

/** An aborted request stops after the current batches, and other queries run between two batches. */
const batchSize = 2;

/** Each process needs memory for the model. */
const maxProcesses = 4;
