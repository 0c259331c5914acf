import { computed } from "@preact/signals";
import { type Address, address, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";

const isShown = computed(() => address.value.view === "repository");

/** The folder that is looked at; none where it is still to be chosen. */
export const path = computed(() => (isShown.value ? address.value.of : ""));
export const part = computed(() => (isShown.value ? address.value.part : ""));

export const place = (name: string, of = path.value): Address => screen("repository", of, name);

/** What there is to choose from. */
export const repositories = asking((signal) =>
  isShown.value && !path.value
    ? call("list_repositories", {}, signal).then(({ data }) => data.repositories)
    : undefined,
);
