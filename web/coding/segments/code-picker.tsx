import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { TitledDialog } from "../../components/window.tsx";
import {
  applyCode,
  type CodeChoice,
  findCodeByName,
  isPicking,
  maxNameLength,
} from "../coding-actions.ts";
import { type Code, codes } from "../project-state.ts";
import { Swatch } from "../swatch.tsx";
import { ImportanceLevels } from "./importance.tsx";
import { recentCodes } from "./recent-codes.ts";

const maxChoices = 8;

const close = (): void => {
  isPicking.value = false;
};

export function CodePicker() {
  return isPicking.value ? <CodePickerDialog /> : null;
}

/** Typing filters the codes, Enter applies the selected one. An unknown name creates a code. */
function CodePickerDialog() {
  const memo = useRef<HTMLInputElement>(null);
  const importance = useRef<HTMLSelectElement>(null);
  const typed = useSignal("");
  const activeIndex = useSignal(0);
  const choices = codeChoicesFor(typed.value.trim());
  const current = Math.min(activeIndex.value, choices.length - 1);
  const choose = (choice: CodeChoice | undefined): void => {
    if (!choice) return;
    const note = {
      memo: memo.current?.value.trim() ?? "",
      importance: Number(importance.current?.value ?? 0),
    };
    close();
    void applyCode(choice, note);
  };
  return (
    <TitledDialog title="Code the selection" close={close} hasInput>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(choices[current]);
        }}
      >
        <label>
          Code
          <input
            type="text"
            autofocus
            role="combobox"
            autocomplete="off"
            maxLength={maxNameLength}
            aria-expanded={choices.length > 0}
            aria-controls="choices"
            aria-activedescendant={choices.length > 0 ? `offered-${current}` : undefined}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
              activeIndex.value = 0;
            }}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
              const step = event.key === "ArrowDown" ? 1 : -1;
              activeIndex.value = Math.max(0, Math.min(current + step, choices.length - 1));
              event.preventDefault();
            }}
          />
        </label>
        {/* The field keeps the focus and names the current option by `aria-activedescendant`. */}
        <div id="choices" class="choices" role="listbox" aria-label="Codes">
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={"id" in choice ? choice.id : "new"}
              id={`offered-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              onClick={() => choose(choice)}
            >
              {"id" in choice ? (
                <>
                  <Swatch color={findCodeByName(choice.name)?.color} />
                  {choice.name}
                </>
              ) : (
                <>New code “{choice.name}”</>
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
    </TitledDialog>
  );
}

/** The codes that contain the text, prefix matches first. Without text, the recent codes. */
function codeChoicesFor(typed: string): CodeChoice[] {
  if (typed === "") return recentCodes.value.slice(0, maxChoices);
  const needle = typed.toLowerCase();
  const rank = ({ name }: Code): number => (name.toLowerCase().startsWith(needle) ? 0 : 1);
  const matches: CodeChoice[] = codes.value
    .filter(({ name }) => name.toLowerCase().includes(needle))
    .sort((a, b) => rank(a) - rank(b) || b.segment_count - a.segment_count)
    .slice(0, maxChoices);
  return findCodeByName(typed) ? matches : [...matches, { name: typed }];
}
