import { address, navigate, screenAddress } from "../app/address.ts";
import { screenLabel, screens } from "../app/screen-list.ts";
import { libraryStatus } from "../collections/library-status.ts";
import { isHome } from "../home/system-state.ts";
import { focusSearchField } from "../keyboard/focus.ts";
import { shortcutTable } from "../keyboard/shortcut-table.ts";
import { isShortcutHelpOpen } from "../keyboard/shortcuts.ts";
import { call } from "../server/client.ts";
import { dataChanges } from "../server/server-events.ts";
import { recentDocuments, recentProjects } from "../settings/recently-opened.ts";
import { areSettingsOpen, theme, themes } from "../settings/settings.ts";
import { documentItem } from "./document-items.ts";
import type { PaletteItem } from "./palette-item.ts";

/** All items, in the order shown while nothing is typed. */
export const paletteItems = (): PaletteItem[] => [
  ...screenActionItems(),
  ...screenItems(),
  ...recentDocumentItems(),
  ...collectionItems(),
  ...projectItems(),
  ...settingItems(),
];

/** The shortcuts of the current screen as commands. */
function screenActionItems(): PaletteItem[] {
  const { view } = address.value;
  // The start page has no results to step through.
  if (isHome.value) return [];
  const group = view ? screenLabel(view) : "Search";
  const acts = shortcutTable.find(({ screen }) => screen === view)?.acts ?? [];
  return acts.flatMap(({ keys: [key = ""], act }) =>
    key.length === 1 ? { group, label: act, key, run: () => pressKey(key) } : [],
  );
}

const screenItems = (): PaletteItem[] =>
  screens.value.map(({ name, label, key }) => ({
    group: "Screens",
    label,
    key: `g ${key}`,
    run: () => navigate(screenAddress(name)),
  }));

const recentDocumentItems = (): PaletteItem[] =>
  recentDocuments.all.value.map(({ name, title }) => documentItem("Recent documents", name, title));

const collectionItems = (): PaletteItem[] =>
  (libraryStatus.answer.value?.collections ?? []).map(({ name, path }) => ({
    group: "Collections",
    label: `Search in ${name}`,
    hint: path,
    run() {
      navigate({ ...screenAddress(""), collection: name });
      focusSearchField();
    },
  }));

const projectItems = (): PaletteItem[] =>
  recentProjects.all.value.map(({ name, title }) => ({
    group: "Projects",
    label: `Open ${title}`,
    hint: name,
    async run() {
      navigate(screenAddress("coding"));
      // The screen itself reports a missing project.
      await call("open_project", { path: name }).catch(() => undefined);
      dataChanges.value++;
    },
  }));

const settingItems = (): PaletteItem[] => [
  ...themes.map(([value, name]) => ({
    group: "Settings",
    label: `Theme: ${name.toLowerCase()}`,
    run() {
      theme.value = value;
    },
  })),
  {
    group: "Settings",
    label: "All settings",
    key: ",",
    run() {
      areSettingsOpen.value = true;
    },
  },
  {
    group: "Settings",
    label: "All shortcuts",
    key: "?",
    run() {
      isShortcutHelpOpen.value = true;
    },
  },
];

/** Simulates a key: clicks the button with that shortcut, else dispatches the key to the page. */
function pressKey(key: string): void {
  const button = document.querySelector<HTMLElement>(
    `main [aria-keyshortcuts="${CSS.escape(key)}"]`,
  );
  if (button) button.click();
  else {
    const init = { key, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", init));
  }
}
