import { computed } from "@preact/signals";
import { type Address, screenAddress } from "../app/address.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { openDocument } from "./open-document.ts";

const mentionsObjects = computed(
  () => openDocument.value?.lines.some((line) => line.includes("[[")) ?? false,
);

/** Fetched only if the document may refer to objects. */
const workspaces = createLiveQuery((signal) =>
  mentionsObjects.value ? call("list_workspaces", {}, signal) : undefined,
);

/** The workspace that contains the open document. */
export const documentWorkspace = computed(() => {
  const root = openDocument.value?.file.split("/")[0];
  return workspaces.answer.value?.workspaces.find(({ collections }) =>
    collections.some(({ name }) => name === root),
  );
});

/** The page of an object that the open document refers to. */
export const objectAddressOf = (id: string): Address | undefined =>
  documentWorkspace.value && {
    ...screenAddress("objects", id),
    collection: documentWorkspace.value.path,
  };
