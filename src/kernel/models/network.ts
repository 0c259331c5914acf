import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { hashOf } from "../hashing.ts";
import type { OnnxModel } from "./job.ts";

/**
 * What is used of the library. Its releases with types of their own fetch something when they are
 * installed, and npm leaves a library out where that fails.
 */
interface Runtime {
  InferenceSession: { create(network: string | Uint8Array, how: object): Promise<Session> };
  Tensor: new (type: "int64", numbers: BigInt64Array, shape: readonly number[]) => Tensor;
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

interface Tensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** A network that takes the numbers of tokens. */
export interface Network {
  /** What it makes of one text; the tokens from `secondPart` on are told apart from those before. */
  run(ids: readonly number[], secondPart?: number): Promise<Made>;
}

export interface Made {
  numbers: Float32Array;
  /** How many numbers there are for each token, of a network that speaks of tokens. */
  perToken: number | undefined;
}

/**
 * One text is run at a time. Within a network numbers are rounded to a grid that all texts of a
 * batch share, so that a text would get another vector in other company; and on a processor a
 * batch saves nothing.
 */
export async function openNetwork(
  model: OnnxModel,
  options: { runtime: string; threads: number },
): Promise<Network> {
  const content = model.sha256 && (await contentWith(model.sha256, model.network));
  // The path was resolved from the name of this very package.
  const loaded = (await import(pathToFileURL(options.runtime).href)) as { default: Runtime };
  const { InferenceSession, Tensor } = loaded.default;
  const how = {
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    // Threads that wait by spinning take the processor from everybody else, and gain nothing.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
    logSeverityLevel: 3,
  };
  // A large network keeps its weights in a file beside it, which is found by the path alone.
  const session = content
    ? await InferenceSession.create(content, how)
    : await InferenceSession.create(model.network, how);
  const { inputNames, outputNames } = session;
  const unknown = inputNames.find((name) => !(name in inputs));
  if (unknown) throw new Error(`The network wants ${unknown}, which is not known here.`);
  const output = tokenOutputs.find((name) => outputNames.includes(name)) ?? outputNames[0] ?? "";
  return {
    async run(ids, secondPart = ids.length) {
      const shape = [1, ids.length];
      const feeds = inputNames.map((name) => {
        const numbers = BigInt64Array.from(ids, (id, at) =>
          BigInt(inputs[name]?.(id, at >= secondPart) ?? 0),
        );
        return [name, new Tensor("int64", numbers, shape)] as const;
      });
      const { data, dims } = (await session.run(Object.fromEntries(feeds)))[output] ?? {};
      if (!(data instanceof Float32Array)) throw new Error("The model gave no numbers.");
      return { numbers: data, perToken: dims?.[2] };
    },
  };
}

/** What such networks want to know of a token. */
const inputs: Record<string, (id: number, isInSecondPart: boolean) => number> = {
  input_ids: (id) => id,
  attention_mask: () => 1,
  token_type_ids: (_, isInSecondPart) => (isInSecondPart ? 1 : 0),
};

/** What they call that which they make of each token, where they give something else too. */
const tokenOutputs = ["last_hidden_state", "token_embeddings"];

async function contentWith(sha256: string, network: string): Promise<Buffer> {
  const content = await readFile(network);
  const found = hashOf(content);
  if (found !== sha256) throw new Error("The model's file is not the one that was built.");
  return content;
}
