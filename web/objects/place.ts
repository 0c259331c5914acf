import { computed } from "@preact/signals";
import { type Address, address, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { documentIn } from "../workspace-files.ts";

/** Whether the screen is seen; what nobody sees is not asked for. */
const isShown = computed(() => address.value.view === "objects");

export const workspaces = asking((signal) =>
  isShown.value ? call("list_workspaces", {}, signal) : undefined,
);

/** The workspace that is looked at: named by the address, else the only one there is. */
export const path = computed(() => {
  if (!isShown.value) return "";
  const { workspaces: all = [] } = workspaces.answer.value ?? {};
  return address.value.collection || (all.length === 1 ? (all[0]?.path ?? "") : "");
});

/** The object that is looked at, or the statement on the page of SQL; none where it is empty. */
export const of = computed(() => address.value.of);
export const part = computed(() => address.value.part);

/** A view of this workspace. */
export const place = (of = "", part = ""): Address => ({
  ...screen("objects", of, part),
  collection: path.value,
});

export interface Named {
  file: string;
  kind: string;
  id: string;
}

/** How an object is named so that no namesake elsewhere is meant. */
export const refOf = ({ file, kind, id }: Named): string => (file ? `${file}#${kind}:${id}` : id);

/** The line of a file in the reader; nowhere for a file that is in no collection. */
export function lineIn(file: string, line: number): Address | undefined {
  const all = workspaces.answer.value?.workspaces ?? [];
  const { collections = [] } = all.find((one) => one.path === path.value) ?? {};
  const document = documentIn(collections, file);
  return document === undefined ? undefined : { ...screen(""), file: document, line };
}
