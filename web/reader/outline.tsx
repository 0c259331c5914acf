import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { addressWith } from "../address.ts";
import { Link } from "../link.tsx";
import { currentHeading, type OutlinedHeading, outline } from "./paper.ts";
import { shown } from "./shown.ts";

/** On a pane that is too narrow for both, the outline is shown on request. */
export const isOutlineOpen = signal(false);

/** More than anybody looks through; the deepest are left out first. */
const mostHeadings = 400;

/** The headings, with the one that is read under. */
export function Outline() {
  const list = useRef<HTMLElement>(null);
  const all = outline.value;
  const current = all[currentHeading.value];
  const entries = shortened(all);
  // A heading that was left out stands under the nearest one before it that was not.
  const marked = entries.findLast(({ line }) => line <= (current?.line ?? 0));

  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    const frame = list.current;
    if (!here || !frame) return;
    const top = here.offsetTop - frame.offsetTop;
    const isSeen = top >= frame.scrollTop && top + 32 <= frame.scrollTop + frame.clientHeight;
    if (!isSeen) frame.scrollTop = top - frame.clientHeight / 2;
  }, [marked?.line]);

  if (all.length < 2) return null;
  const file = shown.value?.file ?? "";
  const top = Math.min(...entries.map(({ depth }) => depth));
  return (
    <nav class={isOutlineOpen.value ? "outline open" : "outline"} aria-label="Outline" ref={list}>
      <ul>
        {entries.map(({ depth, title, line, anchor }) => (
          <li key={line} class={`level-${Math.min(depth - top, 3)}`}>
            <Link
              to={addressWith({ file, line: 1, anchor })}
              aria-current={line === marked?.line ? "true" : undefined}
            >
              {title || "…"}
            </Link>
          </li>
        ))}
      </ul>
      {entries.length < all.length && (
        <p class="notice">{all.length - entries.length} more headings are left out.</p>
      )}
    </nav>
  );
}

function shortened(all: readonly OutlinedHeading[]): readonly OutlinedHeading[] {
  for (let deepest = 6; deepest > 1; deepest--) {
    const kept = all.filter(({ depth }) => depth <= deepest);
    if (kept.length <= mostHeadings) return kept;
  }
  return all.slice(0, mostHeadings);
}
