import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import bundled from "../../../models/bundled.json" with { type: "json" };
import config from "../../../models/reranker/config.json" with { type: "json" };
import { createSha256 } from "../files/hashes.ts";
import type { OnnxModel } from "./local/job.ts";

/** Vectors are stored with the id and weights of their model, so that models are never mixed. */
export const bundledEmbeddingModel = {
  id: bundled.embedder.id,
  weights: bundled.embedder.files["model.onnx"],
  dimensions: bundled.embedder.dimensions,
  /** Longer texts are truncated. The special tokens at both ends of a text count. */
  maxTokens: bundled.embedder.maxTokens,
};

export const bundledRerankingModel = {
  id: config.id,
  weights: bundled.reranker.files["model.onnx"],
  maxTokens: config.max_length,
  maxQueryTokens: config.max_query_tokens,
  /** The number of top matches to re-rank, and how the two scores are blended. */
  candidates: config.candidates,
  bands: config.blend.bands,
};

/** The files of a bundled model. `folder` contains the folders of all bundled models. */
export function bundledModelFiles(folder: string, part: keyof typeof bundled): OnnxModel {
  const { folder: subfolder, files } = bundled[part];
  return {
    format: "onnx",
    network: join(folder, subfolder, "model.onnx"),
    tokenizer: join(folder, subfolder, "tokenizer.json"),
    sha256: files["model.onnx"],
    maxTokens:
      part === "embedder" ? bundledEmbeddingModel.maxTokens : bundledRerankingModel.maxTokens,
    maxQueryTokens: bundledRerankingModel.maxQueryTokens,
    pooling: "mean",
    isSmall: true,
  };
}

/** Next to the program's bundle, or in `dist` when running from source. */
export function bundledModelsFolder(): string {
  const beside = fileURLToPath(new URL("./models", import.meta.url));
  const built = fileURLToPath(new URL("../../../dist/models", import.meta.url));
  return existsSync(beside) ? beside : built;
}

/** The files of a bundled model that exist with a wrong checksum, as after a broken download. */
export function damagedModelFiles(
  part: keyof typeof bundled,
  folder = bundledModelsFolder(),
): string[] {
  const { folder: subfolder, files } = bundled[part];
  return Object.entries(files)
    .map(([name, sha256]) => ({ name: `${subfolder}/${name}`, sha256 }))
    .filter(({ name, sha256 }) => {
      const path = join(folder, name);
      return existsSync(path) && fileChecksum(path) !== sha256;
    })
    .map(({ name }) => name);
}

/** Reads in chunks, because model files are large. */
function fileChecksum(path: string): string {
  const hash = createSha256();
  const buffer = Buffer.alloc(1 << 20);
  const file = openSync(path, "r");
  try {
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}
