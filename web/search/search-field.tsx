import { effect, signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { address, go, screen } from "../address.ts";
import { openReader } from "../focus.ts";
import { hits, placeOf } from "./hits.ts";

/** Short enough to feel immediate, long enough that a fast typist asks once a word. */
const quietMs = 90;

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
  const ask = (): void => {
    clearTimeout(waiting.current);
    if (!field.current) return;
    const { view } = address.peek();
    // Whoever types on another screen wants to search, and to find back.
    go({ ...(view && screen("")), query: field.current.value }, view ? "push" : "replace");
  };

  // Back and forward change the query too. While somebody types, the field knows better.
  useSignalEffect(() => {
    const { query } = address.value;
    if (field.current && field.current.value.trim() !== query.trim()) field.current.value = query;
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
