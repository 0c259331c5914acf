import * as z from "zod";
import { type Failure, invalid } from "../../kernel/failure.ts";

/** What is asked for of a long list. Numbers out of range are brought into it. */
export const pageInput = {
  limit: z.int().default(200).describe("Most items, 1 to 1000"),
  cursor: z.string().max(8_192).optional().describe("next_cursor of the page before"),
};

/** How a list that was cut says so. */
export const pageOutput = {
  total: z.int(),
  truncated: z.boolean(),
  remaining: z.int().optional(),
  next_cursor: z.string().optional(),
};

export interface Asked {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** How many stand before them. */
  first: number;
  cut: { total: number; truncated: boolean; remaining?: number; next_cursor?: string };
}

/** More is never shown at once, whatever is asked for. */
const most = 1_000;

export const clamped = (limit: number): number => Math.min(Math.max(limit, 1), most);

/** Goes on behind the item of a cursor. Keys must differ, or a page would skip what shares one. */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { limit, cursor }: Asked,
): Page<Item> {
  const first = cursor === undefined ? 0 : items.findIndex((item) => keyOf(item) === cursor) + 1;
  if (cursor !== undefined && first === 0) {
    throw strangeCursor();
  }
  return cutAt(items, first, limit, keyOf);
}

function cutAt<Item>(
  items: readonly Item[],
  first: number,
  limit: number,
  /** By the last item of a page, and the place behind it. */
  cursorAt: (last: Item, end: number) => string,
): Page<Item> {
  const page = items.slice(first, first + clamped(limit));
  const end = first + page.length;
  const remaining = items.length - end;
  const last = page.at(-1);
  return {
    items: page,
    first,
    cut: {
      total: items.length,
      truncated: remaining > 0,
      ...(remaining > 0 && last !== undefined && { remaining, next_cursor: cursorAt(last, end) }),
    },
  };
}

const strangeCursor = (): Failure =>
  invalid("cursor does not belong to this list: it may have changed since", [
    "Ask again without a cursor.",
  ]);

/** For lists whose items have no keys: their places are. */
export function pageByPlace<Item>(
  items: readonly Item[],
  { limit, cursor = "0" }: Asked,
): Page<Item> {
  if (!/^\d{1,15}$/.test(cursor)) throw strangeCursor();
  const first = Math.min(Number(cursor), items.length);
  return cutAt(items, first, limit, (_, end) => String(end));
}

/** For lists in the order of their keys: an item that went meanwhile has left its place. */
export function pageInOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { limit, cursor }: Asked,
): Page<Item> {
  const rest = cursor === undefined ? items : items.filter((item) => keyOf(item) > cursor);
  const { items: page, cut } = pageOf(rest, keyOf, { limit });
  const first = items.length - rest.length;
  return { items: page, first, cut: { ...cut, total: items.length } };
}
