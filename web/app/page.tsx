import { type Signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { AgentToasts } from "../agents/agent-toasts.tsx";
import { CollectionDocuments } from "../collections/collection-documents.tsx";
import { CollectionFilter } from "../collections/collection-filter.tsx";
import { Home } from "../home/home.tsx";
import { isHome } from "../home/system-state.ts";
import { ShortcutHelp } from "../keyboard/shortcut-help.tsx";
import { isShortcutHelpOpen } from "../keyboard/shortcuts.ts";
import { Palette } from "../palette/palette.tsx";
import { isPaletteOpen } from "../palette/palette-state.ts";
import { openDocument } from "../reader/open-document.ts";
import { Reader } from "../reader/reader.tsx";
import { Facets } from "../search/facets.tsx";
import { hasSidePane } from "../search/result-preview.ts";
import { Results } from "../search/results.tsx";
import { SearchField } from "../search/search-field.tsx";
import { isConnected } from "../server/server-events.ts";
import { recentDocuments } from "../settings/recently-opened.ts";
import { areSettingsOpen } from "../settings/settings.ts";
import { SettingsWindow } from "../settings/settings-window.tsx";
import { address, navigate, screenAddress } from "./address.ts";
import { screenLabel } from "./screen-list.ts";
import { Screen, Screens } from "./screens.tsx";

export function Page() {
  const { view } = address.value;
  useSignalEffect(() => {
    const { view, query, file } = address.value;
    const subject = file ? (openDocument.value?.title ?? file) : query.trim();
    const title = view ? screenLabel(view) : subject;
    document.title = title ? `${title} – Lectern` : "Lectern";
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
              navigate(screenAddress(""));
            }}
          >
            Lectern
          </a>
        </h1>
        <SearchField />
        <p class="windows">
          <Opener window={isPaletteOpen} keys="Control+K" label="Go to…" />
          <Opener window={areSettingsOpen} keys="," label="Settings" />
          <Opener window={isShortcutHelpOpen} keys="?" label="Shortcuts" />
        </p>
        <Screens />
        <p class="connection" role="status">
          {isConnected.value
            ? ""
            : "The server does not answer. This page may be out of date. Reconnecting…"}
        </p>
      </header>
      <main class={isHome.value ? "at-home" : view || undefined}>
        {view ? <Screen name={view} /> : <SearchScreen />}
      </main>
      <AgentToasts />
      <Palette />
      <SettingsWindow />
      <ShortcutHelp />
    </div>
  );
}

function SearchScreen() {
  const { query, file } = address.value;
  const hasQuery = query.trim() !== "";
  return (
    <>
      {(hasQuery || !file) && (
        <div class="list">
          <CollectionFilter />
          <Facets />
          {hasQuery ? <Results /> : isHome.value ? <Home /> : <CollectionDocuments />}
        </div>
      )}
      {hasSidePane.value && <Reader />}
    </>
  );
}

/** A document without a result list takes the full width. */
function pageClass(): string {
  const { query, file } = address.value;
  if (!hasSidePane.value) return "page";
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

/** Writes the height of an element to a CSS property, for elements positioned below it. */
function useHeight(property: string) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty(property, `${current.offsetHeight}px`),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [property]);
  return element;
}
