import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { address, go, hrefOf, screen } from "./address.ts";

interface Named {
  /** As the address has it. */
  name: string;
  label: string;
  /** The shelf whose operations it calls; without it the server need not show the screen. */
  shelf: string;
  /** Loaded when it is first seen, so that the page itself stays small. */
  load?: () => Promise<{ default: ComponentType }>;
}

/** Every screen, in the order in which they stand at the head of the page. */
const screens: readonly Named[] = [
  { name: "", label: "Search", shelf: "search" },
  {
    name: "review",
    label: "Review",
    shelf: "desk",
    load: () => import("./review/review.tsx"),
  },
  {
    name: "objects",
    label: "Objects",
    shelf: "objects",
    load: () => import("./objects/objects.tsx"),
  },
  {
    name: "architecture",
    label: "Architecture",
    shelf: "architecture",
    load: () => import("./architecture/architecture.tsx"),
  },
  {
    name: "coding",
    label: "Coding",
    shelf: "qualitative",
    load: () => import("./coding/coding.tsx"),
  },
  {
    name: "reports",
    label: "Reports",
    shelf: "qualitative",
    load: () => import("./reports/reports.tsx"),
  },
];

export const labelOf = (name: string): string =>
  screens.find((one) => one.name === name)?.label ?? name;

/** What is on this server; everything until it has said so. */
const shelves = signal<readonly string[] | undefined>(undefined);
fetch("/", { headers: { accept: "application/json" } })
  .then((response) => response.json())
  .then((welcome: { shelves: { name: string }[] }) => {
    shelves.value = welcome.shelves.map(({ name }) => name);
  })
  // The line about the connection tells of it.
  .catch(() => undefined);

/** The way from screen to screen. */
export function Screens() {
  const shown = screens.filter(({ shelf }) => shelves.value?.includes(shelf) ?? true);
  if (shown.length < 2) return null;
  return (
    <nav class="screens" aria-label="Screens">
      {shown.map(({ name, label }) => (
        <a
          key={name}
          href={hrefOf(screen(name))}
          aria-current={address.value.view === name ? "page" : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            go(screen(name));
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

const loaded = signal<ReadonlyMap<string, ComponentType>>(new Map());
const failed = signal("");

export function Screen({ name }: { name: string }) {
  const Loaded = loaded.value.get(name);
  if (Loaded) return <Loaded />;
  const load = screens.find((one) => one.name === name)?.load;
  if (!load) return <p class="notice">There is no screen of this name.</p>;
  if (failed.value === name) {
    return <p class="notice">This screen could not be loaded. Load the page anew.</p>;
  }
  load().then(
    (module) => {
      loaded.value = new Map(loaded.value).set(name, module.default);
    },
    () => {
      failed.value = name;
    },
  );
  return <p class="notice">Loading…</p>;
}
