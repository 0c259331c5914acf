import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import {
  type PageRequest,
  pageByKey,
  pageBySortedKey,
  pageInput,
  pageOutput,
} from "../pagination.ts";
import type { ObjectsState } from "../state.ts";
import { namespaceFilter, namespaceInput, pathInput, requireText } from "../tool-arguments.ts";
import { buildTrees, displayLabel, headingLevelOf } from "../workspace/object-tree.ts";
import { findWorkspaceFile } from "../workspace/workspace-files.ts";
import { fieldsOf, isLayout, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

const operation = operationsFor<ObjectsState>();

export const outlineFile = operation({
  name: "qmdc_outline_file",
  title: "Outline a file",
  summary: "The objects of one file, as a tree.",
  input: z.object({
    path: pathInput,
    file: z.string().max(4_096).describe("Path relative to the workspace"),
    ...pageInput,
  }),
  output: z.object({ file: z.string(), symbols: z.array(z.unknown()), ...pageOutput }),
  effect: "reads",
  expose: { mcp: true, cli: "objects outline <path> <file>" },
  example: { path: "catalogue", file: "holdings.qmd.md" },

  async run({ path, file, ...page }, { workspaces, boundary }) {
    requireText(file, "file");
    const view = await workspaces.read(path);
    const wanted = findWorkspaceFile(view, file.trim(), boundary);
    const objects = view.objectsIn(wanted).filter((object) => !isLayout(object));
    const below = groupBy(objects, (object) => {
      const parent = view.parentOf(object);
      return parent?.file === wanted ? parent.globalId : "";
    });
    const roots = (below.get("") ?? []).sort(compareParentsFirst(below));
    const { items, pageInfo } = pageByKey(roots, globalIdOf, page);
    return {
      file: wanted,
      symbols: items.map((object) => toOutlineSymbol(object, below)),
      ...pageInfo,
    };
  },
});

interface OutlineSymbol {
  id: string;
  kind: string;
  name: string;
  line: number;
  level: number;
  children: OutlineSymbol[];
}

function toOutlineSymbol(
  object: WorkspaceObject,
  below: ReadonlyMap<string, WorkspaceObject[]>,
): OutlineSymbol {
  const { id, kind, line, globalId } = object;
  const children = (below.get(globalId) ?? [])
    .sort(compareParentsFirst(below))
    .map((child) => toOutlineSymbol(child, below));
  return { id, kind, name: displayLabel(object), line, level: headingLevelOf(object), children };
}

const compareParentsFirst =
  (below: ReadonlyMap<string, readonly WorkspaceObject[]>) =>
  (a: WorkspaceObject, b: WorkspaceObject): number =>
    Number(below.has(b.globalId)) - Number(below.has(a.globalId)) ||
    compareText(a.id, b.id) ||
    compareText(globalIdOf(a), globalIdOf(b));

export const getTree = operation({
  name: "qmdc_get_tree",
  title: "Get the tree",
  summary:
    "All objects of the workspace as a flat, paged list. With mode: as a tree by namespace, by file, or by parent object (smart).",
  input: z.object({
    path: pathInput,
    namespace: namespaceInput,
    mode: z
      .enum(["namespace", "file", "smart"])
      .optional()
      .describe("Return a tree, grouped like this"),
    ...pageInput,
  }),
  output: z.looseObject({
    nodes: z.array(z.unknown()).optional(),
    mode: z.string().optional(),
    workspaces: z.array(z.unknown()).optional(),
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects tree <path>" },
  example: { path: "catalogue", limit: 3 },

  async run({ path, namespace, mode, ...page }, { workspaces }) {
    const view = await workspaces.read(path);
    if (!mode) return listNodes(view, namespace, page);
    const trees = buildTrees(
      view,
      mode,
      namespace === undefined ? undefined : namespaceFilter(namespace),
    );
    const [only, ...others] = trees;
    return others.length === 0 ? { mode, ...only } : { mode, workspaces: trees };
  },
});

export function listNodes(view: WorkspaceView, namespace: string | undefined, page: PageRequest) {
  const named = view.memoize("objects without layout", () =>
    view.sortedObjects.filter((object) => !isLayout(object)),
  );
  const shown = namespace === undefined ? named : named.filter(namespaceFilter(namespace));
  const { items, pageInfo } = pageBySortedKey(shown, globalIdOf, page);
  return {
    nodes: items.map((object) => ({
      id: object.id,
      global_id: object.globalId,
      kind: object.kind,
      label: displayLabel(object),
      namespace: object.namespace,
      file: object.file,
      line: object.line,
      level: headingLevelOf(object),
      ...(object.parent !== undefined && { parent: object.parent }),
    })),
    ...pageInfo,
  };
}

export const describeMetamodel = operation({
  name: "qmdc_describe_metamodel",
  title: "Describe the metamodel",
  summary:
    "The kinds of objects with their counts and fields, and the types of edges with their counts.",
  input: z.object({ path: pathInput, namespace: namespaceInput }),
  output: z.object({
    kinds: z.array(z.object({ kind: z.string(), count: z.int(), fields: z.array(z.string()) })),
    edge_types: z.array(z.object({ edge_type: z.string(), count: z.int() })),
    total_objects: z.int(),
    total_edges: z.int(),
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects kinds <path>" },
  example: { path: "catalogue" },

  async run({ path, namespace }, { workspaces }) {
    const view = await workspaces.read(path);
    // Only the result for all namespaces is cached: callers can pass any number of names.
    return namespace === undefined
      ? view.memoize("metamodel", () => buildMetamodel(view, undefined))
      : buildMetamodel(view, namespace);
  },
});

function buildMetamodel(view: WorkspaceView, namespace: string | undefined) {
  const isIn = namespaceFilter(namespace);
  const objects = view.objects.filter((object) => !isLayout(object) && isIn(object));
  const edges = view.graph.edges.filter(({ source }) => !isLayout(source) && isIn(source));
  const fieldsIn = (members: readonly WorkspaceObject[]): string[] => {
    const names = new Set<string>();
    for (const { record } of members) for (const [name] of fieldsOf(record)) names.add(name);
    return [...names].sort();
  };
  return {
    kinds: [...groupBy(objects, ({ kind }) => kind)]
      .sort(compareByName)
      .map(([kind, members]) => ({ kind, count: members.length, fields: fieldsIn(members) })),
    edge_types: [...groupBy(edges, ({ type }) => type)]
      .sort(compareByName)
      .map(([edge_type, members]) => ({ edge_type, count: members.length })),
    total_objects: objects.length,
    total_edges: edges.length,
  };
}

const compareByName = ([a]: [string, unknown], [b]: [string, unknown]): number => compareText(a, b);

const globalIdOf = ({ globalId }: WorkspaceObject): string => globalId;

export const overviewOperations = [outlineFile, getTree, describeMetamodel];
