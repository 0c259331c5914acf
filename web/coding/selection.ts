import { signal } from "@preact/signals";
import { blockAt } from "./blocks.ts";
import type { OpenedSource } from "./project.ts";
import type { Stretch } from "./runs.ts";

/** What is selected in the shown text. It stays while a code for it is picked. */
export const selected = signal<Stretch | undefined>(undefined);

/** The selected passage as operations take it: by code points. */
export function passageOf({ source_id, offsets, content }: OpenedSource) {
  if (!selected.value) return undefined;
  const { start, end } = selected.value;
  return {
    source_id,
    start_position: offsets.codePointAt(start),
    end_position: offsets.codePointAt(end),
    quote: content.slice(start, end),
  };
}

/** The pane holds blocks; of each, one element holds the words and says where they begin. */
const pane = (): Element | null => document.querySelector(".coding .text");
const wordsClass = "words";

/** What the browser has selected in the text; nothing where that lies elsewhere. */
export function chosenNow({ content }: OpenedSource): Stretch | undefined {
  const chosen = getSelection();
  if (!chosen || chosen.rangeCount === 0) return undefined;
  const { startContainer, startOffset, endContainer, endOffset, commonAncestorContainer } =
    chosen.getRangeAt(0);
  if (!pane()?.contains(commonAncestorContainer)) return undefined;
  // A mere caret may stand where no words are.
  if (chosen.isCollapsed) return { start: 0, end: 0 };
  return {
    start: unitOf(startContainer, startOffset) ?? 0,
    end: unitOf(endContainer, endOffset) ?? content.length,
  };
}

/** Where a place of the page lies in the text; nothing where it lies behind all blocks. */
export function unitOf(node: Node, offset = 0): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const words = element?.closest<HTMLElement>(`.${wordsClass}`);
  if (!words) {
    const block = element?.children[offset]?.querySelector<HTMLElement>(`.${wordsClass}`);
    return block ? Number(block.dataset.start) : undefined;
  }
  const before = document.createRange();
  before.setStart(words, 0);
  before.setEnd(node, offset);
  return Number(words.dataset.start) + before.toString().length;
}

/** Lets the browser select a stretch of the text. */
export function select(source: OpenedSource, stretch: Stretch): void {
  // The browser tells of it only later, and the next key may come at once.
  selected.value = stretch;
  const first = pointAt(source, stretch.start, "behind");
  const last = pointAt(source, stretch.end, "before");
  if (first && last) getSelection()?.setBaseAndExtent(...first, ...last);
}

/** Lets the end of what is selected be seen, where it is not. */
export function revealSelection(): void {
  const place = getSelection()?.getRangeAt(0).getBoundingClientRect();
  if (!place) return;
  const head = document.querySelector(".coding .tools")?.getBoundingClientRect().bottom ?? 0;
  const [above, below] = [place.top - Math.max(head, 0), place.bottom - innerHeight];
  const margin = innerHeight / 5;
  if (above < 0) scrollBy(0, above - margin);
  else if (below > 0) scrollBy(0, below + margin);
}

/** The element of the run that stands at a place. */
export const elementAt = (source: OpenedSource, place: number): HTMLElement | undefined =>
  pointAt(source, place, "behind")?.[0].parentElement ?? undefined;

/** A place between two runs belongs to the one before it or the one behind it, as is asked. */
function pointAt(
  { blocks }: OpenedSource,
  place: number,
  side: "before" | "behind",
): [Node, number] | undefined {
  const block = blocks[blockAt(blocks, side === "before" ? place - 1 : place)];
  const words = pane()?.querySelector(`.${wordsClass}[data-start="${block?.start}"]`);
  if (!block || !words) return undefined;
  const texts = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  let passed = block.start;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.textContent?.length ?? 0;
    const rest = place - passed;
    if (rest < length || (rest === length && side === "before")) return [node, rest];
    passed += length;
  }
  return undefined;
}
