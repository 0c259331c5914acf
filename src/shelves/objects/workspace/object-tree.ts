import { basename } from "node:path/posix";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { isSystem, type WorkspaceObject } from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";
import type { WorkspaceView } from "./workspace-view.ts";

export type TreeMode = "namespace" | "file" | "smart";

/** An object in a tree; the optional keys depend on the mode. */
interface TreeNode {
  id: string;
  kind: string;
  label: string;
  level: number;
  file: string;
  line: number;
  workspace?: string;
  namespace?: string | null;
  parent?: string | null;
  children: TreeNode[];
}

interface KindGroup {
  kind: string;
  label: string;
  count: number;
  objects: TreeNode[];
}

interface TreeHeading {
  id: string;
  label: string;
  file: string;
  line: number;
}

export interface ObjectTree extends TreeHeading {
  count?: number;
  kindGroups?: KindGroup[];
  namespaces?: (TreeHeading & { kindGroups: KindGroup[] })[];
  fileGroups?: { file: string; label: string; count: number; objects: TreeNode[] }[];
  objects?: TreeNode[];
}

/** A tree for each workspace of a view, optionally of a part of its objects. */
export const buildTrees = (
  view: WorkspaceView,
  mode: TreeMode,
  isShown?: (object: WorkspaceObject) => boolean,
): ObjectTree[] =>
  isShown
    ? createTrees(view, mode, isShown)
    : view.memoize(`tree by ${mode}`, () => createTrees(view, mode));

function createTrees(
  { objects, parentOf }: WorkspaceView,
  mode: TreeMode,
  isShown = (_object: WorkspaceObject) => true,
): ObjectTree[] {
  const workspaces = objects.filter(({ kind }) => kind === "__Workspace");
  const shown = objects.filter(isShown);
  return workspaces.map((workspace) => {
    const own = shown.filter((object) => object.workspace === workspace.id);
    return { ...toHeading(workspace), ...treeBuilders[mode](own, parentOf) };
  });
}

type TreeBuilder = (
  own: readonly WorkspaceObject[],
  parentOf: WorkspaceView["parentOf"],
) => Partial<ObjectTree>;

const treeBuilders: Record<TreeMode, TreeBuilder> = {
  /** Namespaces with their objects grouped by kind. */
  namespace(own) {
    const named = own.filter((object) => !isSystem(object));
    const namespaces = findNamespaces(own);
    const byFile = new Map(
      own.filter(({ kind }) => kind === "__Namespace").map(({ file, id }) => [file, id]),
    );
    const members = groupBy(named, ({ namespace, file }) => namespace || byFile.get(file) || "");
    return {
      count: named.length,
      kindGroups: groupByKind(members.get("") ?? []),
      namespaces: namespaces.map((space) => ({
        ...toHeading(space),
        kindGroups: groupByKind(members.get(space.id) ?? []),
      })),
    };
  },

  /** Files with their top-level objects. */
  file(own) {
    const files = groupBy(topLevelObjects(own), ({ file }) => file);
    return {
      fileGroups: [...files]
        .sort(([a], [b]) => compareText(a, b))
        .map(([file, objects]) => ({
          file,
          label: basename(file),
          count: objects.length,
          objects: objects.sort(compareById).map(toLeafNode),
        })),
    };
  },

  /** Objects below their parents, or else below their namespaces. */
  smart(own, parentOf) {
    const namespaces = findNamespaces(own);
    const spaces = new Map(namespaces.map((space) => [space.id, space]));
    const shown = new Set([...namespaces, ...own.filter((object) => !isSystem(object))]);
    const ownerOf = (object: WorkspaceObject): WorkspaceObject | undefined => {
      const parent = parentOf(object);
      if (object.parent === undefined) return spaces.get(object.namespace);
      return parent && shown.has(parent) ? parent : spaces.get(object.parent);
    };
    const below = groupBy(shown, (object) => ownerOf(object)?.globalId ?? "");
    const node = (object: WorkspaceObject): TreeNode => ({
      ...nodeFields(object),
      parent: object.parent ?? null,
      namespace: object.namespace || null,
      children: (below.get(object.globalId) ?? []).sort(compareNamespacesFirst).map(node),
    });
    return {
      count: shown.size,
      objects: (below.get("") ?? []).sort(compareNamespacesFirst).map(node),
    };
  },
};

function groupByKind(objects: readonly WorkspaceObject[]): KindGroup[] {
  return [...groupBy(topLevelObjects(objects), ({ kind }) => kind)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([kind, members]) => ({
      kind,
      label: kind,
      count: members.length,
      objects: members.sort(compareByLabel).map(toLeafNode),
    }));
}

/** One object per namespace. A declaration in an anchor file is preferred to one in another file. */
function findNamespaces(objects: readonly WorkspaceObject[]): WorkspaceObject[] {
  const namespaces = objects.filter(({ kind }) => kind === "__Namespace");
  const isFolder = ({ file }: WorkspaceObject): boolean => basename(file) === anchorFile;
  return [...groupBy(namespaces, ({ id }) => id).values()]
    .flatMap((same) => same.find(isFolder) ?? same[0] ?? [])
    .sort(compareById);
}

/** The objects whose parent is not among them. */
function topLevelObjects(objects: readonly WorkspaceObject[]): WorkspaceObject[] {
  const named = objects.filter((object) => !isSystem(object));
  const ids = new Set(named.map(({ id }) => id));
  return named.filter(({ parent }) => parent === undefined || !ids.has(parent));
}

const toLeafNode = (object: WorkspaceObject): TreeNode => ({
  ...nodeFields(object),
  workspace: object.workspace,
  ...(object.namespace && { namespace: object.namespace }),
  children: [],
});

const nodeFields = (object: WorkspaceObject) => ({
  id: object.id,
  kind: object.kind,
  label: displayLabel(object),
  level: headingLevelOf(object),
  file: object.file,
  line: object.line,
});

const toHeading = (object: WorkspaceObject): TreeHeading => ({
  id: object.id,
  label: displayLabel(object),
  file: object.file,
  line: object.line,
});

export const displayLabel = ({ label, id }: WorkspaceObject): string => label ?? id;

export const headingLevelOf = ({ level }: WorkspaceObject): number => level ?? 1;

const compareById = (a: WorkspaceObject, b: WorkspaceObject): number => compareText(a.id, b.id);

const compareByLabel = (a: WorkspaceObject, b: WorkspaceObject): number =>
  compareText(displayLabel(a), displayLabel(b)) || compareById(a, b);

const compareNamespacesFirst = (a: WorkspaceObject, b: WorkspaceObject): number =>
  Number(b.kind === "__Namespace") - Number(a.kind === "__Namespace") || compareByLabel(a, b);
