import { signal } from "@preact/signals";
import type { OpenedSource } from "./project.ts";
import type { Stretch } from "./runs.ts";

/** What is selected in the shown part of a text. It stays while a code for it is picked. */
export const selected = signal<Stretch | undefined>(undefined);

/** The selected passage as operations take it: by code points of the whole text. */
export function passageOf({ source_id, start_pos, offsets, content }: OpenedSource) {
  if (!selected.value) return undefined;
  const { start, end } = selected.value;
  return {
    source_id,
    start_position: start_pos + offsets.codePointAt(start),
    end_position: start_pos + offsets.codePointAt(end),
    quote: content.slice(start, end),
  };
}

/** What the browser has selected in the pane; nothing where that lies elsewhere. */
export function selectionIn(pane: Node): Stretch | undefined {
  const chosen = getSelection();
  if (!chosen || chosen.rangeCount === 0) return undefined;
  const range = chosen.getRangeAt(0);
  if (!pane.contains(range.commonAncestorContainer)) return undefined;
  const before = document.createRange();
  before.setStart(pane, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { start, end: start + range.toString().length };
}

/** Lets the browser select a stretch of the pane, which holds nothing but the text. */
export function selectIn(pane: Node, { start, end }: Stretch): void {
  const [first, last] = [pointIn(pane, start, "behind"), pointIn(pane, end, "before")];
  if (first && last) getSelection()?.setBaseAndExtent(...first, ...last);
}

/** A place between two runs belongs to the one before it or the one behind it, as is asked. */
function pointIn(pane: Node, unit: number, side: "before" | "behind"): [Node, number] | undefined {
  const texts = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  let passed = 0;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.textContent?.length ?? 0;
    const rest = unit - passed;
    if (rest < length || (rest === length && side === "before")) return [node, rest];
    passed += length;
  }
  return undefined;
}
