import { effect, signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { address, navigate, screenAddress } from "../app/address.ts";
import { openReader } from "../keyboard/focus.ts";
import { hitLocation, searchResults } from "./search-results-state.ts";

/**
 * Groups the characters of a paste or a macro into one search; each typed character still starts
 * its own search.
 */
const debounceMs = 5;

/** Enter was pressed before the results arrived: the first hit opens once it is there. */
const isEnterPending = signal(false);

effect(() => {
  const answer = searchResults.answer.value;
  if (!isEnterPending.value || answer?.query !== address.peek().query.trim()) return;
  isEnterPending.value = false;
  const first = answer.results[0];
  if (first) openReader(hitLocation(first));
});

export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const initialQuery = useRef(address.peek().query);
  /** The query that this field last wrote to the URL. Any other query came from elsewhere. */
  const ownQuery = useRef(initialQuery.current);
  const search = (): void => {
    clearTimeout(timer.current);
    if (!field.current) return;
    const { view } = address.peek();
    ownQuery.current = field.current.value;
    // Typing on another screen opens the search screen, with a history entry to go back.
    navigate(
      { ...(view && screenAddress("")), query: field.current.value },
      view ? "push" : "replace",
    );
  };

  // Back and forward change the query too. This effect runs with a delay, when the user may have
  // typed more, so the field's own query is never written back.
  useSignalEffect(() => {
    const { query } = address.value;
    if (!field.current || query === ownQuery.current) return;
    ownQuery.current = query;
    field.current.value = query;
  });

  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
          isEnterPending.value = true;
        }}
      >
        <label class="unseen" for="search">
          Search the library
        </label>
        <input
          ref={field}
          id="search"
          type="search"
          defaultValue={initialQuery.current}
          placeholder="Search the library"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          autofocus={!address.peek().file && !address.peek().view}
          maxLength={1_000}
          aria-keyshortcuts="/"
          onInput={() => {
            isEnterPending.value = false;
            clearTimeout(timer.current);
            timer.current = setTimeout(search, debounceMs);
          }}
        />
      </form>
    </search>
  );
}
