import { signal } from "@preact/signals";
import type { OpenedSource } from "../project-state.ts";
import type { Span } from "./overlap-runs.ts";
import { blockIndexAt } from "./text-blocks.ts";

/** The selection in the text. It stays while the code picker has the focus. */
export const selected = signal<Span | undefined>(undefined);

/** The selected passage in code points, as the operations expect it. */
export function selectedPassage({ source_id, offsets, content }: OpenedSource) {
  if (!selected.value) return undefined;
  const { start, end } = selected.value;
  return {
    source_id,
    start_position: offsets.codePointAt(start),
    end_position: offsets.codePointAt(end),
    quote: content.slice(start, end),
  };
}

/**
 * The pane contains the blocks. Each has one element with the text, whose `data-start` is its
 * offset.
 */
const pane = (): Element | null => document.querySelector(".coding .text");
const wordsClass = "words";

/** The browser's selection, if it is inside the text. */
export function browserSelection({ content }: OpenedSource): Span | undefined {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset, endContainer, endOffset, commonAncestorContainer } =
    selection.getRangeAt(0);
  if (!pane()?.contains(commonAncestorContainer)) return undefined;
  // A caret may be outside the text elements.
  if (selection.isCollapsed) return { start: 0, end: 0 };
  return {
    start: textOffsetOf(startContainer, startOffset) ?? 0,
    end: textOffsetOf(endContainer, endOffset) ?? content.length,
  };
}

/** The text offset of a DOM position; undefined after the last block. */
export function textOffsetOf(node: Node, offset = 0): number | undefined {
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

/** Makes the browser select a span of the text. */
export function selectSpan(source: OpenedSource, span: Span): void {
  // Set immediately, since the selectionchange event may come after the next key.
  selected.value = span;
  const first = domPointAt(source, span.start, "after");
  const last = domPointAt(source, span.end, "before");
  if (first && last) getSelection()?.setBaseAndExtent(...first, ...last);
}

/** Scrolls the selection into view if needed. */
export function revealSelection(): void {
  const box = getSelection()?.getRangeAt(0).getBoundingClientRect();
  if (!box) return;
  const toolbarBottom =
    document.querySelector(".coding .tools")?.getBoundingClientRect().bottom ?? 0;
  const [above, below] = [box.top - Math.max(toolbarBottom, 0), box.bottom - innerHeight];
  const margin = innerHeight / 5;
  if (above < 0) scrollBy(0, above - margin);
  else if (below > 0) scrollBy(0, below + margin);
}

/** The element of the run at an offset. */
export const elementAtOffset = (source: OpenedSource, offset: number): HTMLElement | undefined =>
  domPointAt(source, offset, "after")?.[0].parentElement ?? undefined;

/** The DOM position of an offset. Between two runs, `side` decides which of them it is in. */
function domPointAt(
  { blocks }: OpenedSource,
  offset: number,
  side: "before" | "after",
): [Node, number] | undefined {
  const block = blocks[blockIndexAt(blocks, side === "before" ? offset - 1 : offset)];
  const words = pane()?.querySelector(`.${wordsClass}[data-start="${block?.start}"]`);
  if (!block || !words) return undefined;
  const texts = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  let passed = block.start;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.textContent?.length ?? 0;
    const rest = offset - passed;
    if (rest < length || (rest === length && side === "before")) return [node, rest];
    passed += length;
  }
  return undefined;
}
