import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { of, part, path } from "./place.ts";

export type Described = Output<"qmdc_describe_object">;

export interface Member {
  id: string;
  kind: string;
  name: string;
  children: Member[];
}

const mostReferences = 200;

/** The object of the address with what it speaks of, what speaks of it and what belongs to it. */
export const lookedAt = asking((signal) => {
  const [workspace, ref] = [path.value, of.value];
  if (!workspace || !ref || part.value === "sql") return undefined;
  return look(workspace, ref, signal);
});

async function look(path: string, ref: string, signal: AbortSignal) {
  const described = await call("qmdc_describe_object", { path, ref }, signal);
  if (described.id === undefined) return { ref, described };
  const around = { path, start_id: ref, direction: "outgoing", depth: 1 };
  const [{ references, remaining }, { items }, outline] = await Promise.all([
    call("qmdc_find_references", { path, id: ref, limit: mostReferences }, signal),
    call("qmdc_traverse_graph", around, signal),
    described.file
      ? call("qmdc_outline_file", { path, file: described.file, limit: 1_000 }, signal)
      : undefined,
  ]);
  // The schema leaves symbols open; this is what the shelf makes of them.
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
    const found = member.id === id ? member.children : childrenOf(id, member.children);
    if (found) return found;
  }
  return undefined;
}
