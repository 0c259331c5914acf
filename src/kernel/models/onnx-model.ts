import type { ModelProcessOptions, OnnxModel } from "./job.ts";
import { type Made, openNetwork } from "./network.ts";
import type { RunningModel } from "./running-model.ts";
import { openWordPieces } from "./word-pieces.ts";

/** A network with the tokens that it was taught, as an embedder or a re-ranker. */
export async function loadOnnx(
  model: OnnxModel,
  options: Pick<ModelProcessOptions, "runtime" | "threads">,
): Promise<RunningModel> {
  const network = await openNetwork(model, options);
  const pieces = openWordPieces(model.tokenizer);
  const { alone, pair } = pieces.marks;

  return {
    async embed(texts) {
      const room = model.mostTokens - alone.before.length - alone.after.length;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        const made = await network.run([
          ...alone.before,
          ...pieces.idsOf(text, room),
          ...alone.after,
        ]);
        vectors.push(unitVector(made, model.pooling));
      }
      return joined(vectors);
    },
    async score(query, passages) {
      const asked = pieces.idsOf(query, model.mostQueryTokens);
      const first = [...pair.before, ...asked, ...pair.between];
      const room = model.mostTokens - first.length - pair.after.length;
      const scores = new Float32Array(passages.length);
      for (const [at, passage] of passages.entries()) {
        const ids = [...first, ...pieces.idsOf(passage, room), ...pair.after];
        const { numbers } = await network.run(ids, first.length);
        if (numbers.length !== 1) throw new Error("A re-ranker gives one number for a pair.");
        scores.set(numbers, at);
      }
      return scores;
    },
    write() {
      throw new Error("A network of this kind writes nothing.");
    },
  };
}

/** The mean of what the network makes of each token, or the first of them, brought to length one. */
function unitVector({ numbers, perToken }: Made, pooling: OnnxModel["pooling"]): Float32Array {
  const dimensions = perToken ?? numbers.length;
  const sum = new Float32Array(dimensions);
  const end = pooling === "first" ? dimensions : numbers.length;
  for (let at = 0; at < end; at++) {
    const place = at % dimensions;
    sum[place] = (sum[place] ?? 0) + (numbers[at] ?? 0);
  }
  const length = Math.hypot(...sum);
  if (!(length > 0)) throw new Error("The model gave a vector without a direction.");
  return sum.map((number) => number / length);
}

function joined(vectors: readonly Float32Array[]): Float32Array {
  const dimensions = vectors[0]?.length ?? 0;
  const numbers = new Float32Array(vectors.length * dimensions);
  for (const [at, vector] of vectors.entries()) numbers.set(vector, at * dimensions);
  return numbers;
}
