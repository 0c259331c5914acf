import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { elementAt } from "../../../src/text/arrays/element-at.ts";
import { coders } from "../coders.ts";
import { removeSegment } from "../coding-actions.ts";
import { addressedRange, type OpenedSource, type Segment } from "../project-state.ts";
import { moveBorder, movedSegmentId, utf16Range } from "../segments/segment-edits.ts";
import { openSegments } from "../segments/segment-window-state.ts";
import type { Span } from "./overlap-runs.ts";
import { type Overlay, overlaySignature, overlaysOf } from "./overlays.ts";
import {
  browserSelection,
  elementAtOffset,
  revealSelection,
  selected,
  selectSpan,
} from "./selection.ts";
import { borderMoveOf, selectionMoveOf } from "./selection-keys.ts";
import { TextBlock } from "./text-block.tsx";
import { spansByBlock } from "./text-blocks.ts";
import { moveSelection, segmentWords, snapToWords } from "./word-selection.ts";

/** The text of a source with its codings. */
export function SourceText({ source }: { source: OpenedSource }) {
  const pane = useRef<HTMLElement>(null);
  const drawn = useDrawnBlocks(source, overlaysOf(source));
  useSelection(pane, source);
  useFocus(pane, source);

  /** Returns whether the key was handled. */
  const handleKey = (event: KeyboardEvent): boolean => {
    // Ignore the modifier keys themselves.
    if (/^(?:Alt|Shift|Control|Meta)$/.test(event.key)) return false;
    const border = borderMoveOf(event);
    if (!border) movedSegmentId.value = undefined;
    const run = codingsAt(event.target);
    if (run && (event.key === "Enter" || event.key === " ")) {
      openSegments(run);
      return true;
    }
    const innermost = run && innermostOf(source, run);
    if (innermost && event.key === "Delete") {
      void removeSegment(innermost);
      return true;
    }
    if (border && innermost) {
      void moveBorder(innermost, border);
      return true;
    }
    const move = border ?? selectionMoveOf(event);
    const next = move && moveSelection(segmentWords(source.content), selected.value, move);
    if (!next || run) return false;
    selectSpan(source, next);
    revealSelection();
    return true;
  };

  return (
    <>
      <section
        ref={pane}
        key={source.source_id}
        class="text"
        style={{ "--coders": String(coders.value.length) }}
        aria-label={`Text of ${source.source_name}`}
        aria-describedby="how-to-select"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys select text here
        tabIndex={0}
        onKeyDown={(event) => {
          if (handleKey(event)) event.preventDefault();
        }}
        onPointerDown={() => {
          movedSegmentId.value = undefined;
        }}
        onClick={({ target, clientY }) => {
          const here = marginCodingsAt(target, clientY) ?? codingsAt(target);
          if (here && getSelection()?.isCollapsed) openSegments(here);
        }}
      >
        {drawn}
      </section>
      <p id="how-to-select" class="unseen">
        The left and right arrow keys select a word. With Shift they extend or shrink the selection,
        with Alt they move a boundary of the selection or coding. n and p go to the next and the
        previous coding, and Enter opens it.
      </p>
    </>
  );
}

/** Reuses the virtual nodes of unchanged blocks, so that Preact skips them. */
function useDrawnBlocks(source: OpenedSource, overlays: readonly Overlay[]): VNode[] {
  const { content, blocks, source_id } = source;
  const cache = useRef(new Map<string, { text: string; signature: string; drawn: VNode }>());
  const overlaysByBlock = spansByBlock(blocks, overlays);
  const next: typeof cache.current = new Map();
  const all = blocks.map((block, index) => {
    const blockOverlays = elementAt(overlaysByBlock, index);
    const text = content.slice(block.start, block.end);
    const signature = overlaySignature(blockOverlays);
    const key = `${source_id} ${block.start}`;
    const before = cache.current.get(key);
    const isSame = before?.signature === signature && before.text === text;
    const drawn = isSame ? before.drawn : draw(block, text, blockOverlays);
    next.set(key, { text, signature, drawn });
    return drawn;
  });
  cache.current = next;
  return all;
}

const draw = (block: Span, text: string, overlays: readonly Overlay[]): VNode => (
  <TextBlock key={block.start} block={block} text={text} overlays={overlays} />
);

type Pane = { readonly current: HTMLElement | null };

/** Follows the browser's selection. A mouse selection snaps to whole words unless Alt is held. */
function useSelection(pane: Pane, source: OpenedSource): void {
  const { content, source_id, segments } = source;
  useEffect(() => {
    const follow = () => {
      const selection = browserSelection(source);
      if (selection) selected.value = selection.start < selection.end ? selection : undefined;
    };
    const snap = ({ altKey, target }: PointerEvent) => {
      const isHere = target instanceof Node && pane.current?.contains(target);
      const selection = isHere && !altKey ? browserSelection(source) : undefined;
      if (!selection || selection.start >= selection.end) return;
      const whole = snapToWords(segmentWords(content), selection);
      if (whole.start < whole.end) selectSpan(source, whole);
    };
    document.addEventListener("selectionchange", follow);
    document.addEventListener("pointerup", snap);
    return () => {
      document.removeEventListener("selectionchange", follow);
      document.removeEventListener("pointerup", snap);
    };
  }, [content]);
  // Offsets are meaningless in another text.
  useEffect(() => {
    selected.value = undefined;
  }, [source_id, content]);
  // A re-render of the runs drops the browser's selection in them.
  useLayoutEffect(() => {
    if (document.activeElement === pane.current && selected.value)
      selectSpan(source, selected.value);
  }, [segments]);
}

/** Scrolls to the passage of the URL, and keeps the focus on a coding whose boundary was moved. */
function useFocus(pane: Pane, source: OpenedSource): void {
  const range = addressedRange.value;
  useEffect(() => {
    if (!range) return;
    const { start, end } = range;
    const units = utf16Range(source, { start_position: start, end_position: end });
    const show = () => elementAtOffset(source, units.start)?.scrollIntoView({ block: "center" });
    show();
    // The blocks before had estimated heights; after layout the passage may have moved.
    requestAnimationFrame(show);
  }, [source.source_id, range]);
  useLayoutEffect(() => {
    const segment = source.segments.find(({ id }) => id === movedSegmentId.value);
    if (!segment) return;
    const isHere = pane.current?.contains(document.activeElement);
    if (isHere || document.activeElement === document.body) {
      elementAtOffset(source, utf16Range(source, segment).start)?.focus();
    }
  }, [source.segments]);
}

/** The codings at a height of the margin. The bars themselves are too thin to click. */
function marginCodingsAt(target: EventTarget | null, y: number): number[] | undefined {
  const margin = target instanceof Element && target.closest(".margin");
  if (!margin) return undefined;
  return [...margin.querySelectorAll<HTMLElement>(".bar")]
    .filter((bar) => {
      const { top, bottom } = bar.getBoundingClientRect();
      return top <= y && y <= bottom;
    })
    .map((bar) => Number(bar.dataset.codings));
}

/** The codings of the run that contains the event target. */
function codingsAt(target: EventTarget | null): number[] | undefined {
  const run = target instanceof Element && target.closest<HTMLElement>("[data-codings]");
  return run ? run.dataset.codings?.split(" ").map(Number) : undefined;
}

/** The shortest of several codings over a run, which looks like the innermost. */
const innermostOf = ({ segments }: OpenedSource, ids: readonly number[]): Segment | undefined =>
  segments
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => lengthOf(a) - lengthOf(b))
    .at(0);

const lengthOf = ({ start_position, end_position }: Segment): number =>
  end_position - start_position;
