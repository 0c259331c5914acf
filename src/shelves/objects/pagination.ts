import * as z from "zod";
import { type Failure, invalid } from "../../kernel/failure.ts";

/** The paging parameters of a list. A limit out of range is clamped. */
export const pageInput = {
  limit: z.int().default(200).describe("Page size, 1 to 1000"),
  cursor: z.string().max(8_192).optional().describe("next_cursor of the previous page"),
};

/** The paging information in an output. */
export const pageOutput = {
  total: z.int(),
  truncated: z.boolean(),
  remaining: z.int().optional(),
  next_cursor: z.string().optional(),
};

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface ResultPage<Item> {
  items: Item[];
  /** The number of items before this page. */
  offset: number;
  pageInfo: { total: number; truncated: boolean; remaining?: number; next_cursor?: string };
}

/** The maximum page size. */
const maxLimit = 1_000;

export const clampLimit = (limit: number): number => Math.min(Math.max(limit, 1), maxLimit);

/** A page that starts after the item with the cursor's key. Keys must be unique. */
export function pageByKey<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { limit, cursor }: PageRequest,
): ResultPage<Item> {
  const first = cursor === undefined ? 0 : items.findIndex((item) => keyOf(item) === cursor) + 1;
  if (cursor !== undefined && first === 0) {
    throw invalidCursor();
  }
  return slicePage(items, first, limit, keyOf);
}

function slicePage<Item>(
  items: readonly Item[],
  offset: number,
  limit: number,
  /** The next cursor, from the last item of the page and the offset after it. */
  cursorAt: (last: Item, end: number) => string,
): ResultPage<Item> {
  const page = items.slice(offset, offset + clampLimit(limit));
  const end = offset + page.length;
  const remaining = items.length - end;
  const last = page.at(-1);
  return {
    items: page,
    offset,
    pageInfo: {
      total: items.length,
      truncated: remaining > 0,
      ...(remaining > 0 && last !== undefined && { remaining, next_cursor: cursorAt(last, end) }),
    },
  };
}

const invalidCursor = (): Failure =>
  invalid("cursor does not belong to this list; the list may have changed", [
    "Repeat the call without a cursor.",
  ]);

/** For lists without keys: the cursor is an offset. */
export function pageByOffset<Item>(
  items: readonly Item[],
  { limit, cursor = "0" }: PageRequest,
): ResultPage<Item> {
  if (!/^\d{1,15}$/.test(cursor)) throw invalidCursor();
  const first = Math.min(Number(cursor), items.length);
  return slicePage(items, first, limit, (_, end) => String(end));
}

/** For lists sorted by key: the cursor stays valid if its item has been removed. */
export function pageBySortedKey<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { limit, cursor }: PageRequest,
): ResultPage<Item> {
  const rest = cursor === undefined ? items : items.filter((item) => keyOf(item) > cursor);
  const { items: page, pageInfo } = pageByKey(rest, keyOf, { limit });
  const offset = items.length - rest.length;
  return { items: page, offset, pageInfo: { ...pageInfo, total: items.length } };
}
