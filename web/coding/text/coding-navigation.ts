import { statusMessage } from "../coding-actions.ts";
import { type OpenedSource, openedSource } from "../project-state.ts";
import { utf16Range } from "../segments/segment-edits.ts";
import { elementAtOffset, selected, textOffsetOf } from "./selection.ts";

/** Focuses the next or the previous coding of the text. */
export function focusAdjacentCoding(by: 1 | -1): void {
  const source = openedSource.value;
  if (!source) return;
  const starts = source.segments.map((segment) => utf16Range(source, segment).start);
  const from = currentOffset(source);
  const next =
    by > 0
      ? Math.min(...starts.filter((start) => start > from))
      : Math.max(...starts.filter((start) => start < from));
  if (!Number.isFinite(next)) {
    statusMessage.value = by > 0 ? "No next coding." : "No previous coding.";
    return;
  }
  const run = elementAtOffset(source, next);
  run?.scrollIntoView({ block: "center" });
  run?.focus({ preventScroll: true });
}

/** The current position: the focused coding, the selection, or the top of the visible text. */
function currentOffset(source: OpenedSource): number {
  const focused = document.activeElement?.closest(".coding .text [data-codings]");
  const offset = focused ? textOffsetOf(focused) : selected.value?.start;
  if (offset !== undefined) return offset;
  const visible = document.elementsFromPoint(innerWidth / 2, innerHeight / 3);
  const words = visible.find((element) => element.closest(".words"));
  return (words ? (textOffsetOf(words) ?? 0) : 0) - (source.segments.length > 0 ? 1 : 0);
}
