import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { objectItem, objectsPart, workspacePath } from "./objects-address.ts";

export type ObjectDescription = Output<"qmdc_describe_object">;

export interface Member {
  id: string;
  kind: string;
  name: string;
  children: Member[];
}

const maxReferences = 200;

/** The object of the URL with its references, the references to it and its parts. */
export const selectedObject = createLiveQuery((signal) => {
  const [workspace, ref] = [workspacePath.value, objectItem.value];
  if (!workspace || !ref || objectsPart.value === "sql") return undefined;
  return loadObject(workspace, ref, signal);
});

async function loadObject(path: string, ref: string, signal: AbortSignal) {
  const described = await call("qmdc_describe_object", { path, ref }, signal);
  if (described.id === undefined) return { ref, described };
  const outgoing = { path, start_id: ref, direction: "outgoing", depth: 1 };
  const [{ references, remaining }, { items }, outline] = await Promise.all([
    call("qmdc_find_references", { path, id: ref, limit: maxReferences }, signal),
    call("qmdc_traverse_graph", outgoing, signal),
    described.file
      ? call("qmdc_outline_file", { path, file: described.file, limit: 1_000 }, signal)
      : undefined,
  ]);
  // The schema does not type the symbols; this is the shape that the server sends.
  const members = (outline?.symbols ?? []) as Member[];
  return {
    ref,
    described,
    known: items,
    references,
    remaining: remaining ?? 0,
    below: childrenOf(described.id, members) ?? [],
  };
}

function childrenOf(id: string, members: readonly Member[]): readonly Member[] | undefined {
  for (const member of members) {
    const children = member.id === id ? member.children : childrenOf(id, member.children);
    if (children) return children;
  }
  return undefined;
}
