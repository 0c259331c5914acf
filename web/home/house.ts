import { computed } from "@preact/signals";
import type { HouseState } from "../../src/surfaces/http/house-state.ts";
import { address } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { houseChanges } from "../live.ts";
import { fetchAsPage } from "../page-key.ts";

/** Whether nothing is looked for, chosen or open: then the page shows how things stand. */
export const isHome = computed(() => {
  const { view, query, collection, file } = address.value;
  return view === "" && collection === "" && file === "" && query.trim() === "";
});

/** How things stand in the server; asked only where somebody looks. */
export const house = asking<HouseState>(
  (signal) =>
    isHome.value
      ? fetchAsPage("/house", { signal }).then((response) => response.json())
      : undefined,
  houseChanges,
);

/** How many proposals wait for a person. */
export const waiting = asking((signal) =>
  isHome.value ? call("proposals", { limit: 1 }, signal).then(({ total }) => total) : undefined,
);
