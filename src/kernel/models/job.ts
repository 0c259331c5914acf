/** What the process that runs the models is asked. */
export type ModelJob =
  | { model: "embedder"; texts: readonly string[] }
  | { model: "reranker"; query: string; passages: readonly string[] };

/**
 * What it answers: the vectors one after the other, or a number for each passage. A model that
 * cannot be loaded is worth no second try for a while; any other problem is that of one job.
 */
export type ModelAnswer = { numbers: Float32Array } | { problem: string; isLoaded: boolean };

/** What it is started with. */
export interface ModelProcessOptions {
  /** Where the library is that runs networks. */
  runtime: string;
  /** Where the models are. */
  folder: string;
  threads: number;
}
