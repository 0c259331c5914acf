import * as z from "zod";
import { invalid } from "./failure.ts";

/** The most that a list shows at once, unless its operation says otherwise. */
export const listCap = 200;

/** A part of a list that says how much it left out and where to go on. */
export interface Page<Item> {
  items: Item[];
  total: number;
  truncated: boolean;
  remaining?: number;
  next_cursor?: string;
}

/** What every cut list tells beside its items; operations spread it into their output. */
export const boundedShape = {
  total: z.int().min(0).describe("How many there are in all"),
  truncated: z.boolean().describe("True where the list was cut"),
  remaining: z.int().min(1).optional().describe("How many follow after this part"),
  next_cursor: z.string().optional().describe("Give it as `cursor` to go on"),
};

/** How a caller asks for a part; operations spread it into their input. */
export const pagingShape = {
  limit: z.int().min(1).max(listCap).default(listCap).describe("The most to show at once"),
  cursor: z.string().optional().describe("`next_cursor` of the part before"),
};

/**
 * Cuts a list that stands in a steady order. The cursor names the last item that was shown, so
 * what is inserted or removed before it neither repeats nor skips anything. Should that very item
 * be gone, a list in the order of its keys still goes on behind its place.
 */
export function bounded<Item>(
  items: readonly Item[],
  options: { limit?: number; cursor?: string | undefined; keyOf: (item: Item) => string },
): Page<Item> {
  const { limit = listCap, cursor, keyOf } = options;
  const start = cursor === undefined ? 0 : placeBehind(items.map(keyOf), keyFrom(cursor));
  const shown = items.slice(start, start + limit);
  return page(shown, {
    total: items.length,
    remaining: items.length - start - shown.length,
    keyOf,
  });
}

/** The same for a list that has an order and no keys: the cursor is the place to go on at. */
export function boundedByPlace<Item>(
  items: readonly Item[],
  { limit = listCap, cursor }: { limit?: number; cursor?: string | undefined },
): Page<Item> {
  const start = cursor === undefined ? 0 : numberFrom(cursor);
  const shown = items.slice(start, start + limit);
  const end = start + shown.length;
  return page(shown, {
    total: items.length,
    remaining: items.length - end,
    keyOf: () => String(end),
  });
}

function placeBehind(keys: readonly string[], last: string): number {
  const place = keys.indexOf(last);
  if (place >= 0) return place + 1;
  const inOrder = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
  if (!inOrder) throw staleCursor();
  const next = keys.findIndex((key) => key > last);
  return next < 0 ? keys.length : next;
}

/** The same for callers that cut their list in SQL and know what remains behind it. */
export function page<Item>(
  items: Item[],
  facts: { total: number; remaining: number; keyOf: (item: Item) => string },
): Page<Item> {
  const { total, remaining, keyOf } = facts;
  const last = items.at(-1);
  if (remaining <= 0 || last === undefined) return { items, total, truncated: false };
  return { items, total, truncated: true, remaining, next_cursor: cursorFor(keyOf(last)) };
}

/** The mark in front tells our cursors from any other base64. */
const mark = ":";

export const cursorFor = (key: string): string =>
  Buffer.from(mark + key, "utf8").toString("base64url");

export function keyFrom(cursor: string): string {
  const words = Buffer.from(cursor, "base64url").toString("utf8");
  const key = words.slice(mark.length);
  if (!words.startsWith(mark) || cursorFor(key) !== cursor) throw foreignCursor();
  return key;
}

/** The same for lists in the order of their numbers. */
export function numberFrom(cursor: string): number {
  const key = keyFrom(cursor);
  if (!/^\d{1,15}$/.test(key)) throw foreignCursor();
  return Number(key);
}

const foreignCursor = () =>
  invalid("Invalid parameter 'cursor': it is not one that this list gave.", [
    "Give `next_cursor` unchanged, or leave it out to begin at the start.",
  ]);

const staleCursor = () =>
  invalid("Invalid parameter 'cursor': its place in the list is gone.", [
    "Leave it out to begin at the start.",
  ]);
