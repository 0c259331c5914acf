/**
 * The process that runs the models, one job after the other. A network keeps the thread that calls
 * it busy until it is done, and its library is native code: neither belongs into a server.
 */
import { embeddingModel, type ModelName, modelFiles, rerankingModel } from "./bundled.ts";
import type { ModelAnswer, ModelJob, ModelProcessOptions } from "./job.ts";
import { type Network, openNetwork } from "./network.ts";
import { openWordPieces, type WordPieces } from "./word-pieces.ts";

// The process that starts this one writes the options itself.
const options = JSON.parse(process.argv[2] ?? "") as ModelProcessOptions;

interface Model {
  network: Network;
  pieces: WordPieces;
}

/** Each is loaded by its first job. */
const models = new Map<ModelName, Model>();

process.on("disconnect", () => process.exit());
process.on("message", async (job: ModelJob) => process.send?.(await answerTo(job)));

async function answerTo(job: ModelJob): Promise<ModelAnswer> {
  let isLoaded = false;
  try {
    const model = models.get(job.model) ?? (await load(job.model));
    isLoaded = true;
    return { numbers: await resultOf(job, model) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), isLoaded };
  }
}

async function load(name: ModelName): Promise<Model> {
  const files = modelFiles(options.folder, name);
  const model = {
    network: await openNetwork(files, options),
    pieces: openWordPieces(files.tokenizer),
  };
  models.set(name, model);
  return model;
}

async function resultOf(job: ModelJob, { network, pieces }: Model): Promise<Float32Array> {
  if (job.model === "embedder") {
    const { dimensions } = embeddingModel;
    const vectors = new Float32Array(job.texts.length * dimensions);
    for (const [at, text] of job.texts.entries()) {
      const tokens = await network.run(textTokens(pieces, text));
      vectors.set(unitVector(tokens, dimensions), at * dimensions);
    }
    return vectors;
  }
  const query = [pieces.opening, ...pieces.idsOf(job.query, rerankingModel.mostQueryTokens)];
  query.push(pieces.closing);
  const scores = new Float32Array(job.passages.length);
  for (const [at, passage] of job.passages.entries()) {
    const rest = rerankingModel.mostTokens - query.length - 1;
    const pair = [...query, ...pieces.idsOf(passage, rest), pieces.closing];
    scores.set(await network.run(pair, query.length), at);
  }
  return scores;
}

const textTokens = (pieces: WordPieces, text: string): number[] => [
  pieces.opening,
  ...pieces.idsOf(text, embeddingModel.mostTokens - 2),
  pieces.closing,
];

/** The mean of what the network makes of each token, brought to length one. */
function unitVector(tokens: Float32Array, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (let at = 0; at < tokens.length; at++) {
    const place = at % dimensions;
    sum[place] = (sum[place] ?? 0) + (tokens[at] ?? 0);
  }
  const length = Math.hypot(...sum);
  if (!(length > 0)) throw new Error("The model gave a vector without a direction.");
  return sum.map((number) => number / length);
}
