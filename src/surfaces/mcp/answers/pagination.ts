import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Large enough that most lists have one page. */
const pageSize = 1_000;

/**
 * One page of a list. The cursor is opaque to clients; it contains the name of the list and the
 * offset of the page.
 */
export function paginate<Item>(
  list: string,
  items: readonly Item[],
  cursor: string | undefined,
  size = pageSize,
): { items: Item[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : startOfPage(list, cursor, items.length);
  const end = start + size;
  return {
    items: items.slice(start, end),
    ...(end < items.length && { nextCursor: toCursor(list, end) }),
  };
}

const toCursor = (list: string, start: number): string =>
  Buffer.from(`${list} ${start}`).toString("base64url");

/** Accepts only cursors that we could have created. The offset may be past the end of the list. */
function startOfPage(list: string, cursor: string, length: number): number {
  const start = Number(Buffer.from(cursor, "base64url").toString().split(" ")[1]);
  if (Number.isInteger(start) && start > 0 && toCursor(list, start) === cursor) {
    return Math.min(start, length);
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid cursor for ${list}.`, {
    details: "'cursor' must be the nextCursor of an earlier result, or absent for the first page",
  });
}
