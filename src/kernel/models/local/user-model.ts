import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileStamp, readTextIfPresent } from "../../files/atomic-file.ts";
import { createSha256 } from "../../files/hashes.ts";
import { bundledRerankingModel } from "../bundled-models.ts";
import type { LocalModel, OnnxModel } from "./job.ts";

/** A model that the user installed and configured. */
export interface UserModel {
  model: LocalModel;
  /** The name of its folder or file, without the path, which is private. */
  id: string;
}

/** The model of a setting with a path, relative to the configuration's folder. */
export function findUserModel(
  setting: { kind: string; path?: string; pooling?: OnnxModel["pooling"] | undefined },
  configFolder: string,
): UserModel | undefined {
  if (setting.path === undefined) return undefined;
  const path = resolve(configFolder, setting.path);
  const id = basename(path);
  if (setting.kind === "gguf") {
    return { id, model: { format: "gguf", file: path, stamp: filesStamp([path]) } };
  }
  return { id, model: modelInFolder(path, setting.pooling) };
}

/** A folder as downloaded from a model hub. Uses the first existing network file. */
function modelInFolder(folder: string, pooling: OnnxModel["pooling"] = "mean"): OnnxModel {
  const candidates = networkFileNames.map((name) => join(folder, name));
  const network = candidates.find((file) => existsSync(file)) ?? join(folder, "model.onnx");
  const tokenizer = join(folder, "tokenizer.json");
  return {
    format: "onnx",
    network,
    tokenizer,
    maxTokens: readMaxTokens(folder),
    maxQueryTokens: bundledRerankingModel.maxQueryTokens,
    pooling,
    stamp: filesStamp([network, `${network}_data`, tokenizer]),
  };
}

const networkFileNames = ["model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx"];

/** Supported by nearly all of these models, and more than a passage has. */
const defaultMaxTokens = 512;

/** The limit in the model's configuration, if it is lower. */
function readMaxTokens(folder: string): number {
  const config = orDefault("{}", () => readTextIfPresent(join(folder, "config.json")) ?? "{}");
  const maxPositions: unknown = orDefault(
    undefined,
    () => JSON.parse(config).max_position_embeddings,
  );
  return typeof maxPositions === "number" && maxPositions > 2
    ? Math.min(maxPositions, defaultMaxTokens)
    : defaultMaxTokens;
}

const filesStamp = (files: readonly string[]): string =>
  files.map((file) => orDefault("unreadable", () => fileStamp(file))).join(" ");

/** Ignores read errors: a wrong path is reported when the model is run. */
function orDefault<Result>(fallback: Result, read: () => Result): Result {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/**
 * A hash that identifies a model's weights by their content. Of a large file it hashes evenly spaced
 * samples only: hashing gigabytes would block, and retrained weights differ nearly everywhere.
 */
export function weightsDigest(model: LocalModel, documentPrefix = ""): string {
  const pooling = model.format === "onnx" ? model.pooling : "";
  const hash = createSha256().update(JSON.stringify([pooling, documentPrefix]));
  const files =
    model.format === "gguf"
      ? [model.file]
      : [model.network, `${model.network}_data`, model.tokenizer];
  for (const file of files) hash.update(orDefault(Buffer.of(), () => readSample(file)));
  return hash.digest("hex");
}

const sampleBytes = 4_096;
const maxSamples = 256;

function readSample(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size <= sampleBytes * maxSamples) return readFileSync(file);
    const sample = Buffer.alloc(sampleBytes * maxSamples + 8);
    sample.writeDoubleLE(size, sampleBytes * maxSamples);
    for (let index = 0; index < maxSamples; index++) {
      const start = Math.floor(((size - sampleBytes) * index) / (maxSamples - 1));
      readSync(file, sample, index * sampleBytes, sampleBytes, start);
    }
    return sample;
  } finally {
    closeSync(file);
  }
}
