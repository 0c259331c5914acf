/** A model on this machine's disk, with all that is needed to run it. */
export type LocalModel = OnnxModel | GgufModel;

export interface OnnxModel {
  format: "onnx";
  network: string;
  tokenizer: string;
  /** The SHA-256 that the network must have; a model that people bring may be any. */
  sha256?: string;
  /** Longer texts are cut; the marks at both ends of a text count. */
  mostTokens: number;
  /** How much of them a query may take, where it is read together with a passage. */
  mostQueryTokens: number;
  /** What stands for a text: the mean of its tokens, or the first of them. */
  pooling: "mean" | "first";
  /** Differs when the files of a model that people bring do, so that the new ones are loaded. */
  stamp?: string;
}

export interface GgufModel {
  format: "gguf";
  file: string;
  stamp: string;
}

/** What the process that runs the models is asked. */
export type ModelJob = { model: LocalModel } & ModelTask;

export type ModelTask =
  | { task: "embed"; texts: readonly string[] }
  | { task: "score"; query: string; passages: readonly string[] }
  | { task: "write"; system: string; prompt: string; mostTokens: number };

/** The vectors one after the other, a number for each passage, or what was written. */
export type ResultOf<Task extends ModelTask> = Task extends { task: "write" }
  ? string
  : Float32Array;

/**
 * What it answers. A model that cannot be loaded is worth no second try for a while; any other
 * problem is that of one job.
 */
export type ModelAnswer =
  | { result: Float32Array | string }
  | { problem: string; isLoaded: boolean };

/** What it is started with. */
export interface ModelProcessOptions {
  /** Where the library is that runs networks. */
  runtime: string;
  /** How many cores a model may keep busy with texts that can wait. */
  threads: number;
  /** How many for the passages of a search, for which somebody waits. */
  urgentThreads: number;
}
