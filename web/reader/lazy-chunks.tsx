import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { DocumentChunk } from "../markdown/document-chunks.ts";

interface LazyChunksProps {
  chunks: readonly DocumentChunk[];
  /** The line to mark as the current location. */
  here: number | undefined;
  draw(chunk: DocumentChunk, here: number | undefined): ComponentChildren;
}

/** A text up to this length is rendered completely. */
const maxEagerLines = 2_000;

/**
 * How far outside the viewport chunks are rendered. `scrollMargin` applies to the scrolling pane,
 * `rootMargin` to the page on a narrow screen.
 */
const margins = { scrollMargin: "1200px 0px", rootMargin: "1200px 0px" };

/**
 * Renders a text of any length. A distant chunk contains its source lines, so that the browser's
 * text search works. It is rendered when it comes near the viewport, and before printing. The
 * browser skips the layout of chunks outside the viewport and uses their estimated height.
 */
export function LazyChunks({ chunks, here, draw }: LazyChunksProps) {
  const length = chunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const isShort = length <= maxEagerLines;
  /** By the first line of each chunk, whether it has been near the viewport. */
  const near = useMemo(() => new Map<number, Signal<boolean>>(), []);
  const nearOf = (line: number): Signal<boolean> => {
    const known = near.get(line) ?? signal(isShort);
    near.set(line, known);
    return known;
  };
  const observer = useMemo(
    () =>
      new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) nearOf(Number(target.getAttribute("data-line"))).value = true;
        }
      }, margins),
    [],
  );
  useEffect(() => {
    const drawAll = () => {
      for (const isNear of near.values()) isNear.value = true;
    };
    addEventListener("beforeprint", drawAll);
    return () => {
      removeEventListener("beforeprint", drawAll);
      observer.disconnect();
    };
  }, [near, observer]);
  return chunks.map((chunk) => {
    const isHere =
      here !== undefined && here >= chunk.line && here < chunk.line + chunk.lines.length;
    return (
      <LazyChunk
        key={chunk.line}
        chunk={chunk}
        here={isHere ? here : undefined}
        draw={draw}
        observer={observer}
        isNear={nearOf(chunk.line)}
      />
    );
  });
}

interface ChunkProps extends Omit<LazyChunksProps, "chunks"> {
  chunk: DocumentChunk;
  observer: IntersectionObserver;
  isNear: Signal<boolean>;
}

function LazyChunk({ chunk, here, draw, observer, isNear }: ChunkProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current || isNear.peek()) return undefined;
    observer.observe(current);
    return () => observer.unobserve(current);
  }, [observer, isNear]);
  const isDrawn = isNear.value || here !== undefined;
  return (
    <div
      ref={frame}
      class={isDrawn ? "sheet" : "sheet raw"}
      data-line={chunk.line}
      style={{ containIntrinsicBlockSize: `auto ${estimatedHeight(chunk)}px` }}
    >
      {isDrawn ? draw(chunk, here) : chunk.lines.join("\n")}
    </div>
  );
}

/** By the number of wrapped lines, in pixels. */
const estimatedHeight = ({ lines }: DocumentChunk): number =>
  lines.reduce((sum, { length }) => sum + (length === 0 ? 12 : Math.ceil(length / 80) * 28), 0);
