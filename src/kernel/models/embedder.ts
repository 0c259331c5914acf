import { estimateTokens } from "../../text/token-estimate.ts";
import { Failure } from "../failure.ts";
import { bundledModel, embeddingModel } from "./bundled.ts";
import { type Dimensions, makeDimensions } from "./dimensions.ts";
import type { LocalModel } from "./job.ts";
import type { ModelRuntime } from "./runtime.ts";
import { openWordPieces, type WordPieces } from "./word-pieces.ts";

/** Turns texts into vectors of length one, whose product says how near two texts are. */
export interface Embedder {
  readonly id: string;
  /** The hash of the model's weights. Vectors of other weights are of another kind. */
  readonly weights: string;
  /** Unknown as long as the model has not been used. */
  readonly dimensions: number | undefined;
  /** A model that knows English alone has no say about anything else. */
  readonly languages: Languages;
  /** True where people want no vectors at all. */
  readonly isOff: boolean;
  /** Why there is no model, or nothing; it may be asked at any time, and loads nothing. */
  readonly problem: string | undefined;
  /** For documents: queries go before. A text always gets the same vector. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** For what somebody waits for. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** How much of a text's room a part of it takes. The first count loads a table. */
  countTokens(text: string): number;
}

export type Languages = "english" | "all";

/** What is said of a model on this machine's disk, beside its files. */
export interface LocalEmbedder {
  model: LocalModel;
  id: string;
  weights: string;
  dimensions: Dimensions;
  languages: Languages;
  query_prefix?: string | undefined;
  document_prefix?: string | undefined;
}

/** The one that ships with the program, unless another is named. */
export function openEmbedder(
  runtime: ModelRuntime,
  about: LocalEmbedder = bundledEmbedder(runtime.folder),
): Embedder {
  const { model, dimensions, query_prefix = "", document_prefix = "" } = about;
  let pieces: WordPieces | undefined;

  async function vectorsOf(
    texts: readonly string[],
    isUrgent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const numbers = await runtime.run(model, { task: "embed", texts }, { isUrgent, signal });
    const length = numbers.length / texts.length;
    if (!dimensions.fits(length)) {
      const message = `The model gave vectors of ${length} numbers instead of ${dimensions.known}.`;
      throw new Failure("unavailable", "no-model", message);
    }
    return texts.map((_, at) => numbers.slice(at * length, (at + 1) * length));
  }

  return {
    id: about.id,
    weights: about.weights,
    get dimensions() {
      return dimensions.known;
    },
    languages: about.languages,
    isOff: false,
    get problem() {
      return runtime.problemWith(model)?.explanation;
    },
    embed: (texts, signal) =>
      inParts(texts, textsAtOnce, (part) =>
        vectorsOf(
          part.map((text) => `${document_prefix}${text}`),
          false,
          signal,
        ),
      ),
    async embedQuery(text, signal) {
      const [vector] = await vectorsOf([`${query_prefix}${text}`], true, signal);
      if (!vector) throw new Error("A text without a vector.");
      return vector;
    },
    countTokens(text) {
      if (model.format === "gguf") return estimateTokens(text);
      const problem = runtime.problemWith(model);
      if (!pieces && problem) throw problem;
      pieces ??= openWordPieces(model.tokenizer);
      return pieces.count(text);
    },
  };
}

/** The vectors of all texts, of so many at once. */
export async function inParts(
  texts: readonly string[],
  atOnce: number,
  vectorsOf: (part: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += atOnce) {
    vectors.push(...(await vectorsOf(texts.slice(at, at + atOnce))));
  }
  return vectors;
}

const bundledEmbedder = (folder: string): LocalEmbedder => ({
  model: bundledModel(folder, "embedder"),
  id: embeddingModel.id,
  weights: embeddingModel.weights,
  dimensions: makeDimensions(() => embeddingModel.dimensions),
  languages: "english",
});

/** A query waits for at most so many texts, which take some 50 ms. */
const textsAtOnce = 4;

/** What somebody is told who wants vectors where people switched them off. */
export const switchedOff = (): Failure =>
  new Failure("unavailable", "no-model", "Search by meaning is switched off.", {
    hints: ["In the configuration, models.embedding is 'none'."],
  });

export const switchedOffEmbedder = (): Embedder => ({
  id: "none",
  weights: "",
  dimensions: undefined,
  languages: "all",
  isOff: true,
  problem: switchedOff().explanation,
  embed: () => Promise.reject(switchedOff()),
  embedQuery: () => Promise.reject(switchedOff()),
  countTokens: estimateTokens,
});
