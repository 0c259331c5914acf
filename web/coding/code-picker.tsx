import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { apply, codeNamed, isPicking, longestName, type Wanted } from "./applying.ts";
import { Swatch } from "./codebook.tsx";
import { type Code, codes } from "./project.ts";

const mostShown = 8;

/** Two letters find a code, Enter applies it; a name that is not there becomes a code. */
export function CodePicker() {
  const sheet = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const memo = useRef<HTMLInputElement>(null);
  const importance = useRef<HTMLSelectElement>(null);
  const words = useSignal("");
  const at = useSignal(0);
  useSignalEffect(() => {
    if (!isPicking.value) return sheet.current?.close();
    words.value = "";
    at.value = 0;
    sheet.current?.showModal();
    field.current?.focus();
  });
  const offered = offeredFor(words.value.trim());
  const current = Math.min(at.value, offered.length - 1);
  const take = (wanted: Wanted | undefined): void => {
    if (!wanted) return;
    const note = {
      memo: memo.current?.value.trim() ?? "",
      importance: Number(importance.current?.value ?? 0),
    };
    isPicking.value = false;
    void apply(wanted, note);
  };
  return (
    <dialog
      ref={sheet}
      class="sheet"
      aria-labelledby="picking"
      onClose={(event) => {
        isPicking.value = false;
        event.currentTarget.querySelector("form")?.reset();
      }}
    >
      <h3 id="picking">Code the selection</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(offered[current]);
        }}
      >
        <label>
          Code
          <input
            ref={field}
            type="text"
            role="combobox"
            autocomplete="off"
            maxLength={longestName}
            aria-expanded={offered.length > 0}
            aria-controls="offered"
            aria-activedescendant={offered.length > 0 ? `offered-${current}` : undefined}
            value={words.value}
            onInput={(event) => {
              words.value = event.currentTarget.value;
              at.value = 0;
            }}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
              const step = event.key === "ArrowDown" ? 1 : -1;
              at.value = Math.max(0, Math.min(current + step, offered.length - 1));
              event.preventDefault();
            }}
          />
        </label>
        {/* The field has the focus and says by `aria-activedescendant` which option is meant. */}
        <div id="offered" class="offered" role="listbox" aria-label="Codes">
          {offered.map((wanted, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field
            <div
              key={"id" in wanted ? wanted.id : "new"}
              id={`offered-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === current}
              onClick={() => take(wanted)}
            >
              {"id" in wanted ? (
                <>
                  <Swatch color={codeNamed(wanted.name)?.color} isAgent={false} />
                  {wanted.name}
                </>
              ) : (
                <>New code “{wanted.name}”</>
              )}
            </div>
          ))}
        </div>
        <label>
          Memo
          <input ref={memo} type="text" />
        </label>
        <label>
          Importance
          <select ref={importance}>
            {[0, 1, 2, 3].map((level) => (
              <option key={level} value={level}>
                {level === 0 ? "none" : level}
              </option>
            ))}
          </select>
        </label>
        <p class="acts">
          <button type="submit" class="yes">
            Apply
          </button>
          <button type="button" onClick={() => sheet.current?.close()}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Codes that hold the words, those that begin with them first; without words the most used. */
function offeredFor(words: string): Wanted[] {
  const sought = words.toLowerCase();
  const isFirst = ({ name }: Code): number => (name.toLowerCase().startsWith(sought) ? 0 : 1);
  const found: Wanted[] = codes.value
    .filter(({ name }) => name.toLowerCase().includes(sought))
    .sort((a, b) => isFirst(a) - isFirst(b) || b.segment_count - a.segment_count)
    .slice(0, mostShown);
  return words && !codeNamed(words) ? [...found, { name: words }] : found;
}
