import { computed, signal } from "@preact/signals";
import { fetchAsPage } from "../server/page-key.ts";

interface ScreenInfo {
  /** The `view` of its URL. */
  name: string;
  label: string;
  /** The key that opens it after `g`. */
  key: string;
  /** The shelf whose operations it calls. Without that shelf the screen is hidden. */
  shelf: string;
}

/** Every screen, in the order of the navigation bar. */
const allScreens: readonly ScreenInfo[] = [
  { name: "", label: "Home", key: "h", shelf: "search" },
  { name: "review", label: "Review", key: "r", shelf: "review" },
  { name: "objects", label: "Objects", key: "o", shelf: "objects" },
  { name: "architecture", label: "Architecture", key: "a", shelf: "architecture" },
  { name: "coding", label: "Coding", key: "c", shelf: "qualitative" },
  { name: "reports", label: "Reports", key: "p", shelf: "qualitative" },
  { name: "repository", label: "Repository", key: "s", shelf: "repository" },
];

export const screenLabel = (name: string): string =>
  allScreens.find((screen) => screen.name === name)?.label ?? name;

/**
 * The shelves of this server. Undefined until it has answered; until then all screens are shown.
 */
const shelves = signal<readonly string[] | undefined>(undefined);
fetchAsPage("/", { headers: { accept: "application/json" } })
  .then((response) => response.json())
  .then((welcome: { shelves: { name: string }[] }) => {
    shelves.value = welcome.shelves.map(({ name }) => name);
  })
  // The connection status already reports the failure.
  .catch(() => undefined);

/** The screens whose shelf is enabled on this server. */
export const screens = computed(() =>
  allScreens.filter(({ shelf }) => shelves.value?.includes(shelf) ?? true),
);
