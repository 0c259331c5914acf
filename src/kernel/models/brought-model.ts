import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { newHash } from "../hashing.ts";
import { contentOf, stampOf } from "../kept-file.ts";
import { rerankingModel } from "./bundled.ts";
import type { LocalModel, OnnxModel } from "./job.ts";

/** A model that people put on the disk themselves. */
export interface BroughtModel {
  model: LocalModel;
  /** The name of its folder or file; where that lies is nobody's business. */
  id: string;
}

/** The one that a setting names by its path, which starts from the configuration's folder. */
export function broughtModel(
  setting: { kind: string; path?: string; pooling?: OnnxModel["pooling"] | undefined },
  configFolder: string,
): BroughtModel | undefined {
  if (setting.path === undefined) return undefined;
  const place = resolve(configFolder, setting.path);
  const id = basename(place);
  if (setting.kind === "gguf") {
    return { id, model: { format: "gguf", file: place, stamp: stampIn([place]) } };
  }
  return { id, model: folderModel(place, setting.pooling) };
}

/** A folder as model hubs give it; which of the files is there decides. */
function folderModel(folder: string, pooling: OnnxModel["pooling"] = "mean"): OnnxModel {
  const places = networkPlaces.map((place) => join(folder, place));
  const network = places.find((file) => existsSync(file)) ?? join(folder, "model.onnx");
  const tokenizer = join(folder, "tokenizer.json");
  return {
    format: "onnx",
    network,
    tokenizer,
    mostTokens: mostTokensIn(folder),
    mostQueryTokens: rerankingModel.mostQueryTokens,
    pooling,
    stamp: stampIn([network, `${network}_data`, tokenizer]),
  };
}

const networkPlaces = ["model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx"];

/** What nearly all of these models can read, and more than a passage has. */
const usualTokens = 512;

/** A few can read less, and their configuration says so. */
function mostTokensIn(folder: string): number {
  const config = orElse("{}", () => contentOf(join(folder, "config.json")) ?? "{}");
  const most: unknown = orElse(undefined, () => JSON.parse(config).max_position_embeddings);
  return typeof most === "number" && most > 2 ? Math.min(most, usualTokens) : usualTokens;
}

const stampIn = (files: readonly string[]): string =>
  files.map((file) => orElse("unreadable", () => stampOf(file))).join(" ");

/** A path that people wrote may lead anywhere; that it leads to no model is told when one is run. */
function orElse<Result>(otherwise: Result, read: () => Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/**
 * Tells one model's weights from another's by their content, wherever they lie. Of a large file it
 * reads pieces from its start to its end: a hash of gigabytes would keep everybody waiting, and
 * weights that were trained anew differ nearly everywhere.
 */
export function weightsOf(model: LocalModel, documentPrefix = ""): string {
  const pooling = model.format === "onnx" ? model.pooling : "";
  const hash = newHash().update(JSON.stringify([pooling, documentPrefix]));
  const files =
    model.format === "gguf"
      ? [model.file]
      : [model.network, `${model.network}_data`, model.tokenizer];
  for (const file of files) hash.update(orElse(Buffer.of(), () => sampleOf(file)));
  return hash.digest("hex");
}

const piece = 4_096;
const mostPieces = 256;

function sampleOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size <= piece * mostPieces) return readFileSync(file);
    const sample = Buffer.alloc(piece * mostPieces + 8);
    sample.writeDoubleLE(size, piece * mostPieces);
    for (let place = 0; place < mostPieces; place++) {
      const start = Math.floor(((size - piece) * place) / (mostPieces - 1));
      readSync(file, sample, place * piece, piece, start);
    }
    return sample;
  } finally {
    closeSync(file);
  }
}
