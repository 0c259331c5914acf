import { embeddingModel, modelFiles } from "./bundled.ts";
import type { ModelRuntime } from "./runtime.ts";
import { openWordPieces, type WordPieces } from "./word-pieces.ts";

/** Turns texts into vectors of length one, whose product says how near two texts are. */
export interface Embedder {
  readonly id: string;
  /** The hash of the model's weights. Vectors of other weights are of another kind. */
  readonly weights: string;
  readonly dimensions: number;
  /** Why there is no model, or nothing; it may be asked at any time, and loads nothing. */
  readonly problem: string | undefined;
  /** For documents: queries go before. A text always gets the same vector. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** For what somebody waits for. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** How much of a text's room a part of it takes. The first count loads a table. */
  countTokens(text: string): number;
}

export function openEmbedder(runtime: ModelRuntime): Embedder {
  const { id, weights, dimensions } = embeddingModel;
  let pieces: WordPieces | undefined;

  async function vectorsOf(
    texts: readonly string[],
    isUrgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const numbers = await runtime.run({ model: "embedder", texts }, { isUrgent, signal });
    return texts.map((_, at) => numbers.slice(at * dimensions, (at + 1) * dimensions));
  }

  return {
    id,
    weights,
    dimensions,
    get problem() {
      return runtime.problemWith("embedder")?.explanation;
    },
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += textsAtOnce) {
        const part = texts.slice(at, at + textsAtOnce);
        vectors.push(...(await vectorsOf(part, false, signal)));
      }
      return vectors;
    },
    async embedQuery(text, signal) {
      const [vector] = await vectorsOf([text], true, signal);
      if (!vector) throw new Error("A text without a vector.");
      return vector;
    },
    countTokens(text) {
      const problem = runtime.problemWith("embedder");
      if (!pieces && problem) throw problem;
      pieces ??= openWordPieces(modelFiles(runtime.folder, "embedder").tokenizer);
      return pieces.count(text);
    },
  };
}

/** A query waits for at most so many texts, which take some 50 ms. */
const textsAtOnce = 4;
