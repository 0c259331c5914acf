import * as z from "zod";
import { invalid, notFound } from "../../kernel/failure.ts";
import type { Resolution } from "./resolver.ts";
import type { View } from "./view.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

export const pathInput = z
  .string()
  .max(4_096)
  .describe("A folder or file of the workspace")
  .meta({ path: true });

/** A word that must say something; the message is the founding system's own. */
export function said(value: string, name: string): string {
  if (value.trim() === "") throw invalid(`${name} must not be empty`);
  return value.trim();
}

/** The object that a caller names by an id or a reference. */
export function objectNamed(view: View, name: string): WorkspaceObject {
  const found = view.resolver.resolve(name);
  if (found.found === "object") return found.object;
  if (found.found === "several") throw severalAnswer(name, found);
  throw notFound(`no object with id '${name}' found in workspace`, [
    "Find ids with qmdc_search_objects.",
  ]);
}

export function severalAnswer(name: string, found: Extract<Resolution, { found: "several" }>) {
  const more = found.objects.length - found.candidates.length;
  const names = [...found.candidates, ...(more > 0 ? [`one of ${more} more`] : [])];
  return invalid(`'${name}' could be ${names.join(" or ")}`, [
    "Name the kind or the namespace: Kind:id, namespace:id.",
  ]);
}

/** Whether an object lies in a namespace that a caller names; case does not matter. */
export const inNamespace = (namespace: string | undefined) => {
  const wanted = namespace?.toLowerCase();
  return (object: WorkspaceObject): boolean =>
    wanted === undefined ||
    object.namespace.toLowerCase() === wanted ||
    (object.kind === "__Namespace" && object.id.toLowerCase() === wanted);
};

export const namespaceInput = z.string().max(1_000).optional().describe("Only this namespace");
