import { computed } from "@preact/signals";
import type { SystemState } from "../../src/surfaces/http/routes/system-state.ts";
import { address } from "../app/address.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { fetchAsPage } from "../server/page-key.ts";
import { systemChanges } from "../server/server-events.ts";

/** Whether the start page is shown: no screen, collection, document or query. */
export const isHome = computed(() => {
  const { view, query, collection, file } = address.value;
  return view === "" && collection === "" && file === "" && query.trim() === "";
});

/** The state of the server, fetched only while the start page is shown. */
export const systemState = createLiveQuery<SystemState>(
  (signal) =>
    isHome.value
      ? fetchAsPage("/system", { signal }).then((response) => response.json())
      : undefined,
  systemChanges,
);

/** The number of pending proposals. */
export const pendingProposalCount = createLiveQuery((signal) =>
  isHome.value ? call("proposals", { limit: 1 }, signal).then(({ total }) => total) : undefined,
);
