import { type Embedder, openEmbedder } from "./embedder.ts";
import { openReranker, type Reranker } from "./reranker.ts";
import { openModelRuntime } from "./runtime.ts";

/** The models of this process, which all shelves share. */
export interface Models {
  readonly embedder: Embedder;
  readonly reranker: Reranker;
  close(): Promise<void>;
}

export function openModels(): Models {
  const runtime = openModelRuntime();
  return {
    embedder: openEmbedder(runtime),
    reranker: openReranker(runtime),
    close: () => runtime.close(),
  };
}
