/** A model that is loaded, in the process that runs them. One that cannot do something says so. */
export interface RunningModel {
  /** Vectors of length one, one after the other. */
  embed(texts: readonly string[]): Promise<Float32Array>;
  /** A number for each passage. */
  score(query: string, passages: readonly string[]): Promise<Float32Array>;
  write(system: string, prompt: string, mostTokens: number): Promise<string>;
}
