import * as z from "zod";
import { elementAt } from "../../text/arrays/element-at.ts";
import { invalid } from "../failure.ts";

/** Default maximum number of items on a page. */
export const maxListItems = 200;

/** A page of a list, with the number of remaining items and the cursor of the next page. */
export interface ListPage<Item> {
  items: Item[];
  total: number;
  truncated: boolean;
  remaining?: number;
  next_cursor?: string;
}

/** Output fields of every paged list; operations spread them into their output schema. */
export const listPageShape = {
  total: z.int().min(0).describe("Total number of items"),
  truncated: z.boolean().describe("True if more items follow"),
  remaining: z.int().min(1).optional().describe("Number of items after this page"),
  next_cursor: z.string().optional().describe("Pass it as `cursor` for the next page"),
};

/** Paging parameters; operations spread them into their input schema. */
export const pagingInputShape = {
  limit: z.int().min(1).max(maxListItems).default(maxListItems).describe("Maximum number of items"),
  cursor: z.string().optional().describe("`next_cursor` of the previous page"),
};

/**
 * Pages a list with a stable order. The cursor is the key of the last item shown, so insertions and
 * removals before it neither repeat nor skip items. If that item was removed, a list that is sorted
 * by key continues after its position.
 */
export function pageByKey<Item>(
  items: readonly Item[],
  options: { limit?: number; cursor?: string | undefined; keyOf: (item: Item) => string },
): ListPage<Item> {
  const { limit = maxListItems, cursor, keyOf } = options;
  const start = cursor === undefined ? 0 : indexAfter(items.map(keyOf), decodeCursor(cursor));
  const shown = items.slice(start, start + limit);
  return toListPage(shown, {
    total: items.length,
    remaining: items.length - start - shown.length,
    keyOf,
  });
}

/** Pages a list without keys: the cursor is the offset of the next page. */
export function pageByOffset<Item>(
  items: readonly Item[],
  { limit = maxListItems, cursor }: { limit?: number; cursor?: string | undefined },
): ListPage<Item> {
  const start = cursor === undefined ? 0 : decodeNumericCursor(cursor);
  const shown = items.slice(start, start + limit);
  const end = start + shown.length;
  return toListPage(shown, {
    total: items.length,
    remaining: items.length - end,
    keyOf: () => String(end),
  });
}

function indexAfter(keys: readonly string[], last: string): number {
  const index = keys.indexOf(last);
  if (index >= 0) return index + 1;
  const isSorted = keys.every((key, index) => index === 0 || elementAt(keys, index - 1) < key);
  if (!isSorted) throw staleCursor();
  const next = keys.findIndex((key) => key > last);
  return next < 0 ? keys.length : next;
}

/** Builds a page for callers that page in SQL and know the remaining count. */
export function toListPage<Item>(
  items: Item[],
  facts: { total: number; remaining: number; keyOf: (item: Item) => string },
): ListPage<Item> {
  const { total, remaining, keyOf } = facts;
  const last = items.at(-1);
  if (remaining <= 0 || last === undefined) return { items, total, truncated: false };
  return { items, total, truncated: true, remaining, next_cursor: encodeCursor(keyOf(last)) };
}

/** Distinguishes cursors from other base64 strings. */
const cursorPrefix = ":";

export const encodeCursor = (key: string): string =>
  Buffer.from(cursorPrefix + key, "utf8").toString("base64url");

export function decodeCursor(cursor: string): string {
  const decoded = Buffer.from(cursor, "base64url").toString("utf8");
  const key = decoded.slice(cursorPrefix.length);
  if (!decoded.startsWith(cursorPrefix) || encodeCursor(key) !== cursor) throw invalidCursor();
  return key;
}

/** The same for lists whose keys are numbers. */
export function decodeNumericCursor(cursor: string): number {
  const key = decodeCursor(cursor);
  if (!/^\d{1,15}$/.test(key)) throw invalidCursor();
  return Number(key);
}

const invalidCursor = () =>
  invalid("Invalid parameter 'cursor': this list did not return it.", [
    "Pass `next_cursor` unchanged, or omit it to start from the beginning.",
  ]);

const staleCursor = () =>
  invalid("Invalid parameter 'cursor': its item no longer exists.", [
    "Omit it to start from the beginning.",
  ]);
