import { effect, signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { address, go, screen } from "../address.ts";
import { openReader } from "../focus.ts";
import { hits, placeOf } from "./hits.ts";

/** Letters that come in one go, as from a clipboard or a macro, ask once; all others at once. */
const quietMs = 5;

/** Enter may come before the answer does; the first hit then opens when it is there. */
const isEager = signal(false);

effect(() => {
  const answer = hits.answer.value;
  if (!isEager.value || answer?.query !== address.peek().query.trim()) return;
  isEager.value = false;
  const first = answer.results[0];
  if (first) openReader(placeOf(first));
});

export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const opening = useRef(address.peek().query);
  /** What the address has from this field; anything else came from elsewhere. */
  const asked = useRef(opening.current);
  const ask = (): void => {
    clearTimeout(waiting.current);
    if (!field.current) return;
    const { view } = address.peek();
    asked.current = field.current.value;
    // Whoever types on another screen wants to search, and to find back.
    go({ ...(view && screen("")), query: field.current.value }, view ? "push" : "replace");
  };

  // Back and forward change the query too. This runs a moment later, when somebody may have typed
  // on, so what the field asked itself is never written back into it.
  useSignalEffect(() => {
    const { query } = address.value;
    if (!field.current || query === asked.current) return;
    asked.current = query;
    field.current.value = query;
  });

  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
          isEager.value = true;
        }}
      >
        <label class="unseen" for="search">
          Search the library
        </label>
        <input
          ref={field}
          id="search"
          type="search"
          defaultValue={opening.current}
          placeholder="Search the library"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          autofocus={!address.peek().file && !address.peek().view}
          maxLength={1_000}
          aria-keyshortcuts="/"
          onInput={() => {
            isEager.value = false;
            clearTimeout(waiting.current);
            waiting.current = setTimeout(ask, quietMs);
          }}
        />
      </form>
    </search>
  );
}
