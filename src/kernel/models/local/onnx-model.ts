import { float32At } from "../../../text/arrays/typed-element-at.ts";
import type { ModelProcessOptions, OnnxModel } from "./job.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { openModelTokenizer } from "./model-tokenizer.ts";
import { type NetworkOutput, openOnnxNetwork } from "./onnx-network.ts";

/** Loads a network and its tokenizer, as an embedder or a re-ranker. */
export async function loadOnnxModel(
  model: OnnxModel,
  options: Pick<ModelProcessOptions, "runtime" | "threads">,
): Promise<LoadedModel> {
  const network = await openOnnxNetwork(model, options);
  const tokenizer = openModelTokenizer(model.tokenizer);
  const { alone, pair } = tokenizer.specialTokens;

  return {
    async embed(texts) {
      const room = model.maxTokens - alone.before.length - alone.after.length;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        const output = await network.run([
          ...alone.before,
          ...tokenizer.encode(text, room),
          ...alone.after,
        ]);
        vectors.push(unitVector(output, model.pooling));
      }
      return concatVectors(vectors);
    },
    async score(query, passages) {
      const queryIds = tokenizer.encode(query, model.maxQueryTokens);
      const first = [...pair.before, ...queryIds, ...pair.between];
      const room = model.maxTokens - first.length - pair.after.length;
      const scores = new Float32Array(passages.length);
      for (const [at, passage] of passages.entries()) {
        const ids = [...first, ...tokenizer.encode(passage, room), ...pair.after];
        const { numbers } = await network.run(ids, first.length);
        if (numbers.length !== 1) throw new Error("A re-ranker must return one number per pair.");
        scores.set(numbers, at);
      }
      return scores;
    },
    generate() {
      throw new Error("An ONNX model cannot generate text.");
    },
  };
}

/** Pools the vectors of the tokens (their mean, or the first one) and normalises the result. */
function unitVector(
  { numbers, perToken }: NetworkOutput,
  pooling: OnnxModel["pooling"],
): Float32Array {
  const dimensions = perToken ?? numbers.length;
  const sum = new Float32Array(dimensions);
  const end = pooling === "first" ? dimensions : numbers.length;
  for (let at = 0; at < end; at++) {
    const index = at % dimensions;
    sum[index] = float32At(sum, index) + float32At(numbers, at);
  }
  const length = Math.hypot(...sum);
  if (!(length > 0)) throw new Error("The model returned a zero vector.");
  return sum.map((number) => number / length);
}

function concatVectors(vectors: readonly Float32Array[]): Float32Array {
  const dimensions = vectors[0]?.length ?? 0;
  const numbers = new Float32Array(vectors.length * dimensions);
  for (const [at, vector] of vectors.entries()) numbers.set(vector, at * dimensions);
  return numbers;
}
