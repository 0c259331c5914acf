import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** So large that an ordinary list is one page. */
const pageSize = 1_000;

/**
 * One page of a list. A cursor says nothing to a client; to us it says which list it belongs to
 * and how many items lie before the page.
 */
export function page<Item>(
  list: string,
  items: readonly Item[],
  cursor: string | undefined,
  size = pageSize,
): { items: Item[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : placeOf(list, cursor, items.length);
  const end = start + size;
  return {
    items: items.slice(start, end),
    ...(end < items.length && { nextCursor: toCursor(list, end) }),
  };
}

const toCursor = (list: string, start: number): string =>
  Buffer.from(`${list} ${start}`).toString("base64url");

/** A cursor counts only if we could have made it; a list that shrank meanwhile ends early. */
function placeOf(list: string, cursor: string, length: number): number {
  const start = Number(Buffer.from(cursor, "base64url").toString().split(" ")[1]);
  if (Number.isInteger(start) && start > 0 && toCursor(list, start) === cursor) {
    return Math.min(start, length);
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid cursor for ${list}.`, {
    details: "'cursor' must be the nextCursor of an earlier answer, or absent for the first page",
  });
}
