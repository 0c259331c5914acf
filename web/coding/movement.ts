import type { Move } from "./words.ts";

type Struck = Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey">;

/** Arrows select another word; with Shift they make the selection longer and shorter. */
export function selectionMoveOf(struck: Struck): Move | undefined {
  if (struck.altKey || struck.ctrlKey || struck.metaKey) return undefined;
  if (struck.key === "ArrowRight") return struck.shiftKey ? "longer" : "next";
  if (struck.key === "ArrowLeft") return struck.shiftKey ? "shorter" : "previous";
  return undefined;
}

/** Alt and arrows move the end of a span by a word, with Shift its beginning. */
export function borderMoveOf({
  key,
  shiftKey,
  altKey,
  ctrlKey,
  metaKey,
}: Struck): Move | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  if (key === "ArrowRight") return shiftKey ? "later" : "longer";
  if (key === "ArrowLeft") return shiftKey ? "earlier" : "shorter";
  return undefined;
}
