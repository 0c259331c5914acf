import type { SelectionMove } from "./word-selection.ts";

type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey">;

/** Arrow keys select the next or previous word; with Shift they extend or shrink the selection. */
export function selectionMoveOf(event: KeyPress): SelectionMove | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  if (event.key === "ArrowRight") return event.shiftKey ? "longer" : "next";
  if (event.key === "ArrowLeft") return event.shiftKey ? "shorter" : "previous";
  return undefined;
}

/** Alt with an arrow key moves the end of a span by a word, with Shift its start. */
export function borderMoveOf({
  key,
  shiftKey,
  altKey,
  ctrlKey,
  metaKey,
}: KeyPress): SelectionMove | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  if (key === "ArrowRight") return shiftKey ? "later" : "longer";
  if (key === "ArrowLeft") return shiftKey ? "earlier" : "shorter";
  return undefined;
}
