import { said } from "./applying.ts";
import { type OpenedSource, opened } from "./project.ts";
import { unitsOf } from "./recoding.ts";
import { elementAt, selected, unitOf } from "./selection.ts";

/** Puts the focus on the next coding of the text, or on the one before. */
export function stepToCoding(by: 1 | -1): void {
  const source = opened.value;
  if (!source) return;
  const starts = source.segments.map((segment) => unitsOf(source, segment).start);
  const from = placeNow(source);
  const next =
    by > 0
      ? Math.min(...starts.filter((start) => start > from))
      : Math.max(...starts.filter((start) => start < from));
  if (!Number.isFinite(next)) {
    said.value = by > 0 ? "No coding further on." : "No coding before this.";
    return;
  }
  const run = elementAt(source, next);
  run?.scrollIntoView({ block: "center" });
  run?.focus({ preventScroll: true });
}

/** Where somebody is: at a coding, at what is selected, or just before what is seen first. */
function placeNow(source: OpenedSource): number {
  const focused = document.activeElement?.closest(".coding .text [data-codings]");
  const at = focused ? unitOf(focused) : selected.value?.start;
  if (at !== undefined) return at;
  const first = document.elementsFromPoint(innerWidth / 2, innerHeight / 3);
  const words = first.find((element) => element.closest(".words"));
  return (words ? (unitOf(words) ?? 0) : 0) - (source.segments.length > 0 ? 1 : 0);
}
