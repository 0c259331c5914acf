import * as z from "zod";

/** Lists are given whole, unless whoever asks has room for a part only. */
export const partInput = { limit: z.int().optional(), cursor: z.int().optional() };

/** What a list says of itself that was cut. */
export const partOutput = {
  truncated: z.literal(true).optional(),
  remaining: z.int().optional(),
  next_cursor: z.int().optional(),
};

interface Asked {
  limit?: number | undefined;
  cursor?: number | undefined;
}

/** So many from a place on. Numbers out of range are brought into it. */
export function partOf<Item>(
  items: readonly Item[],
  { limit = items.length, cursor = 0 }: Asked,
): { part: Item[]; cut: { truncated?: true; remaining?: number; next_cursor?: number } } {
  const first = Math.max(cursor, 0);
  const part = items.slice(first, first + Math.max(limit, 1));
  const end = first + part.length;
  const remaining = items.length - end;
  const cut = remaining > 0 ? { truncated: true as const, remaining, next_cursor: end } : {};
  return { part, cut };
}
