import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { groupBy } from "../../../src/text/arrays/group-by.ts";
import { strokeImage } from "./coding-style.ts";
import { assignLanes } from "./overlap-runs.ts";
import type { CodingOverlay } from "./overlays.ts";

interface Bar {
  top: number;
  height: number;
  /** The column within the lane of the coder, for bars that overlap. */
  slot: number;
}

/** Columns per lane; further bars wrap around to the first. */
const maxSlots = 3;

/**
 * A bar per coding beside the text, in the lane and the pattern of its coder. It is hidden from
 * screen readers, because each run of text has the same description.
 */
export function Margin({ codings }: { codings: readonly CodingOverlay[] }) {
  const margin = useRef<HTMLDivElement>(null);
  const bars = useSignal<ReadonlyMap<number, Bar>>(new Map());
  useEffect(() => {
    const block = margin.current?.parentElement;
    if (!block) return;
    const measure = (): void => {
      // Skipped content has no layout; an event reports when the block becomes visible.
      const isLaidOut = margin.current?.checkVisibility({ contentVisibilityAuto: true });
      if (isLaidOut) bars.value = barsIn(block, codings);
    };
    // The observer also reports the initial size.
    const observer = new ResizeObserver(measure);
    observer.observe(block);
    block.addEventListener("contentvisibilityautostatechange", measure);
    return () => {
      observer.disconnect();
      block.removeEventListener("contentvisibilityautostatechange", measure);
    };
  }, [codings]);
  return (
    <div ref={margin} class="margin" aria-hidden="true">
      {codings.map(({ id, label, colour, coder }) => (
        <i
          key={id}
          class="bar"
          data-codings={id}
          title={label}
          style={{
            "--lane": String(coder.lane),
            ...barStyle(bars.value.get(id)),
            backgroundImage: strokeImage(colour, coder.pattern, "180deg"),
          }}
        />
      ))}
    </div>
  );
}

const barStyle = (bar: Bar | undefined): Record<string, string> =>
  bar
    ? { top: `${bar.top}px`, height: `${bar.height}px`, "--slot": String(bar.slot % maxSlots) }
    : { display: "none" };

/** The bars from the top of each coding's first line to the bottom of its last. */
function barsIn(block: Element, codings: readonly CodingOverlay[]): Map<number, Bar> {
  const { top: blockTop } = block.getBoundingClientRect();
  const runs = [...block.querySelectorAll<HTMLElement>(".coded")].map((run) => ({
    ids: run.dataset.codings?.split(" ").map(Number) ?? [],
    ...run.getBoundingClientRect().toJSON(),
  })) as { ids: number[]; top: number; bottom: number }[];
  const extents = codings.flatMap(({ id, coder }) => {
    const codingRuns = runs.filter(({ ids }) => ids.includes(id));
    if (codingRuns.length === 0) return [];
    const start = Math.min(...codingRuns.map((run) => run.top)) - blockTop;
    const end = Math.max(...codingRuns.map((run) => run.bottom)) - blockTop;
    return [{ id, coder: coder.lane, start, end }];
  });
  const lanes = [...groupBy(extents, ({ coder }) => coder).values()].map(assignLanes);
  return new Map(
    lanes.flatMap((slots) =>
      [...slots].map(([{ id, start, end }, slot]): [number, Bar] => [
        id,
        { top: start, height: end - start, slot },
      ]),
    ),
  );
}
