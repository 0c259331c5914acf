/** A model on the local disk. */
export type LocalModel = OnnxModel | GgufModel;

export interface OnnxModel {
  format: "onnx";
  network: string;
  tokenizer: string;
  /** The required SHA-256 of the network, for bundled models only. */
  sha256?: string;
  /** Longer texts are truncated. The special tokens at both ends of a text count. */
  maxTokens: number;
  /** Limit of the query's share of them, when it is read together with a passage. */
  maxQueryTokens: number;
  /** The vector of a text: the mean of its tokens' vectors, or that of the first token. */
  pooling: "mean" | "first";
  /**
   * Set for a small model: several processes with one thread each run more texts per second than
   * one process with several threads, and use less processor time.
   */
  isSmall?: boolean;
  /** Changes with the files of a user's model, so that a changed model is loaded again. */
  stamp?: string;
}

export interface GgufModel {
  format: "gguf";
  file: string;
  stamp: string;
}

/** From the parent to the child that runs the models. */
export type ModelJob = { model: LocalModel } & ModelTask;

export type ModelTask =
  | { task: "embed"; texts: readonly string[] }
  | { task: "score"; query: string; passages: readonly string[] }
  | { task: "write"; system: string; prompt: string; maxTokens: number };

/** All vectors concatenated, a score for each passage, or the generated text. */
export type ResultOf<Task extends ModelTask> = Task extends { task: "write" }
  ? string
  : Float32Array;

/** The child's answer. A model that failed to load (`isLoaded` is false) is retried after a backoff. */
export type ModelAnswer =
  | { result: Float32Array | string }
  | { problem: string; isLoaded: boolean };

/** The command-line argument of the child. */
export interface ModelProcessOptions {
  /** The path of the ONNX runtime. */
  runtime: string;
  /** Threads for embedding with a model that is not small. */
  threads: number;
  /** Threads for re-ranking with such a model, because a search waits for it. */
  urgentThreads: number;
}
