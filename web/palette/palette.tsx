import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { groupedBy } from "../../src/text/grouped.ts";
import { call } from "../client.ts";
import { recentProjects } from "../recent.ts";
import { screens } from "../screen-list.ts";
import { matching } from "./matching.ts";
import { type Offer, offers } from "./offers.ts";
import { isPaletteOpen } from "./opening.ts";

/** Everything that can be done or gone to, by a few letters of its name. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  useSignalEffect(() => {
    if (!isPaletteOpen.value) return dialog.current?.close();
    typed.value = "";
    at.value = 0;
    rememberProject();
    dialog.current?.showModal();
  });
  const found = isPaletteOpen.value ? matching(offers(), typed.value) : [];
  const current = Math.min(at.value, found.length - 1);
  const take = (offer: Offer | undefined): void => {
    if (!offer) return;
    isPaletteOpen.value = false;
    // First the window gives the focus back, then the act may take it.
    dialog.current?.close();
    offer.run();
  };
  const move = (to: number): void => {
    at.value = (to + found.length) % Math.max(1, found.length);
    const option = document.getElementById(`offer-${at.value}`);
    option?.scrollIntoView({ block: "nearest" });
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find an act, a screen or a document"
      onClose={() => {
        isPaletteOpen.value = false;
      }}
      closedby="any"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(found[current]);
        }}
      >
        <input
          type="text"
          role="combobox"
          aria-label="What to do or where to go"
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls="offers"
          aria-activedescendant={found.length > 0 ? `offer-${current}` : undefined}
          placeholder="What to do or where to go"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
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
      {/* The field has the focus and says by `aria-activedescendant` which option is meant. */}
      <div id="offers" role="listbox" aria-label="Offers">
        {[...groupedBy(found, ({ group }) => group)].map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no set of fields
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden="true">{group}</p>
            {members.map((offer) => {
              const place = found.indexOf(offer);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field
                <div
                  key={`${offer.label} ${offer.hint}`}
                  id={`offer-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === current}
                  onClick={() => take(offer)}
                >
                  <span class="label">{offer.label}</span>
                  {offer.hint && <span class="hint">{offer.hint}</span>}
                  {offer.key && <kbd>{offer.key}</kbd>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p class="none" role="status">
        {found.length === 0 && isPaletteOpen.value ? "Nothing of that name." : ""}
      </p>
    </dialog>
  );
}

/** The project that is open now, whoever opened it, can be come back to. */
function rememberProject(): void {
  if (!screens.peek().some(({ name }) => name === "coding")) return;
  call("get_project_context", {}).then(
    ({ project_path }) => {
      if (project_path) recentProjects.remember(project_path, nameOf(project_path));
    },
    // Without an answer nothing is offered.
    () => undefined,
  );
}

const nameOf = (path: string): string => path.slice(path.search(/[^/\\]*$/));
