import { estimateTokens } from "../../text/search/token-estimate.ts";
import { Failure } from "../failure.ts";
import { bundledEmbeddingModel, bundledModelFiles } from "./bundled-models.ts";
import type { LocalModel } from "./local/job.ts";
import type { ModelRunner } from "./local/model-runner.ts";
import { type ModelTokenizer, openModelTokenizer } from "./local/model-tokenizer.ts";
import { createVectorDimensions, type VectorDimensions } from "./vector-dimensions.ts";

/** Turns texts into unit vectors, whose dot product is the similarity of two texts. */
export interface Embedder {
  readonly id: string;
  /** The hash of the model's weights. Vectors of different weights cannot be compared. */
  readonly weights: string;
  /** May be unknown before the model's first use. */
  readonly dimensions: number | undefined;
  /** An English-only model is not used for other languages. */
  readonly languages: SupportedLanguages;
  /** True if the configuration disables embedding. */
  readonly isOff: boolean;
  /** Why the model cannot be used, if so. Reading it does not load the model. */
  readonly problem: string | undefined;
  /** Embeds documents, with lower priority than queries. Deterministic: equal texts, equal vectors. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** How many concurrent calls of `embed` are faster than one. */
  readonly parallelism: number;
  /** Embeds a query, with priority over documents. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** The number of tokens of a text. The first call loads the tokenizer. */
  countTokens(text: string): number;
}

export type SupportedLanguages = "english" | "all";

/** A model on the local disk. */
export interface LocalEmbedderOptions {
  model: LocalModel;
  id: string;
  weights: string;
  dimensions: VectorDimensions;
  languages: SupportedLanguages;
  query_prefix?: string | undefined;
  document_prefix?: string | undefined;
}

/** Opens a model on the local disk; default: the bundled one. */
export function openLocalEmbedder(
  runtime: ModelRunner,
  options: LocalEmbedderOptions = bundledEmbedder(runtime.folder),
): Embedder {
  const { model, dimensions, query_prefix = "", document_prefix = "" } = options;
  const isParallel = model.format === "onnx" && model.isSmall === true;
  let tokenizer: ModelTokenizer | undefined;

  async function embedBatch(
    texts: readonly string[],
    isUrgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const priority = { isUrgent, isParallel: isParallel && !isUrgent, signal };
    const numbers = await runtime.run(model, { task: "embed", texts }, priority);
    const length = numbers.length / texts.length;
    if (!dimensions.accepts(length)) {
      const message = `The model returned vectors of ${length} numbers instead of ${dimensions.known}.`;
      throw new Failure("unavailable", "no-model", message);
    }
    return texts.map((_, at) => numbers.slice(at * length, (at + 1) * length));
  }

  return {
    id: options.id,
    weights: options.weights,
    get dimensions() {
      return dimensions.known;
    },
    languages: options.languages,
    isOff: false,
    get problem() {
      return runtime.problemWith(model)?.explanation;
    },
    parallelism: isParallel ? runtime.lanes : 1,
    embed: (texts, signal) =>
      embedInBatches(texts, batchSize, (part) =>
        embedBatch(
          part.map((text) => `${document_prefix}${text}`),
          false,
          signal,
        ),
      ),
    async embedQuery(text, signal) {
      const [vector] = await embedBatch([`${query_prefix}${text}`], true, signal);
      if (!vector) throw new Error("The model returned no vector.");
      return vector;
    },
    countTokens(text) {
      if (model.format === "gguf") return estimateTokens(text);
      const problem = runtime.problemWith(model);
      if (!tokenizer && problem) throw problem;
      tokenizer ??= openModelTokenizer(model.tokenizer);
      return tokenizer.countTokens(text);
    },
  };
}

/** The vectors of all texts, embedded in batches of this size. */
export async function embedInBatches(
  texts: readonly string[],
  size: number,
  embedBatch: (batch: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += size) {
    vectors.push(...(await embedBatch(texts.slice(at, at + size))));
  }
  return vectors;
}

const bundledEmbedder = (folder: string): LocalEmbedderOptions => ({
  model: bundledModelFiles(folder, "embedder"),
  id: bundledEmbeddingModel.id,
  weights: bundledEmbeddingModel.weights,
  dimensions: createVectorDimensions(() => bundledEmbeddingModel.dimensions),
  languages: "english",
});

/** A query waits for one batch of documents at most, which takes about 50 ms. */
const batchSize = 4;

export const embeddingDisabled = (): Failure =>
  new Failure("unavailable", "no-model", "Semantic search is disabled.", {
    hints: ["In the configuration, models.embedding is 'none'."],
  });

export const createDisabledEmbedder = (): Embedder => ({
  id: "none",
  weights: "",
  dimensions: undefined,
  languages: "all",
  isOff: true,
  problem: embeddingDisabled().explanation,
  parallelism: 1,
  embed: () => Promise.reject(embeddingDisabled()),
  embedQuery: () => Promise.reject(embeddingDisabled()),
  countTokens: estimateTokens,
});
