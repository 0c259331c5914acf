import { computed } from "@preact/signals";
import { type Address, address, screenAddress } from "../app/address.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { documentIn } from "./workspace-files.ts";

/** Whether the screen is shown; its queries run only then. */
const isShown = computed(() => address.value.view === "objects");

export const objectWorkspaces = createLiveQuery((signal) =>
  isShown.value ? call("list_workspaces", {}, signal) : undefined,
);

/** The current workspace: named by the URL, else the only one. */
export const workspacePath = computed(() => {
  if (!isShown.value) return "";
  const { workspaces = [] } = objectWorkspaces.answer.value ?? {};
  const [first, ...others] = workspaces;
  return address.value.collection || (first && others.length === 0 ? first.path : "");
});

/** The current object, or the query on the SQL tab; empty for none. */
export const objectItem = computed(() => address.value.item);
export const objectsPart = computed(() => address.value.part);

/** A view of the current workspace. */
export const objectsAddress = (of = "", part = ""): Address => ({
  ...screenAddress("objects", of, part),
  collection: workspacePath.value,
});

export interface ObjectIdentity {
  file: string;
  kind: string;
  id: string;
}

/** An unambiguous reference to an object, even if another file has one of the same id. */
export const objectRefOf = ({ file, kind, id }: ObjectIdentity): string =>
  file ? `${file}#${kind}:${id}` : id;

/** The address of a line in the reader; undefined if the file is in no collection. */
export function fileLineAddress(file: string, line: number): Address | undefined {
  const workspaces = objectWorkspaces.answer.value?.workspaces ?? [];
  const { collections = [] } = workspaces.find(({ path }) => path === workspacePath.value) ?? {};
  const document = documentIn(collections, file);
  return document === undefined ? undefined : { ...screenAddress(""), file: document, line };
}
