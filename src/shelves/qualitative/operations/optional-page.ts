import * as z from "zod";
import { listPageShape, pageByOffset } from "../../../kernel/operations/list-page.ts";

/** The whole list is returned unless the caller sets a limit. */
export const optionalPageInput = { limit: z.int().optional(), cursor: z.string().optional() };

/** A whole list has no paging fields, as the founding document specifies. */
export const optionalPageOutput = z.object(listPageShape).partial().shape;

interface PageRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Returns a page of the list, and its paging fields if it is not the whole list. */
export function takeOptionalPage<Item>(
  items: readonly Item[],
  { limit = items.length, cursor }: PageRequest,
): { part: Item[]; cut: z.output<z.ZodObject<typeof optionalPageOutput>> } {
  const { items: part, ...cut } = pageByOffset(items, { limit: Math.max(limit, 1), cursor });
  return { part, cut: cut.truncated ? cut : {} };
}
