import type { GgufModel } from "./job.ts";
import type { RunningModel } from "./running-model.ts";

/** The package that runs such files; people install it themselves, since it is large. */
export const llamaPackage = "node-llama-cpp";

/** What we use of it. */
interface LlamaLibrary {
  getLlama(options: { logLevel: string }): Promise<{
    loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  }>;
  LlamaChatSession: new (options: {
    contextSequence: unknown;
    systemPrompt: string;
  }) => {
    prompt(text: string, options: { maxTokens: number; temperature: number }): Promise<string>;
    dispose(): void;
  };
}

interface LlamaModel {
  createEmbeddingContext(): Promise<{
    getEmbeddingFor(text: string): Promise<{ vector: readonly number[] }>;
  }>;
  createRankingContext(): Promise<{
    rankAll(query: string, documents: readonly string[]): Promise<number[]>;
  }>;
  createContext(): Promise<{ getSequence(): unknown; dispose(): Promise<void> }>;
}

/** A context for each kind of work is made when it is first wanted, and kept. */
export async function loadGguf({ file }: GgufModel): Promise<RunningModel> {
  // The package's own types would have to be installed to be checked against.
  const { getLlama, LlamaChatSession } = (await import(llamaPackage)) as LlamaLibrary;
  const llama = await getLlama({ logLevel: "disabled" });
  const model = await llama.loadModel({ modelPath: file });
  let embedding: ReturnType<LlamaModel["createEmbeddingContext"]> | undefined;
  let ranking: ReturnType<LlamaModel["createRankingContext"]> | undefined;

  return {
    async embed(texts) {
      embedding ??= model.createEmbeddingContext();
      const context = await embedding;
      const numbers: number[] = [];
      for (const text of texts) {
        const { vector } = await context.getEmbeddingFor(text);
        const length = Math.hypot(...vector);
        if (!(length > 0)) throw new Error("The model gave a vector without a direction.");
        for (const number of vector) numbers.push(number / length);
      }
      return Float32Array.from(numbers);
    },
    async score(query, passages) {
      ranking ??= model.createRankingContext();
      return Float32Array.from(await (await ranking).rankAll(query, passages));
    },
    async write(system, prompt, mostTokens) {
      const context = await model.createContext();
      try {
        const session = new LlamaChatSession({
          contextSequence: context.getSequence(),
          systemPrompt: system,
        });
        return await session.prompt(prompt, { maxTokens: mostTokens, temperature: 0 });
      } finally {
        await context.dispose();
      }
    },
  };
}
