import { parseQuery } from "../../text/search/query.ts";
import type { ObjectIndex } from "./object-index.ts";
import { isLayout, type WorkspaceObject } from "./workspace/workspace-object.ts";
import type { WorkspaceView } from "./workspace/workspace-view.ts";

/**
 * The objects that match a query, best first: first those whose id or label contains the query, with
 * whole names before partial ones, then those found by full-text search.
 */
export function rankObjects(
  view: WorkspaceView,
  index: ObjectIndex,
  query: string,
): WorkspaceObject[] {
  const typed = query.toLowerCase();
  const names = view.memoize("lower-case names", () => collectNames(view));
  const named = names
    .filter(({ all }) => all.includes(typed))
    .map(({ object, each }) => ({ object, nearness: nameDistance(each, typed) }))
    .sort((a, b) => a.nearness - b.nearness)
    .map(({ object }) => object);
  const seen = new Set(named);
  const others = index.rank(view.objects, parseQuery(query)).filter((object) => !seen.has(object));
  return [...named, ...others];
}

/** 0 for the whole name, below 1 for a prefix, below 2 for another part; a longer match is nearer. */
function nameDistance(names: readonly string[], typed: string): number {
  const distances = names
    .filter((name) => name.includes(typed))
    .map((name) => 1 - typed.length / name.length + (name.startsWith(typed) ? 0 : 1));
  return Math.min(...distances);
}

interface ObjectNames {
  object: WorkspaceObject;
  each: string[];
  /** All names, separated by line breaks, which a query cannot contain. */
  all: string;
}

const collectNames = ({ sortedObjects }: WorkspaceView): ObjectNames[] =>
  sortedObjects
    .filter((object) => !isLayout(object))
    .map((object) => {
      const { id, localId = "", label = "" } = object;
      const each = [id, localId, label].map((name) => name.toLowerCase());
      return { object, each, all: each.join("\n") };
    });
