import type { Database } from "../database.ts";
import type { VectorModel } from "./store.ts";

/** How many numbers the vectors have that are kept of a model, or nothing where there are none. */
export const knownDimensions = (
  db: Database,
  shelf: string,
  { id, weights }: Omit<VectorModel, "dimensions">,
): number | undefined =>
  db.get<{ dimensions: number }>(
    `SELECT dimensions FROM ${shelf}_vector_models WHERE model = ? AND weights = ?
      ORDER BY id DESC LIMIT 1`,
    id,
    weights,
  )?.dimensions;
