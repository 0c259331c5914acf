/** A loaded model in the child process. Throws for tasks that the model does not support. */
export interface LoadedModel {
  /** Unit vectors, concatenated. */
  embed(texts: readonly string[]): Promise<Float32Array>;
  /** A score for each passage. */
  score(query: string, passages: readonly string[]): Promise<Float32Array>;
  generate(system: string, prompt: string, maxTokens: number): Promise<string>;
}
