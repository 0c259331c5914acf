import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type * as Runtime from "onnxruntime-node";
import type { ModelFiles } from "./bundled.ts";

/** A network that takes the numbers of tokens. */
export interface Network {
  /** What it makes of one text; the tokens from `secondPart` on are told apart from those before. */
  run(ids: readonly number[], secondPart?: number): Promise<Float32Array>;
}

/**
 * One text is run at a time. Within a network numbers are rounded to a grid that all texts of a
 * batch share, so that a text would get another vector in other company; and on a processor a
 * batch saves nothing.
 */
export async function openNetwork(
  files: ModelFiles,
  options: { runtime: string; threads: number },
): Promise<Network> {
  const content = await readFile(files.network);
  const found = createHash("sha256").update(content).digest("hex");
  if (found !== files.weights) throw new Error("The model's file is not the one that was built.");
  // The path was resolved from the name of this very package.
  const loaded = (await import(pathToFileURL(options.runtime).href)) as { default: typeof Runtime };
  const { InferenceSession, Tensor } = loaded.default;
  const session = await InferenceSession.create(content, {
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    // Threads that wait by spinning take the processor from everybody else, and gain nothing.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
    logSeverityLevel: 3,
  });
  const output = session.outputNames[0] ?? "";
  return {
    async run(ids, secondPart = ids.length) {
      const shape = [1, ids.length];
      const results = await session.run({
        input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor(
          "int64",
          BigInt64Array.from(ids, () => 1n),
          shape,
        ),
        token_type_ids: new Tensor(
          "int64",
          BigInt64Array.from(ids, (_, at) => (at < secondPart ? 0n : 1n)),
          shape,
        ),
      });
      const numbers = results[output]?.data;
      if (!(numbers instanceof Float32Array)) throw new Error("The model gave no numbers.");
      return numbers;
    },
  };
}
