import { readQuery } from "../../text/query.ts";
import type { ObjectIndex } from "./object-index.ts";
import type { View } from "./view.ts";
import { isLayout, type WorkspaceObject } from "./workspace-object.ts";

/**
 * Objects that a query means, best first: those whose id or label holds it as it is typed, then
 * those whose names or fields have its words. Whole names go before parts of names.
 */
export function searched(view: View, index: ObjectIndex, query: string): WorkspaceObject[] {
  const typed = query.toLowerCase();
  const names = view.once("names in small letters", () => namesIn(view));
  const named = names
    .filter(({ all }) => all.includes(typed))
    .map(({ object, each }) => ({ object, nearness: nearness(each, typed) }))
    .sort((a, b) => a.nearness - b.nearness)
    .map(({ object }) => object);
  const met = new Set(named);
  const others = index.ranked(view.objects, readQuery(query)).filter((object) => !met.has(object));
  return [...named, ...others];
}

/** 0 for the whole name, below 1 for its beginning, below 2 for a part: the less else, the nearer. */
function nearness(names: readonly string[], typed: string): number {
  const distances = names
    .filter((name) => name.includes(typed))
    .map((name) => 1 - typed.length / name.length + (name.startsWith(typed) ? 0 : 1));
  return Math.min(...distances);
}

interface Names {
  object: WorkspaceObject;
  each: string[];
  /** On one line each, which nobody types. */
  all: string;
}

const namesIn = ({ inOrder }: View): Names[] =>
  inOrder
    .filter((object) => !isLayout(object))
    .map((object) => {
      const { id, localId = "", label = "" } = object;
      const each = [id, localId, label].map((name) => name.toLowerCase());
      return { object, each, all: each.join("\n") };
    });
