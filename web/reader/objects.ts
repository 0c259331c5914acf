import { computed } from "@preact/signals";
import { type Address, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { openDocument } from "./open-document.ts";

const mentionsObjects = computed(
  () => openDocument.value?.lines.some((line) => line.includes("[[")) ?? false,
);

/** Asked only where a document may speak of objects; a server without them has no answer. */
const workspaces = asking((signal) =>
  mentionsObjects.value ? call("list_workspaces", {}, signal) : undefined,
);

/** The workspace that the open document lies in. */
export const workspace = computed(() => {
  const root = openDocument.value?.file.split("/")[0];
  return workspaces.answer.value?.workspaces.find(({ collections }) =>
    collections.some(({ name }) => name === root),
  );
});

/** The page of an object that the open document speaks of. */
export const objectOf = (id: string): Address | undefined =>
  workspace.value && { ...screen("objects", id), collection: workspace.value.path };
