import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { Link } from "../components/link.tsx";
import { address, screenAddress } from "./address.ts";
import { screens } from "./screen-list.ts";

/** Each screen is a separate chunk, loaded on first use to keep the main bundle small. */
const loaders: Record<string, () => Promise<{ default: ComponentType }>> = {
  review: () => import("../review/review.tsx"),
  objects: () => import("../objects/objects.tsx"),
  architecture: () => import("../architecture/architecture.tsx"),
  coding: () => import("../coding/coding.tsx"),
  reports: () => import("../reports/reports.tsx"),
  repository: () => import("../repository/repository.tsx"),
};

/** The navigation bar. */
export function Screens() {
  if (screens.value.length < 2) return null;
  return (
    <nav class="screens" aria-label="Screens">
      {screens.value.map(({ name, label }) => (
        <Link
          key={name}
          to={screenAddress(name)}
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
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
  if (!load) return <p class="notice">No screen has this name.</p>;
  if (failed.value === name) {
    return <p class="notice">This screen could not be loaded. Reload the page.</p>;
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
