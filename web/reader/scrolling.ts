import { topLine } from "./paper.ts";

/** What was out of sight takes its true room within so many frames after it is seen. */
const framesToSettle = 4;

/** After so many frames without a line there is none at the top, as beside a short text. */
const framesToDraw = 60;

/** Beside the list the pane scrolls, and the list must not; alone on a narrow screen, the page. */
const paneOf = (text: HTMLElement): HTMLElement | undefined => {
  const pane = text.closest<HTMLElement>(".reader") ?? undefined;
  return pane && getComputedStyle(pane).overflowY === "auto" ? pane : undefined;
};

/** How far below the head of the reader the first line that is read stands. */
const belowHead = 24;

const headOf = (text: HTMLElement): DOMRect | undefined =>
  text.closest(".reader")?.querySelector("header")?.getBoundingClientRect();

interface Place {
  /** The line that somebody came for; none for the beginning. */
  line: number | undefined;
  /** A section is read from its heading on; a line, with what stands before it. */
  isSection: boolean;
}

/** Brings a place into sight. */
export function showPlace(text: HTMLElement, { line, isSection }: Place): () => void {
  let frame = 0;
  let left = framesToSettle;
  const show = (): void => {
    const pane = paneOf(text);
    const target = line === undefined ? null : text.querySelector("[aria-current=location]");
    if (!target) {
      if (pane) pane.scrollTop = 0;
      else if (line === undefined) scrollTo(0, 0);
      return;
    }
    const top = pane?.getBoundingClientRect().top ?? 0;
    const height = pane?.clientHeight ?? innerHeight;
    const head = headOf(text)?.height ?? 0;
    const wanted = top + (isSection ? head + belowHead : height / 3);
    (pane ?? window).scrollBy(0, target.getBoundingClientRect().top - wanted);
    if (left-- > 0) frame = requestAnimationFrame(show);
  };
  // Whoever scrolls meanwhile is left in peace.
  const stop = (): void => cancelAnimationFrame(frame);
  addEventListener("wheel", stop, { once: true, passive: true });
  addEventListener("touchmove", stop, { once: true, passive: true });
  show();
  return () => {
    stop();
    removeEventListener("wheel", stop);
    removeEventListener("touchmove", stop);
  };
}

/** Keeps the line at the top of what is seen. */
export function followTop(text: HTMLElement): () => void {
  let frame = 0;
  let attempts = 0;
  const look = (): void => {
    frame = 0;
    const { left, width } = text.getBoundingClientRect();
    const top = Math.max(headOf(text)?.bottom ?? 0, 0) + belowHead;
    // Between two blocks there is nothing; the next one below is the one that is read.
    for (const below of [8, 32, 64, 128]) {
      const seen = document
        .elementFromPoint(left + width * 0.75, top + below)
        ?.closest("[data-line], .line");
      const line = seen?.getAttribute("data-number") ?? seen?.getAttribute("data-line");
      if (!line || !text.contains(seen ?? null)) continue;
      topLine.value = Number(line);
      return;
    }
    // A part that is not drawn yet has no lines; it is drawn within a few frames.
    if (attempts-- > 0) frame = requestAnimationFrame(look);
  };
  const soon = (): void => {
    attempts = framesToDraw;
    frame ||= requestAnimationFrame(look);
  };
  // Scrolling does not bubble; both the pane and the page are heard on the way down.
  addEventListener("scroll", soon, { capture: true, passive: true });
  // What takes its true room later moves the text without a scroll.
  const resized = new ResizeObserver(soon);
  resized.observe(text);
  soon();
  return () => {
    cancelAnimationFrame(frame);
    resized.disconnect();
    removeEventListener("scroll", soon, { capture: true });
  };
}
