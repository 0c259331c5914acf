import { computed } from "@preact/signals";
import { type Address, address, screenAddress } from "../app/address.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";

const isShown = computed(() => address.value.view === "repository");

/** The folder of the repository; empty until one is chosen. */
export const repositoryPath = computed(() => (isShown.value ? address.value.item : ""));
export const repositoryPart = computed(() => (isShown.value ? address.value.part : ""));

export const repositoryAddress = (name: string, of = repositoryPath.value): Address =>
  screenAddress("repository", of, name);

/** The repositories to choose from. */
export const repositories = createLiveQuery((signal) =>
  isShown.value && !repositoryPath.value
    ? call("list_repositories", {}, signal).then(({ data }) => data.repositories)
    : undefined,
);
