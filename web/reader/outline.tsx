import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { addressWith } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { currentHeading, documentOutline, type OutlinedHeading } from "./outline-state.ts";
import { readerTarget } from "./reader-target.ts";

/** In a narrow pane the outline is hidden until the user opens it. */
export const isOutlineOpen = signal(false);

/** In a longer outline the deepest headings are omitted first. */
const maxHeadings = 400;

/** The headings, with the current one marked and scrolled into view. */
export function Outline() {
  const list = useRef<HTMLElement>(null);
  const all = documentOutline.value;
  const current = all[currentHeading.value];
  const entries = truncateOutline(all);
  // If the current heading is omitted, mark the nearest one before it.
  const marked = entries.findLast(({ line }) => line <= (current?.line ?? 0));

  useEffect(() => {
    const currentLink = list.current?.querySelector<HTMLElement>("[aria-current]");
    const frame = list.current;
    if (!currentLink || !frame) return;
    const top = currentLink.offsetTop - frame.offsetTop;
    const isVisible = top >= frame.scrollTop && top + 32 <= frame.scrollTop + frame.clientHeight;
    if (!isVisible) frame.scrollTop = top - frame.clientHeight / 2;
  }, [marked?.line]);

  if (all.length < 2) return null;
  const file = readerTarget.value?.file ?? "";
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
        <p class="notice">{all.length - entries.length} deeper headings not shown.</p>
      )}
    </nav>
  );
}

function truncateOutline(all: readonly OutlinedHeading[]): readonly OutlinedHeading[] {
  for (let deepest = 6; deepest > 1; deepest--) {
    const entries = all.filter(({ depth }) => depth <= deepest);
    if (entries.length <= maxHeadings) return entries;
  }
  return all.slice(0, maxHeadings);
}
