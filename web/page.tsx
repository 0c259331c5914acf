import { useSignalEffect } from "@preact/signals";
import { address, go, screen } from "./address.ts";
import { CollectionFilter } from "./collections/filter.tsx";
import { Start } from "./collections/start.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { isSheetOpen } from "./keys.ts";
import { isLive } from "./live.ts";
import { openDocument } from "./reader/open-document.ts";
import { Reader } from "./reader/reader.tsx";
import { labelOf, Screen, Screens } from "./screens.tsx";
import { Results } from "./search/results.tsx";
import { SearchField } from "./search/search-field.tsx";

export function Page() {
  const { view, file } = address.value;
  useSignalEffect(() => {
    const { view, query, file } = address.value;
    const words = file ? (openDocument.value?.title ?? file) : query.trim();
    const about = view ? labelOf(view) : words;
    document.title = about ? `${about} – Lectern` : "Lectern";
  });
  return (
    <div class={file ? "page reading" : "page"}>
      <header class="masthead">
        <h1>
          <a
            href="/"
            onClick={(event) => {
              event.preventDefault();
              go(screen(""));
            }}
          >
            Lectern
          </a>
        </h1>
        <SearchField />
        <button
          type="button"
          class="quiet"
          aria-keyshortcuts="?"
          onClick={() => {
            isSheetOpen.value = true;
          }}
        >
          Keys
        </button>
        <Screens />
        <p class="connection" role="status">
          {isLive.value ? "" : "The server does not answer. What you see may be old; trying again."}
        </p>
      </header>
      <main class={view || undefined}>{view ? <Screen name={view} /> : <Searching />}</main>
      <KeySheet />
    </div>
  );
}

function Searching() {
  const { query, file } = address.value;
  return (
    <>
      <div class="list">
        <CollectionFilter />
        {query.trim() === "" ? <Start /> : <Results />}
      </div>
      {file && <Reader />}
    </>
  );
}
