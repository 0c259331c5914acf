import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { groupedBy } from "../../src/text/grouped.ts";
import type { CodingBand } from "./bands.ts";
import { stroked } from "./paint.ts";
import { lanesOf } from "./runs.ts";

interface Bar {
  top: number;
  height: number;
  /** In the lane of its coder, beside others on the same lines. */
  slot: number;
}

/** So many have room side by side in a lane; what is more begins again at its edge. */
const slots = 3;

/**
 * Beside the text a bar for each coding, in the lane and the pattern of who coded. It repeats for
 * the eye what each run says; so it is not read aloud.
 */
export function Margin({ codings }: { codings: readonly CodingBand[] }) {
  const margin = useRef<HTMLDivElement>(null);
  const bars = useSignal<ReadonlyMap<number, Bar>>(new Map());
  useEffect(() => {
    const block = margin.current?.parentElement;
    if (!block) return;
    const measure = (): void => {
      // What is in a block has no lines while nobody looks there; it tells when somebody does.
      const isLaidOut = margin.current?.checkVisibility({ contentVisibilityAuto: true });
      if (isLaidOut) bars.value = barsIn(block, codings);
    };
    // It is told first of the size that the block has, once that is known.
    const sizes = new ResizeObserver(measure);
    sizes.observe(block);
    block.addEventListener("contentvisibilityautostatechange", measure);
    return () => {
      sizes.disconnect();
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
            ...placeOf(bars.value.get(id)),
            backgroundImage: stroked(colour, coder.pattern, "180deg"),
          }}
        />
      ))}
    </div>
  );
}

const placeOf = (bar: Bar | undefined): Record<string, string> =>
  bar
    ? { top: `${bar.top}px`, height: `${bar.height}px`, "--slot": String(bar.slot % slots) }
    : { display: "none" };

/** From the top of a coding's first line to the foot of its last, in the block. */
function barsIn(block: Element, codings: readonly CodingBand[]): Map<number, Bar> {
  const { top: above } = block.getBoundingClientRect();
  const runs = [...block.querySelectorAll<HTMLElement>(".coded")].map((run) => ({
    ids: run.dataset.codings?.split(" ").map(Number) ?? [],
    ...run.getBoundingClientRect().toJSON(),
  })) as { ids: number[]; top: number; bottom: number }[];
  const placed = codings.flatMap(({ id, coder }) => {
    const own = runs.filter(({ ids }) => ids.includes(id));
    if (own.length === 0) return [];
    const start = Math.min(...own.map((run) => run.top)) - above;
    const end = Math.max(...own.map((run) => run.bottom)) - above;
    return [{ id, coder: coder.lane, start, end }];
  });
  const lanes = [...groupedBy(placed, ({ coder }) => coder).values()].map(lanesOf);
  return new Map(
    lanes.flatMap((own) =>
      [...own].map(([{ id, start, end }, slot]): [number, Bar] => [
        id,
        { top: start, height: end - start, slot },
      ]),
    ),
  );
}
