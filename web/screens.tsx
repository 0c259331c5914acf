import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { address, screen } from "./address.ts";
import { Link } from "./link.tsx";
import { screens } from "./screen-list.ts";

/** What a screen is made of, loaded when it is first seen, so that the page itself stays small. */
const loads: Record<string, () => Promise<{ default: ComponentType }>> = {
  review: () => import("./review/review.tsx"),
  objects: () => import("./objects/objects.tsx"),
  architecture: () => import("./architecture/architecture.tsx"),
  coding: () => import("./coding/coding.tsx"),
  reports: () => import("./reports/reports.tsx"),
  repository: () => import("./repository/repository.tsx"),
};

/** The way from screen to screen. */
export function Screens() {
  if (screens.value.length < 2) return null;
  return (
    <nav class="screens" aria-label="Screens">
      {screens.value.map(({ name, label }) => (
        <Link
          key={name}
          to={screen(name)}
          aria-current={address.value.view === name ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

const loaded = signal<ReadonlyMap<string, ComponentType>>(new Map());
const failed = signal("");

export function Screen({ name }: { name: string }) {
  const Loaded = loaded.value.get(name);
  if (Loaded) return <Loaded />;
  const load = Object.hasOwn(loads, name) ? loads[name] : undefined;
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
