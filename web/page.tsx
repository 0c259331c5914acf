import { type Signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { address, go, screen } from "./address.ts";
import { AgentToasts } from "./agent-toasts.tsx";
import { CollectionDocuments } from "./collections/documents.tsx";
import { CollectionFilter } from "./collections/filter.tsx";
import { Home } from "./home/home.tsx";
import { isHome } from "./home/house.ts";
import { KeySheet } from "./key-sheet.tsx";
import { isSheetOpen } from "./keys.ts";
import { isLive } from "./live.ts";
import { isPaletteOpen } from "./palette/opening.ts";
import { Palette } from "./palette/palette.tsx";
import { openDocument } from "./reader/open-document.ts";
import { Reader } from "./reader/reader.tsx";
import { recentDocuments } from "./recent.ts";
import { labelOf } from "./screen-list.ts";
import { Screen, Screens } from "./screens.tsx";
import { Facets } from "./search/facets.tsx";
import { isBeside } from "./search/preview.ts";
import { Results } from "./search/results.tsx";
import { SearchField } from "./search/search-field.tsx";
import { areSettingsOpen } from "./settings.ts";
import { SettingsWindow } from "./settings-window.tsx";

export function Page() {
  const { view } = address.value;
  useSignalEffect(() => {
    const { view, query, file } = address.value;
    const words = file ? (openDocument.value?.title ?? file) : query.trim();
    const about = view ? labelOf(view) : words;
    document.title = about ? `${about} – Lectern` : "Lectern";
    const opened = file ? openDocument.value : undefined;
    if (opened) recentDocuments.remember(file, opened.title);
  });
  return (
    <div class={pageClass()}>
      <header class="masthead" ref={useHeight("--masthead")}>
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
        <p class="windows">
          <Opener window={isPaletteOpen} keys="Control+K" label="Go to…" />
          <Opener window={areSettingsOpen} keys="," label="Settings" />
          <Opener window={isSheetOpen} keys="?" label="Keys" />
        </p>
        <Screens />
        <p class="connection" role="status">
          {isLive.value ? "" : "The server does not answer. What you see may be old; trying again."}
        </p>
      </header>
      <main class={isHome.value ? "at-home" : view || undefined}>
        {view ? <Screen name={view} /> : <Searching />}
      </main>
      <AgentToasts />
      <Palette />
      <SettingsWindow />
      <KeySheet />
    </div>
  );
}

function Searching() {
  const { query, file } = address.value;
  const isAsked = query.trim() !== "";
  return (
    <>
      {(isAsked || !file) && (
        <div class="list">
          <CollectionFilter />
          <Facets />
          {isAsked ? <Results /> : isHome.value ? <Home /> : <CollectionDocuments />}
        </div>
      )}
      {isBeside.value && <Reader />}
    </>
  );
}

/** A document takes the whole width where no list is beside it. */
function pageClass(): string {
  const { query, file } = address.value;
  if (!isBeside.value) return "page";
  return file && query.trim() === "" ? "page reading alone" : "page reading";
}

function Opener(props: { window: Signal<boolean>; keys: string; label: string }) {
  return (
    <button
      type="button"
      class="quiet"
      title={props.keys.replace("Control+", "Ctrl ")}
      aria-keyshortcuts={props.keys}
      onClick={() => {
        props.window.value = true;
      }}
    >
      {props.label}
    </button>
  );
}

/** Keeps the height of an element in a property, for what is to stay below it. */
function useHeight(property: string) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const watch = new ResizeObserver(() =>
      document.documentElement.style.setProperty(property, `${current.offsetHeight}px`),
    );
    watch.observe(current);
    return () => watch.disconnect();
  }, [property]);
  return element;
}
