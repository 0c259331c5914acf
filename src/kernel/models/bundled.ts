import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import bundled from "../../../models/bundled.json" with { type: "json" };
import config from "../../../models/reranker/config.json" with { type: "json" };
import { newHash } from "../hashing.ts";
import type { OnnxModel } from "./job.ts";

/** What vectors are stored with: those of another model, or of other weights, are never mixed in. */
export const embeddingModel = {
  id: bundled.embedder.id,
  weights: bundled.embedder.files["model.onnx"],
  dimensions: bundled.embedder.dimensions,
  /** Longer texts are cut; both ends of a text are marked by a token, which count. */
  mostTokens: bundled.embedder.mostTokens,
};

export const rerankingModel = {
  id: config.id,
  weights: bundled.reranker.files["model.onnx"],
  mostTokens: config.max_length,
  mostQueryTokens: config.max_query_tokens,
  /** How many of the best hits it was made to look at, and how its voice is mixed with theirs. */
  candidates: config.candidates,
  bands: config.blend.bands,
};

/** The files of a model that ships with the program, in the folder where all of them are. */
export function bundledModel(folder: string, part: keyof typeof bundled): OnnxModel {
  const { folder: own, files } = bundled[part];
  return {
    format: "onnx",
    network: join(folder, own, "model.onnx"),
    tokenizer: join(folder, own, "tokenizer.json"),
    sha256: files["model.onnx"],
    mostTokens: part === "embedder" ? embeddingModel.mostTokens : rerankingModel.mostTokens,
    mostQueryTokens: rerankingModel.mostQueryTokens,
    pooling: "mean",
  };
}

/** Beside the program's own bundle; while the sources are run, where the build puts it. */
export function shippedModels(): string {
  const beside = fileURLToPath(new URL("./models", import.meta.url));
  const built = fileURLToPath(new URL("../../../dist/models", import.meta.url));
  return existsSync(beside) ? beside : built;
}

/** The files of a model that are there and are not those that were built, as after a broken download. */
export function damagedFiles(part: keyof typeof bundled, folder = shippedModels()): string[] {
  const { folder: own, files } = bundled[part];
  return Object.entries(files)
    .map(([name, sha256]) => ({ name: `${own}/${name}`, sha256 }))
    .filter(({ name, sha256 }) => {
      const path = join(folder, name);
      return existsSync(path) && sumOf(path) !== sha256;
    })
    .map(({ name }) => name);
}

/** Piece by piece: the largest are not worth their memory for this. */
function sumOf(path: string): string {
  const hash = newHash();
  const piece = Buffer.alloc(1 << 20);
  const file = openSync(path, "r");
  try {
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      hash.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}
