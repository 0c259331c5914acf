import { all, type Steps } from "../storage/steps.ts";
import type { VectorModel } from "./vector-model.ts";

/** Reads which dimensions the stored vectors of each model have. */
export function* readStoredDimensions(
  shelf: string,
): Steps<(model: Omit<VectorModel, "dimensions">) => number | undefined> {
  const models = yield* all<VectorModel>(
    `SELECT model AS id, weights, dimensions FROM ${shelf}_vector_models ORDER BY ${shelf}_vector_models.id DESC`,
  );
  return ({ id, weights }) =>
    models.find((model) => model.id === id && model.weights === weights)?.dimensions;
}
