import { computed, signal } from "@preact/signals";
import { fetchAsPage } from "./page-key.ts";

interface Named {
  /** As the address has it. */
  name: string;
  label: string;
  /** The letter that leads there after a `g`. */
  key: string;
  /** The shelf whose operations it calls; without it the server need not show the screen. */
  shelf: string;
}

/** Every screen, in the order in which they stand at the head of the page. */
const everyScreen: readonly Named[] = [
  { name: "", label: "Home", key: "h", shelf: "search" },
  { name: "review", label: "Review", key: "r", shelf: "desk" },
  { name: "objects", label: "Objects", key: "o", shelf: "objects" },
  { name: "architecture", label: "Architecture", key: "a", shelf: "architecture" },
  { name: "coding", label: "Coding", key: "c", shelf: "qualitative" },
  { name: "reports", label: "Reports", key: "p", shelf: "qualitative" },
  { name: "repository", label: "Repository", key: "s", shelf: "repository" },
];

export const labelOf = (name: string): string =>
  everyScreen.find((one) => one.name === name)?.label ?? name;

/** What is on this server; everything until it has said so. */
const shelves = signal<readonly string[] | undefined>(undefined);
fetchAsPage("/", { headers: { accept: "application/json" } })
  .then((response) => response.json())
  .then((welcome: { shelves: { name: string }[] }) => {
    shelves.value = welcome.shelves.map(({ name }) => name);
  })
  // The line about the connection tells of it.
  .catch(() => undefined);

/** The screens that this server has something for. */
export const screens = computed(() =>
  everyScreen.filter(({ shelf }) => shelves.value?.includes(shelf) ?? true),
);
