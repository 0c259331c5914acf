import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { groupBy } from "../../src/text/arrays/group-by.ts";
import { screens } from "../app/screen-list.ts";
import { Dialog } from "../components/window.tsx";
import { call } from "../server/client.ts";
import { recentProjects } from "../settings/recently-opened.ts";
import { areDocumentsLoading, documentItems, paletteText } from "./document-items.ts";
import { filterItems } from "./item-filter.ts";
import type { PaletteItem } from "./palette-item.ts";
import { paletteItems } from "./palette-items.ts";
import { isPaletteOpen } from "./palette-state.ts";

export function Palette() {
  return isPaletteOpen.value ? <PaletteDialog /> : null;
}

/** A searchable list of commands, screens, documents, collections and projects. */
function PaletteDialog() {
  const form = useRef<HTMLFormElement>(null);
  const chosen = useRef<PaletteItem | undefined>(undefined);
  /** Enter was pressed before the results arrived: the first document opens once it is there. */
  const isEnterPending = useSignal(false);
  const at = useSignal(0);
  useEffect(rememberProject, []);
  useSignalEffect(() => {
    const [first] = documentItems.value;
    if (isEnterPending.value && first && !areDocumentsLoading.value) choose(first);
  });
  // Documents arrive later, so they come last.
  const items = [...filterItems(paletteItems(), paletteText.value), ...documentItems.value];
  const current = Math.min(at.value, items.length - 1);
  const choose = (item: PaletteItem | undefined): void => {
    chosen.current = item;
    form.current?.requestSubmit();
  };
  const move = (to: number): void => {
    at.value = (to + items.length) % Math.max(1, items.length);
    const option = document.getElementById(`offer-${at.value}`);
    option?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Dialog
      class="window palette"
      aria-label="Go to a command, a screen or a document"
      close={() => {
        isPaletteOpen.value = false;
        paletteText.value = "";
        // The dialog has restored the focus, so the command may move it.
        chosen.current?.run();
      }}
    >
      <form
        ref={form}
        method="dialog"
        onSubmit={(event) => {
          chosen.current ??= items[current];
          if (chosen.current) return;
          isEnterPending.value = areDocumentsLoading.value;
          event.preventDefault();
        }}
      >
        <input
          type="text"
          role="combobox"
          aria-label="Command, screen or document"
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls="offers"
          aria-activedescendant={items.length > 0 ? `offer-${current}` : undefined}
          placeholder="Command, screen or document"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={paletteText.value}
          onInput={(event) => {
            paletteText.value = event.currentTarget.value;
            isEnterPending.value = false;
            at.value = 0;
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined) return;
            move(current + step);
            event.preventDefault();
          }}
        />
      </form>
      {/* The field keeps the focus and names the current option by `aria-activedescendant`. */}
      <div id="offers" role="listbox" aria-label="Matches">
        {[...groupBy(items, ({ group }) => group)].map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden="true">{group}</p>
            {members.map((item) => {
              const index = items.indexOf(item);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                <div
                  key={`${item.label} ${item.hint}`}
                  id={`offer-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === current}
                  onClick={() => choose(item)}
                >
                  <span class="label">{item.label}</span>
                  {item.hint && <span class="hint">{item.hint}</span>}
                  {item.key && <kbd>{item.key}</kbd>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p class="none" role="status">
        {items.length === 0 && !areDocumentsLoading.value ? "No matches." : ""}
      </p>
    </Dialog>
  );
}

/** Adds the open project to the recent projects, even if an agent opened it. */
function rememberProject(): void {
  if (!screens.peek().some(({ name }) => name === "coding")) return;
  call("get_project_context", {}).then(
    ({ project_path }) => {
      if (project_path) recentProjects.remember(project_path, nameOf(project_path));
    },
    // Without an answer there is nothing to remember.
    () => undefined,
  );
}

const nameOf = (path: string): string => path.slice(path.search(/[^/\\]*$/));
