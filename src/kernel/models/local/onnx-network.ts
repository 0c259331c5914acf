import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { sha256Hex } from "../../files/hashes.ts";
import type { OnnxModel } from "./job.ts";

/**
 * The part of the library's API that is used here. The releases with their own types download
 * something on installation, and npm skips an optional dependency whose installation fails.
 */
interface OnnxRuntime {
  InferenceSession: { create(network: string | Uint8Array, how: object): Promise<OnnxSession> };
  Tensor: new (type: "int64", numbers: BigInt64Array, shape: readonly number[]) => Tensor;
}

interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

interface Tensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** A network that takes token ids. */
export interface OnnxNetwork {
  /** Runs one text. The tokens from `secondPart` on get the token type of the second text. */
  run(ids: readonly number[], secondPart?: number): Promise<NetworkOutput>;
}

export interface NetworkOutput {
  numbers: Float32Array;
  /** The number of values per token, if the output has a vector for each token. */
  perToken: number | undefined;
}

/**
 * Runs one text at a time. Dynamic quantisation uses one scale for a whole batch, so the vector of a
 * text would depend on the other texts; and on a CPU, batches are not faster.
 */
export async function openOnnxNetwork(
  model: OnnxModel,
  options: { runtime: string; threads: number },
): Promise<OnnxNetwork> {
  const content = model.sha256 && (await readVerifiedContent(model.sha256, model.network));
  // `runtime` is the resolved path of this package.
  const loaded = (await import(pathToFileURL(options.runtime).href)) as { default: OnnxRuntime };
  const { InferenceSession, Tensor } = loaded.default;
  const sessionOptions = {
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  };
  // A large network stores its weights in a second file, which is only found through the path.
  const session = content
    ? await InferenceSession.create(content, sessionOptions)
    : await InferenceSession.create(model.network, sessionOptions);
  const { inputNames, outputNames } = session;
  const unknown = inputNames.find((name) => !(name in inputBuilders));
  if (unknown) throw new Error(`The network requires the unsupported input ${unknown}.`);
  const output = tokenOutputs.find((name) => outputNames.includes(name)) ?? outputNames[0] ?? "";
  return {
    async run(ids, secondPart = ids.length) {
      const shape = [1, ids.length];
      const feeds = inputNames.map((name) => {
        const numbers = BigInt64Array.from(ids, (id, at) =>
          BigInt(inputBuilders[name]?.(id, at >= secondPart) ?? 0),
        );
        return [name, new Tensor("int64", numbers, shape)] as const;
      });
      const { data, dims } = (await session.run(Object.fromEntries(feeds)))[output] ?? {};
      if (!(data instanceof Float32Array)) throw new Error("The model returned no numbers.");
      return { numbers: data, perToken: dims?.[2] };
    },
  };
}

/** The values of the supported inputs for a token. */
const inputBuilders: Record<string, (id: number, isInSecondPart: boolean) => number> = {
  input_ids: (id) => id,
  attention_mask: () => 1,
  token_type_ids: (_, isInSecondPart) => (isInSecondPart ? 1 : 0),
};

/** The usual names of the output with a vector for each token. */
const tokenOutputs = ["last_hidden_state", "token_embeddings"];

async function readVerifiedContent(sha256: string, network: string): Promise<Buffer> {
  const content = await readFile(network);
  if (sha256Hex(content) !== sha256) throw new Error("The model's file has a wrong checksum.");
  return content;
}
