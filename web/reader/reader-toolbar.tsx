import { navigate } from "../app/address.ts";
import { isOutlineOpen } from "./outline.tsx";
import { documentOutline, hasRenderedView, isSourceShown, topLine } from "./outline-state.ts";

/** The actions on the open document. */
export function ReaderToolbar() {
  return (
    <>
      {documentOutline.value.length > 1 && (
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
      {hasRenderedView.value && (
        <button
          type="button"
          class="quiet"
          aria-keyshortcuts="l"
          aria-pressed={isSourceShown.value}
          onClick={switchView}
        >
          Source
        </button>
      )}
    </>
  );
}

/** Switches between text and source. Keeps the target if it is visible, else the first visible line. */
function switchView(): void {
  const target = document.querySelector(".reader [aria-current=location]")?.getBoundingClientRect();
  const isVisible = target !== undefined && target.bottom > 0 && target.top < innerHeight;
  const line = topLine.peek();
  navigate({ part: isSourceShown.peek() ? "" : "source", ...(!isVisible && line > 1 && { line }) });
}
