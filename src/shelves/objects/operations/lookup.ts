import * as z from "zod";
import { invalid, notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { referencedId } from "../../../text/objects/ids.ts";
import { toPlainJson } from "../../../text/objects/values/json.ts";
import { isNumeral, type Value } from "../../../text/objects/values/value.ts";
import { rankObjects } from "../object-search.ts";
import { pageByKey, pageInput, pageOutput } from "../pagination.ts";
import type { ObjectsState } from "../state.ts";
import {
  ambiguousName,
  namespaceFilter,
  namespaceInput,
  pathInput,
  requireText,
} from "../tool-arguments.ts";
import { displayLabel } from "../workspace/object-tree.ts";
import { fieldsOf, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

const operation = operationsFor<ObjectsState>();

const refInput = z
  .string()
  .max(4_096)
  .describe("Id or reference: users, Table:users, ns:users, users.email");

const locateObject = operation({
  name: "qmdc_locate_object",
  title: "Locate an object",
  summary: "The file and line where an object is defined. Accepts an id or any form of reference.",
  input: z.object({ path: pathInput, ref: refInput }),
  output: z.object({
    file: z.string(),
    line: z.int(),
    id: z.string(),
    kind: z.string(),
    namespace: z.string(),
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects locate <path> <ref>" },
  example: { path: "catalogue", ref: "lamp" },

  async run({ path, ref }, { workspaces }) {
    requireText(ref, "ref");
    const view = await workspaces.read(path);
    const { file, line, id, kind, namespace } = resolveOrFail(view, ref.trim()).object;
    return { file, line, id, kind, namespace };
  },
});

export const describeObject = operation({
  name: "qmdc_describe_object",
  title: "Describe an object",
  summary:
    "All fields of an object, or the value of one field. Accepts an id, a reference, or object.field.",
  input: z.object({ path: pathInput, ref: refInput }),
  output: z.object({
    id: z.string().optional(),
    kind: z.string().optional(),
    label: z.string().nullable().optional(),
    file: z.string().optional(),
    line: z.int().optional(),
    namespace: z.string().optional(),
    workspace: z.string().optional(),
    parent: z.string().nullable().optional(),
    fields: z.record(z.string(), z.unknown()).optional(),
    object_id: z.string().optional(),
    field: z.string().optional(),
    value: z.unknown().optional(),
    type: z.string().optional(),
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects show <path> <ref>" },
  example: { path: "catalogue", ref: "lamp" },

  async run({ path, ref }, { workspaces }) {
    requireText(ref, "ref");
    return describeReference(await workspaces.read(path), ref.trim());
  },
});

/** An object with its fields, or a field with its value. */
export function describeReference(view: WorkspaceView, ref: string) {
  const found = resolveOrFail(view, ref);
  const { object } = found;
  if (found.found === "field") {
    const { field, value } = found;
    return { object_id: object.id, field, value: toPlainJson(value), type: valueType(value) };
  }
  const { id, kind, label = null, file, line, namespace, workspace, parent = null } = object;
  const fields = Object.fromEntries(
    [...fieldsOf(object.record)].map(([name, value]) => [name, toPlainJson(value)]),
  );
  return { id, kind, label, file, line, namespace, workspace, parent, fields };
}

/** Resolves a reference. The failure names the part of it that was not found. */
function resolveOrFail(view: WorkspaceView, ref: string) {
  const found = view.resolver.resolve(ref);
  if (found.found === "object" || found.found === "field") return found;
  if (found.found === "ambiguous") throw ambiguousName(ref, found);
  const dot = ref.lastIndexOf(".");
  const owner = dot > 0 ? view.resolver.resolve(ref.slice(0, dot)) : found;
  if (owner.found !== "object") throw notFound(`no object matching '${ref}' found in workspace`);
  const field = ref.slice(dot + 1);
  throw field.startsWith("__")
    ? invalid(`field '${field}' is a system field and cannot be accessed via dot-path`)
    : notFound(`field '${field}' not found on object '${owner.object.id}'`);
}

function valueType(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string") return referencedId(value) === undefined ? "string" : "reference";
  if (typeof value === "boolean") return "boolean";
  if (Array.isArray(value)) return "array";
  return isNumeral(value) ? "number" : "object";
}

const Item = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  line: z.int(),
  namespace: z.string(),
});

export const searchObjects = operation({
  name: "qmdc_search_objects",
  title: "Search objects",
  summary:
    "Search objects by id, label and the text of their fields, best match first. Partial names and misspellings match too.",
  input: z.object({
    path: pathInput,
    query: z.string().max(10_000).describe("Words, or part of an id or label"),
    namespace: namespaceInput,
    ...pageInput,
  }),
  output: z.object({ items: z.array(Item), ...pageOutput }),
  effect: "reads",
  expose: { mcp: true, cli: "objects search <path> <query>" },
  example: { path: "catalogue", query: "lamp" },

  async run({ path, query, namespace, ...page }, { workspaces }) {
    requireText(query, "query");
    const view = await workspaces.read(path);
    const found = rankObjects(view, workspaces.indexOf(view), query.trim()).filter(
      namespaceFilter(namespace),
    );
    const { items, pageInfo } = pageByKey(found, ({ globalId }) => globalId, page);
    return { items: items.map(toItem), ...pageInfo };
  },
});

const toItem = (object: WorkspaceObject) => ({
  id: object.id,
  name: displayLabel(object),
  kind: object.kind,
  file: object.file,
  line: object.line,
  namespace: object.namespace,
});

export const lookupOperations = [locateObject, describeObject, searchObjects];
