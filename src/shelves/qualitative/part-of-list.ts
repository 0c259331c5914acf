import * as z from "zod";
import { boundedByPlace, boundedShape } from "../../kernel/bounded.ts";

/** Lists are given whole, unless whoever asks has room for a part only. */
export const partInput = { limit: z.int().optional(), cursor: z.string().optional() };

/** A list that is whole says nothing of itself, as the founding document has it. */
export const partOutput = z.object(boundedShape).partial().shape;

interface Asked {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** So many from a place on. */
export function partOf<Item>(
  items: readonly Item[],
  { limit = items.length, cursor }: Asked,
): { part: Item[]; cut: z.output<z.ZodObject<typeof partOutput>> } {
  const { items: part, ...cut } = boundedByPlace(items, { limit: Math.max(limit, 1), cursor });
  return { part, cut: cut.truncated ? cut : {} };
}
