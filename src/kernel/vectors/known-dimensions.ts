import type { Database } from "../storage/database.ts";
import type { VectorModel } from "./vector-store.ts";

/** The dimensions of the stored vectors of a model, if there are any. */
export const storedDimensions = (
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
