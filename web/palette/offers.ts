import { address, go, screen } from "../address.ts";
import { call } from "../client.ts";
import { library } from "../collections/library.ts";
import { toField } from "../focus.ts";
import { isHome } from "../home/house.ts";
import { keyTable } from "../key-table.ts";
import { isSheetOpen } from "../keys.ts";
import { changes } from "../live.ts";
import { recentDocuments, recentProjects } from "../recent.ts";
import { labelOf, screens } from "../screen-list.ts";
import { areSettingsOpen, theme, themes } from "../settings.ts";
import { toDocument } from "./documents.ts";
import type { Offer } from "./offer.ts";
import { strike } from "./striking.ts";

/** Everything, in the order in which it stands where nothing is typed. */
export const offers = (): Offer[] => [
  ...actsHere(),
  ...toScreens(),
  ...toDocuments(),
  ...toCollections(),
  ...toProjects(),
  ...settings(),
];

/** What the keys of the screen do, for those who do not know them. */
function actsHere(): Offer[] {
  const { view } = address.value;
  // Where nothing is looked for there is nothing to step along.
  if (isHome.value) return [];
  const group = view ? labelOf(view) : "Search";
  const acts = keyTable.find((one) => one.screen === view)?.acts ?? [];
  return acts.flatMap(({ keys: [key = ""], act }) =>
    key.length === 1 ? { group, label: act, key, run: () => strike(key) } : [],
  );
}

const toScreens = (): Offer[] =>
  screens.value.map(({ name, label, key }) => ({
    group: "Screens",
    label,
    key: `g ${key}`,
    run: () => go(screen(name)),
  }));

const toDocuments = (): Offer[] =>
  recentDocuments.all.value.map(({ name, title }) => toDocument("Recent documents", name, title));

const toCollections = (): Offer[] =>
  (library.answer.value?.collections ?? []).map(({ name, path }) => ({
    group: "Collections",
    label: `Search in ${name}`,
    hint: path,
    run() {
      go({ ...screen(""), collection: name });
      toField();
    },
  }));

const toProjects = (): Offer[] =>
  recentProjects.all.value.map(({ name, title }) => ({
    group: "Projects",
    label: `Open ${title}`,
    hint: name,
    async run() {
      go(screen("coding"));
      // A project that is gone is told of by the screen itself.
      await call("open_project", { path: name }).catch(() => undefined);
      changes.value++;
    },
  }));

const settings = (): Offer[] => [
  ...themes.map(([value, words]) => ({
    group: "Settings",
    label: `Theme: ${words.toLowerCase()}`,
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
    label: "All keys",
    key: "?",
    run() {
      isSheetOpen.value = true;
    },
  },
];
