import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Window } from "../window.tsx";
import { apply, codeNamed, isPicking, longestName, type Wanted } from "./applying.ts";
import { ImportanceLevels } from "./importance.tsx";
import { type Code, codes } from "./project.ts";
import { recent } from "./recent-codes.ts";
import { Swatch } from "./swatch.tsx";

const mostShown = 8;

const close = (): void => {
  isPicking.value = false;
};

export function CodePicker() {
  return isPicking.value ? <Picking /> : null;
}

/** Two letters find a code, Enter applies it; a name that is not there becomes a code. */
function Picking() {
  const memo = useRef<HTMLInputElement>(null);
  const importance = useRef<HTMLSelectElement>(null);
  const words = useSignal("");
  const at = useSignal(0);
  const offered = offeredFor(words.value.trim());
  const current = Math.min(at.value, offered.length - 1);
  const take = (wanted: Wanted | undefined): void => {
    if (!wanted) return;
    const note = {
      memo: memo.current?.value.trim() ?? "",
      importance: Number(importance.current?.value ?? 0),
    };
    close();
    void apply(wanted, note);
  };
  return (
    <Window title="Code the selection" close={close} holdsWords>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(offered[current]);
        }}
      >
        <label>
          Code
          <input
            type="text"
            autofocus
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
                  <Swatch color={codeNamed(wanted.name)?.color} />
                  {wanted.name}
                </>
              ) : (
                <>New code “{wanted.name}”</>
              )}
            </div>
          ))}
        </div>
        <div class="noted">
          <label>
            Memo
            <input ref={memo} type="text" />
          </label>
          <label>
            Importance
            <select ref={importance}>
              <ImportanceLevels />
            </select>
          </label>
        </div>
        <p class="acts">
          <button type="submit" class="yes">
            Apply
          </button>
        </p>
      </form>
    </Window>
  );
}

/** Codes that hold the words, those that begin with them first; without words the recent ones. */
function offeredFor(words: string): Wanted[] {
  if (words === "") return recent.value.slice(0, mostShown);
  const sought = words.toLowerCase();
  const isFirst = ({ name }: Code): number => (name.toLowerCase().startsWith(sought) ? 0 : 1);
  const found: Wanted[] = codes.value
    .filter(({ name }) => name.toLowerCase().includes(sought))
    .sort((a, b) => isFirst(a) - isFirst(b) || b.segment_count - a.segment_count)
    .slice(0, mostShown);
  return codeNamed(words) ? found : [...found, { name: words }];
}
