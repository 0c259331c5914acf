import { basename, dirname } from "node:path/posix";
import type { ParsedFile as FileOfObjects } from "../../../text/objects/parsing/parse-file.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { lineOfRecord, textField } from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

/** A parsed file of a workspace. */
export interface WorkspaceFile extends FileOfObjects {
  /** Relative to the root. */
  path: string;
}

/** The workspace and namespace of a file, or "". */
export interface FileScope {
  workspace: string;
  namespace: string;
}

/** The workspaces and namespaces of folders. */
export interface WorkspaceMap {
  /** The declared workspaces, without nested ones. */
  workspaces: string[];
  /** Undefined for a file that is not read. */
  scopeOf(path: string): FileScope | undefined;
  diagnostics: Diagnostic[];
}

/** The maximum depth of files outside a workspace. */
const maxStrayDepth = 5;

/**
 * A folder is a workspace or a namespace if its anchor file declares it. A file belongs to the nearest
 * declaration above them. A workspace within a workspace is an error and is not read.
 */
export function mapWorkspaces(files: readonly WorkspaceFile[]): WorkspaceMap {
  const declared = findDeclarations("__Workspace", files);
  const namespaces = findDeclarations("__Namespace", files);
  const isNested = (folder: string): boolean =>
    declared.has(folder) && ancestorsOf(folder).some((outer) => declared.has(outer));
  const workspaces = [...declared].filter(([folder]) => !isNested(folder));

  return {
    workspaces: workspaces.map(([, { id }]) => id),
    scopeOf(path) {
      const folder = dirname(path);
      const folders = [folder, ...ancestorsOf(folder)];
      if (folders.some(isNested)) return undefined;
      const nearestDeclaration = folders.findIndex((outer) => declared.has(outer));
      if (nearestDeclaration < 0 && folders.length > maxStrayDepth + 1) return undefined;
      const inside = nearestDeclaration < 0 ? folders : folders.slice(0, nearestDeclaration + 1);
      const nearest = inside.find((outer) => namespaces.has(outer));
      return {
        workspace: declaredId(declared, folders[nearestDeclaration]),
        namespace: declaredId(namespaces, nearest),
      };
    },
    diagnostics: [...declared]
      .filter(([folder]) => isNested(folder))
      .map(([, { id, file, line }]) => ({
        type: "nested_workspace",
        message: `Nested workspace '${id}' found inside workspace. Workspaces cannot be nested.`,
        file,
        line,
        object: id,
        severity: "error",
      })),
  };
}

interface Declaration {
  id: string;
  file: string;
  line: number;
}

const declaredId = (
  declared: ReadonlyMap<string, Declaration>,
  folder: string | undefined,
): string => (folder === undefined ? undefined : declared.get(folder)?.id) ?? "";

/** The declarations by folder; further declarations in the same file are ignored. */
function findDeclarations(kind: string, files: readonly WorkspaceFile[]): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const { path, objects } of files) {
    if (basename(path) !== anchorFile) continue;
    const object = objects.find((record) => textField(record, "__kind") === kind);
    const id = object && textField(object, "__id");
    if (id) found.set(dirname(path), { id, file: path, line: lineOfRecord(object) });
  }
  return found;
}

/** The parent folders, nearest first; the root is `.`, as in `dirname`. */
function ancestorsOf(folder: string): string[] {
  const outer: string[] = [];
  for (let current = folder; current !== "."; ) {
    current = dirname(current);
    outer.push(current);
  }
  return outer;
}
