import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { inNamespace, namespaceInput, pathInput, said } from "../asked.ts";
import { fileNamed } from "../file-named.ts";
import { type Asked, pageInOrder, pageInput, pageOf, pageOutput } from "../page.ts";
import type { ObjectsState } from "../state.ts";
import { labelOf, levelOf, treesOf } from "../tree.ts";
import type { View } from "../view.ts";
import { fieldsOf, isLayout, type WorkspaceObject } from "../workspace-object.ts";

const operation = operationsOn<ObjectsState>();

export const outlineFile = operation({
  name: "qmdc_outline_file",
  title: "Outline a file",
  summary: "The objects of one file, nested as they belong together.",
  input: z.object({
    path: pathInput,
    file: z.string().max(4_096).describe("Relative to the workspace"),
    ...pageInput,
  }),
  output: z.object({ file: z.string(), symbols: z.array(z.unknown()), ...pageOutput }),
  effect: "reads",
  expose: { mcp: true, cli: "objects outline <path> <file>" },
  example: { path: "catalogue", file: "holdings.qmd.md" },

  async run({ path, file, ...asked }, { workspaces, boundary }) {
    said(file, "file");
    const view = await workspaces.at(path);
    const wanted = fileNamed(view, file.trim(), boundary);
    const objects = view.objectsIn(wanted).filter((object) => !isLayout(object));
    const below = groupedBy(objects, (object) => {
      const parent = view.parentOf(object);
      return parent?.file === wanted ? parent.globalId : "";
    });
    const roots = (below.get("") ?? []).sort(withChildrenFirst(below));
    const { items, cut } = pageOf(roots, keyOf, asked);
    return { file: wanted, symbols: items.map((object) => symbolOf(object, below)), ...cut };
  },
});

interface Symbol {
  id: string;
  kind: string;
  name: string;
  line: number;
  level: number;
  children: Symbol[];
}

function symbolOf(object: WorkspaceObject, below: ReadonlyMap<string, WorkspaceObject[]>): Symbol {
  const { id, kind, line, globalId } = object;
  const children = (below.get(globalId) ?? [])
    .sort(withChildrenFirst(below))
    .map((child) => symbolOf(child, below));
  return { id, kind, name: labelOf(object), line, level: levelOf(object), children };
}

const withChildrenFirst =
  (below: ReadonlyMap<string, readonly WorkspaceObject[]>) =>
  (a: WorkspaceObject, b: WorkspaceObject): number =>
    Number(below.has(b.globalId)) - Number(below.has(a.globalId)) ||
    byLetters(a.id, b.id) ||
    byLetters(keyOf(a), keyOf(b));

export const getTree = operation({
  name: "qmdc_get_tree",
  title: "Get the tree",
  summary:
    "All objects of the workspace as a flat, paged list; with mode, as a tree by namespace, by file, or by what belongs to what.",
  input: z.object({
    path: pathInput,
    namespace: namespaceInput,
    mode: z.enum(["namespace", "file", "smart"]).optional().describe("A tree instead of a list"),
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

  async run({ path, namespace, mode, ...asked }, { workspaces }) {
    const view = await workspaces.at(path);
    if (!mode) return nodesOf(view, namespace, asked);
    const trees = treesOf(view, mode, namespace === undefined ? undefined : inNamespace(namespace));
    const [only, ...others] = trees;
    return others.length === 0 ? { mode, ...only } : { mode, workspaces: trees };
  },
});

export function nodesOf(view: View, namespace: string | undefined, asked: Asked) {
  const named = view.once("objects that are no layout", () =>
    view.inOrder.filter((object) => !isLayout(object)),
  );
  const shown = namespace === undefined ? named : named.filter(inNamespace(namespace));
  const { items, cut } = pageInOrder(shown, keyOf, asked);
  return {
    nodes: items.map((object) => ({
      id: object.id,
      global_id: object.globalId,
      kind: object.kind,
      label: labelOf(object),
      namespace: object.namespace,
      file: object.file,
      line: object.line,
      level: levelOf(object),
      ...(object.parent !== undefined && { parent: object.parent }),
    })),
    ...cut,
  };
}

export const describeMetamodel = operation({
  name: "qmdc_describe_metamodel",
  title: "Describe the metamodel",
  summary: "Which kinds of objects there are, how many, with which fields, and how they connect.",
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
    const view = await workspaces.at(path);
    // Only the one that is asked for most is kept: anybody can name as many namespaces as he likes.
    return namespace === undefined
      ? view.once("metamodel", () => metamodelOf(view, undefined))
      : metamodelOf(view, namespace);
  },
});

function metamodelOf(view: View, namespace: string | undefined) {
  const isIn = inNamespace(namespace);
  const objects = view.objects.filter((object) => !isLayout(object) && isIn(object));
  const edges = view.graph.edges.filter(({ source }) => !isLayout(source) && isIn(source));
  const fieldsIn = (members: readonly WorkspaceObject[]): string[] => {
    const names = new Set<string>();
    for (const { record } of members) for (const [name] of fieldsOf(record)) names.add(name);
    return [...names].sort();
  };
  return {
    kinds: [...groupedBy(objects, ({ kind }) => kind)]
      .sort(byName)
      .map(([kind, members]) => ({ kind, count: members.length, fields: fieldsIn(members) })),
    edge_types: [...groupedBy(edges, ({ type }) => type)]
      .sort(byName)
      .map(([edge_type, members]) => ({ edge_type, count: members.length })),
    total_objects: objects.length,
    total_edges: edges.length,
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => byLetters(a, b);

const keyOf = ({ globalId }: WorkspaceObject): string => globalId;

export const overviewOperations = [outlineFile, getTree, describeMetamodel];
