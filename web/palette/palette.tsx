import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { groupedBy } from "../../src/text/grouped.ts";
import { call } from "../client.ts";
import { recentProjects } from "../recent.ts";
import { screens } from "../screen-list.ts";
import { Frame } from "../window.tsx";
import { documentOffers, isAsking, typed } from "./documents.ts";
import { matching } from "./matching.ts";
import type { Offer } from "./offer.ts";
import { offers } from "./offers.ts";
import { isPaletteOpen } from "./opening.ts";

export function Palette() {
  return isPaletteOpen.value ? <Offers /> : null;
}

/** Everything that can be done or gone to, by a few letters of its name. */
function Offers() {
  const form = useRef<HTMLFormElement>(null);
  const taken = useRef<Offer | undefined>(undefined);
  /** Enter may come before the answer does; the first document then opens when it is there. */
  const isEager = useSignal(false);
  const at = useSignal(0);
  useEffect(rememberProject, []);
  useSignalEffect(() => {
    const [first] = documentOffers.value;
    if (isEager.value && first && !isAsking.value) take(first);
  });
  // Documents come a moment later, so they stand behind what is there already.
  const found = [...matching(offers(), typed.value), ...documentOffers.value];
  const current = Math.min(at.value, found.length - 1);
  const take = (offer: Offer | undefined): void => {
    taken.current = offer;
    form.current?.requestSubmit();
  };
  const move = (to: number): void => {
    at.value = (to + found.length) % Math.max(1, found.length);
    const option = document.getElementById(`offer-${at.value}`);
    option?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Frame
      class="window palette"
      aria-label="Find an act, a screen or a document"
      close={() => {
        isPaletteOpen.value = false;
        typed.value = "";
        // The window has given the focus back, so the act may take it.
        taken.current?.run();
      }}
    >
      <form
        ref={form}
        method="dialog"
        onSubmit={(event) => {
          taken.current ??= found[current];
          if (taken.current) return;
          isEager.value = isAsking.value;
          event.preventDefault();
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
            isEager.value = false;
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
        {found.length === 0 && !isAsking.value ? "Nothing of that name." : ""}
      </p>
    </Frame>
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
