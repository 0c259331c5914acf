import type { GgufModel } from "./job.ts";
import type { LoadedModel } from "./loaded-model.ts";

/** The package that runs GGUF files. Users install it themselves, because it is large. */
export const llamaPackage = "node-llama-cpp";

/** The part of its API that is used here. */
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

/** Creates the embedding and ranking contexts on first use. */
export async function loadGgufModel({ file }: GgufModel): Promise<LoadedModel> {
  // An optional package, so its types may be missing at compile time.
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
        if (!(length > 0)) throw new Error("The model returned a zero vector.");
        for (const number of vector) numbers.push(number / length);
      }
      return Float32Array.from(numbers);
    },
    async score(query, passages) {
      ranking ??= model.createRankingContext();
      return Float32Array.from(await (await ranking).rankAll(query, passages));
    },
    async generate(system, prompt, maxTokens) {
      const context = await model.createContext();
      try {
        const session = new LlamaChatSession({
          contextSequence: context.getSequence(),
          systemPrompt: system,
        });
        return await session.prompt(prompt, { maxTokens, temperature: 0 });
      } finally {
        await context.dispose();
      }
    },
  };
}
