import { go } from "../address.ts";
import { isOutlineOpen } from "./outline.tsx";
import { hasTwoViews, isSource, outline, topLine } from "./paper.ts";

/** What can be done with the open document. */
export function Tools() {
  return (
    <>
      {outline.value.length > 1 && (
        <button
          type="button"
          class="quiet for-outline"
          aria-keyshortcuts="o"
          aria-expanded={isOutlineOpen.value}
          onClick={() => {
            isOutlineOpen.value = !isOutlineOpen.value;
          }}
        >
          Outline
        </button>
      )}
      {hasTwoViews.value && (
        <button
          type="button"
          class="quiet"
          aria-keyshortcuts="l"
          aria-pressed={isSource.value}
          onClick={switchView}
        >
          Source
        </button>
      )}
    </>
  );
}

/** Stays at the place that was asked for while it is seen, and else at what is read. */
function switchView(): void {
  const here = document.querySelector(".reader [aria-current=location]")?.getBoundingClientRect();
  const isSeen = here !== undefined && here.bottom > 0 && here.top < innerHeight;
  const line = topLine.peek();
  go({ part: isSource.peek() ? "" : "source", ...(!isSeen && line > 1 && { line }) });
}
