import { basename } from "node:path/posix";
import { byLetters } from "../../text/by-letters.ts";
import { groupedBy } from "../../text/grouped.ts";
import type { View } from "./view.ts";
import { isSystem, type WorkspaceObject } from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

export type TreeMode = "namespace" | "file" | "smart";

/** An object in a tree; which of its keys are told depends on the tree. */
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

interface Heading {
  id: string;
  label: string;
  file: string;
  line: number;
}

export interface Tree extends Heading {
  count?: number;
  kindGroups?: KindGroup[];
  namespaces?: (Heading & { kindGroups: KindGroup[] })[];
  fileGroups?: { file: string; label: string; count: number; objects: TreeNode[] }[];
  objects?: TreeNode[];
}

/** One tree for each workspace of a view, as a reader would leaf through it, or for a part of it. */
export const treesOf = (
  view: View,
  mode: TreeMode,
  isShown?: (object: WorkspaceObject) => boolean,
): Tree[] =>
  isShown ? grown(view, mode, isShown) : view.once(`tree by ${mode}`, () => grown(view, mode));

function grown(
  { objects, parentOf }: View,
  mode: TreeMode,
  isShown = (_object: WorkspaceObject) => true,
): Tree[] {
  const workspaces = objects.filter(({ kind }) => kind === "__Workspace");
  const shown = objects.filter(isShown);
  return workspaces.map((workspace) => {
    const own = shown.filter((object) => object.workspace === workspace.id);
    return { ...headingOf(workspace), ...shapes[mode](own, parentOf) };
  });
}

type Shape = (own: readonly WorkspaceObject[], parentOf: View["parentOf"]) => Partial<Tree>;

const shapes: Record<TreeMode, Shape> = {
  /** Namespaces, and in each of them its objects by kind. */
  namespace(own) {
    const named = own.filter((object) => !isSystem(object));
    const namespaces = namespacesOf(own);
    const byFile = new Map(
      own.filter(({ kind }) => kind === "__Namespace").map(({ file, id }) => [file, id]),
    );
    const members = groupedBy(named, ({ namespace, file }) => namespace || byFile.get(file) || "");
    return {
      count: named.length,
      kindGroups: kindGroups(members.get("") ?? []),
      namespaces: namespaces.map((space) => ({
        ...headingOf(space),
        kindGroups: kindGroups(members.get(space.id) ?? []),
      })),
    };
  },

  /** Files, and in each of them its topmost objects. */
  file(own) {
    const files = groupedBy(topmostOf(own), ({ file }) => file);
    return {
      fileGroups: [...files]
        .sort(([a], [b]) => byLetters(a, b))
        .map(([file, objects]) => ({
          file,
          label: basename(file),
          count: objects.length,
          objects: objects.sort(byId).map(leaf),
        })),
    };
  },

  /** Everything below what it belongs to: its parent, else its namespace. */
  smart(own, parentOf) {
    const namespaces = namespacesOf(own);
    const spaces = new Map(namespaces.map((space) => [space.id, space]));
    const shown = new Set([...namespaces, ...own.filter((object) => !isSystem(object))]);
    const ownerOf = (object: WorkspaceObject): WorkspaceObject | undefined => {
      const parent = parentOf(object);
      if (object.parent === undefined) return spaces.get(object.namespace);
      return parent && shown.has(parent) ? parent : spaces.get(object.parent);
    };
    const below = groupedBy(shown, (object) => ownerOf(object)?.globalId ?? "");
    const node = (object: WorkspaceObject): TreeNode => ({
      ...plainNode(object),
      parent: object.parent ?? null,
      namespace: object.namespace || null,
      children: (below.get(object.globalId) ?? []).sort(foldersFirst).map(node),
    });
    return { count: shown.size, objects: (below.get("") ?? []).sort(foldersFirst).map(node) };
  },
};

function kindGroups(objects: readonly WorkspaceObject[]): KindGroup[] {
  return [...groupedBy(topmostOf(objects), ({ kind }) => kind)]
    .sort(([a], [b]) => byLetters(a, b))
    .map(([kind, members]) => ({
      kind,
      label: kind,
      count: members.length,
      objects: members.sort(byLabel).map(leaf),
    }));
}

/** One of each name: the folder that declares it goes before a file that does. */
function namespacesOf(objects: readonly WorkspaceObject[]): WorkspaceObject[] {
  const namespaces = objects.filter(({ kind }) => kind === "__Namespace");
  const isFolder = ({ file }: WorkspaceObject): boolean => basename(file) === anchorFile;
  return [...groupedBy(namespaces, ({ id }) => id).values()]
    .flatMap((same) => same.find(isFolder) ?? same[0] ?? [])
    .sort(byId);
}

/** Those that belong to no other of them. */
function topmostOf(objects: readonly WorkspaceObject[]): WorkspaceObject[] {
  const named = objects.filter((object) => !isSystem(object));
  const ids = new Set(named.map(({ id }) => id));
  return named.filter(({ parent }) => parent === undefined || !ids.has(parent));
}

const leaf = (object: WorkspaceObject): TreeNode => ({
  ...plainNode(object),
  workspace: object.workspace,
  ...(object.namespace && { namespace: object.namespace }),
  children: [],
});

const plainNode = (object: WorkspaceObject) => ({
  id: object.id,
  kind: object.kind,
  label: labelOf(object),
  level: levelOf(object),
  file: object.file,
  line: object.line,
});

const headingOf = (object: WorkspaceObject): Heading => ({
  id: object.id,
  label: labelOf(object),
  file: object.file,
  line: object.line,
});

export const labelOf = ({ label, id }: WorkspaceObject): string => label ?? id;

export const levelOf = ({ level }: WorkspaceObject): number => level ?? 1;

const byId = (a: WorkspaceObject, b: WorkspaceObject): number => byLetters(a.id, b.id);

const byLabel = (a: WorkspaceObject, b: WorkspaceObject): number =>
  byLetters(labelOf(a), labelOf(b)) || byId(a, b);

const foldersFirst = (a: WorkspaceObject, b: WorkspaceObject): number =>
  Number(b.kind === "__Namespace") - Number(a.kind === "__Namespace") || byLabel(a, b);
