import * as z from "zod";
import { invalid, notFound } from "../../kernel/failure.ts";
import type { ReferenceResolution } from "./references/resolver.ts";
import type { WorkspaceObject } from "./workspace/workspace-object.ts";
import type { WorkspaceView } from "./workspace/workspace-view.ts";

export const pathInput = z
  .string()
  .max(4_096)
  .describe("A folder or file of the workspace")
  .meta({ path: true });

/** Rejects blank text, with the message of the founding system. */
export function requireText(value: string, name: string): string {
  if (value.trim() === "") throw invalid(`${name} must not be empty`);
  return value.trim();
}

/** The object with an id or reference. Fails unless exactly one object matches. */
export function requireObject(view: WorkspaceView, name: string): WorkspaceObject {
  const found = view.resolver.resolve(name);
  if (found.found === "object") return found.object;
  if (found.found === "ambiguous") throw ambiguousName(name, found);
  throw notFound(`no object with id '${name}' found in workspace`, [
    "Find ids with qmdc_search_objects.",
  ]);
}

export function ambiguousName(
  name: string,
  found: Extract<ReferenceResolution, { found: "ambiguous" }>,
) {
  const more = found.objects.length - found.candidates.length;
  const names = [...found.candidates, ...(more > 0 ? [`${more} more`] : [])];
  return invalid(`'${name}' is ambiguous: it matches ${names.join(" and ")}`, [
    "Add the kind or the namespace: Kind:id, namespace:id.",
  ]);
}

/** A filter for the objects in a namespace, ignoring case. */
export const namespaceFilter = (namespace: string | undefined) => {
  const wanted = namespace?.toLowerCase();
  return (object: WorkspaceObject): boolean =>
    wanted === undefined ||
    object.namespace.toLowerCase() === wanted ||
    (object.kind === "__Namespace" && object.id.toLowerCase() === wanted);
};

export const namespaceInput = z
  .string()
  .max(1_000)
  .optional()
  .describe("Only objects in this namespace");
