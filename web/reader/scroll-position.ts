import { targetLine, topLine } from "./outline-state.ts";

/** Chunks that become visible have their real height within this number of frames. */
const framesToSettle = 4;

/**
 * The search for the line at the top stops after this number of frames: a short text may have none
 * there.
 */
const framesToDraw = 60;

/** The scrolling pane beside the list; undefined on a narrow screen, where the page scrolls. */
const paneOf = (text: HTMLElement): HTMLElement | undefined => {
  const pane = text.closest<HTMLElement>(".reader") ?? undefined;
  return pane && getComputedStyle(pane).overflowY === "auto" ? pane : undefined;
};

/** The distance of the first line from the header of the reader, in pixels. */
const gapBelowHeader = 24;

const headOf = (text: HTMLElement): DOMRect | undefined =>
  text.closest(".reader")?.querySelector("header")?.getBoundingClientRect();

const scrolledTo = (text: HTMLElement): number => paneOf(text)?.scrollTop ?? scrollY;

const targetIn = (text: HTMLElement): Element | null =>
  text.querySelector("[aria-current=location]");

/**
 * The line that the user navigated to. Near the end of a text it cannot be scrolled to the top, so
 * it counts as the current line until the user scrolls.
 */
let heldTarget: { line: number; scrolledTo: number; isTouched: boolean } | undefined;

function holdTarget(text: HTMLElement, line: number): void {
  heldTarget = { line, scrolledTo: scrolledTo(text), isTouched: heldTarget?.isTouched ?? false };
  targetLine.value = line;
}

function releaseTarget(): void {
  heldTarget = undefined;
  targetLine.value = undefined;
}

/** User input that may scroll. */
const scrollInputs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface ScrollTarget {
  /** The target line; undefined for the beginning. */
  line: number | undefined;
  /** A heading is scrolled to the top, a line to the upper third. */
  isSection: boolean;
}

/** Scrolls to a target, and again while the layout settles. Returns a function that stops it. */
export function scrollToTarget(text: HTMLElement, { line, isSection }: ScrollTarget): () => void {
  let frame = 0;
  let framesLeft = framesToSettle;
  const show = (): void => {
    const pane = paneOf(text);
    const target = line === undefined ? null : targetIn(text);
    if (line === undefined || !target) {
      if (pane) pane.scrollTop = 0;
      else if (line === undefined) scrollTo(0, 0);
      return;
    }
    const top = pane?.getBoundingClientRect().top ?? 0;
    const height = pane?.clientHeight ?? innerHeight;
    const head = headOf(text)?.height ?? 0;
    const position = top + (isSection ? head + gapBelowHeader : height / 3);
    (pane ?? window).scrollBy(0, target.getBoundingClientRect().top - position);
    holdTarget(text, line);
    if (framesLeft-- > 0) frame = requestAnimationFrame(show);
  };
  // Stop if the user scrolls meanwhile.
  const stop = (): void => cancelAnimationFrame(frame);
  addEventListener("wheel", stop, { once: true, passive: true });
  addEventListener("touchmove", stop, { once: true, passive: true });
  releaseTarget();
  show();
  return () => {
    stop();
    removeEventListener("wheel", stop);
    removeEventListener("touchmove", stop);
  };
}

function isTargetVisible(text: HTMLElement): boolean {
  const target = targetIn(text)?.getBoundingClientRect();
  const pane = paneOf(text)?.getBoundingClientRect();
  const top = headOf(text)?.bottom ?? 0;
  return target !== undefined && target.bottom > top && target.top < (pane?.bottom ?? innerHeight);
}

/** Tracks the first visible line, and releases the target when the user scrolls away. */
export function trackTopLine(text: HTMLElement): () => void {
  let frame = 0;
  let attempts = 0;
  const update = (): void => {
    frame = 0;
    targetLine.value = heldTarget && isTargetVisible(text) ? heldTarget.line : undefined;
    const { left, width } = text.getBoundingClientRect();
    const top = Math.max(headOf(text)?.bottom ?? 0, 0) + gapBelowHeader;
    // The point may be in a gap between two blocks; then probe further down.
    for (const below of [8, 32, 64, 128]) {
      const element = document
        .elementFromPoint(left + width * 0.75, top + below)
        ?.closest("[data-line]:not(.sheet), .line");
      const line = element?.getAttribute("data-number") ?? element?.getAttribute("data-line");
      if (!line || !text.contains(element ?? null)) continue;
      topLine.value = Number(line);
      return;
    }
    // A chunk that is not rendered yet has no lines; it is rendered within a few frames.
    if (attempts-- > 0) frame = requestAnimationFrame(update);
  };
  const scheduleUpdate = (): void => {
    attempts = framesToDraw;
    frame ||= requestAnimationFrame(update);
  };
  const markTouched = (): void => {
    if (heldTarget) heldTarget.isTouched = true;
  };
  const onScroll = (): void => {
    // Without user input, the browser adjusted the position after a layout change.
    if (heldTarget?.isTouched && heldTarget.scrolledTo !== scrolledTo(text)) releaseTarget();
    scheduleUpdate();
  };
  // Capture: other handlers may stop input events, and scroll events of the pane do not bubble.
  const options = { capture: true, passive: true };
  for (const input of scrollInputs) addEventListener(input, markTouched, options);
  addEventListener("scroll", onScroll, options);
  // Layout changes move the text without a scroll event.
  const observer = new ResizeObserver(scheduleUpdate);
  observer.observe(text);
  scheduleUpdate();
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    for (const input of scrollInputs) removeEventListener(input, markTouched, options);
    removeEventListener("scroll", onScroll, options);
  };
}
