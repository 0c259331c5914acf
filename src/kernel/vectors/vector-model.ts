/** The identity of an embedding model. Only vectors of the same model can be compared. */
export interface VectorModel {
  id: string;
  /** The hash of its weights. */
  weights: string;
  dimensions: number;
}

/** The id of a model as an expression, with its name, weights and dimensions as the parameters. */
export const modelRow = (shelf: string): string =>
  `(SELECT id FROM ${shelf}_vector_models WHERE model = ? AND weights = ? AND dimensions = ?)`;
