import { basename, dirname } from "node:path/posix";
import type { ParsedFile as FileOfObjects } from "../../text/objects/file.ts";
import type { Complaint } from "./complaint.ts";
import { lineOf, textIn } from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

/** What one file holds. */
export interface ParsedFile extends FileOfObjects {
  /** Relative to the root. */
  path: string;
}

/** Where the objects of a file belong; empty names where there is none. */
export interface Home {
  workspace: string;
  namespace: string;
}

/** Which folders belong to which workspace and namespace. */
export interface Territory {
  /** The workspaces that were declared, outermost ones only. */
  workspaces: string[];
  /** Undefined for a file that is left out. */
  homeOf(path: string): Home | undefined;
  complaints: Complaint[];
}

/** Files that belong to no workspace are read so many folders deep. */
const deepestStray = 5;

/**
 * A folder is a workspace or a namespace when its anchor says so, and what lies below belongs to
 * the nearest one. A workspace within a workspace is a mistake, and left out as a whole.
 */
export function surveyed(files: readonly ParsedFile[]): Territory {
  const declared = declarationsOf("__Workspace", files);
  const namespaces = declarationsOf("__Namespace", files);
  const isNested = (folder: string): boolean =>
    declared.has(folder) && above(folder).some((outer) => declared.has(outer));
  const workspaces = [...declared].filter(([folder]) => !isNested(folder));

  return {
    workspaces: workspaces.map(([, { id }]) => id),
    homeOf(path) {
      const folder = dirname(path);
      const folders = [folder, ...above(folder)];
      if (folders.some(isNested)) return undefined;
      const home = folders.findIndex((outer) => declared.has(outer));
      if (home < 0 && folders.length > deepestStray + 1) return undefined;
      const inside = home < 0 ? folders : folders.slice(0, home + 1);
      const nearest = inside.find((outer) => namespaces.has(outer));
      return {
        workspace: idIn(declared, folders[home]),
        namespace: idIn(namespaces, nearest),
      };
    },
    complaints: [...declared]
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

const idIn = (declared: ReadonlyMap<string, Declaration>, folder: string | undefined): string =>
  (folder === undefined ? undefined : declared.get(folder)?.id) ?? "";

/** By folder; a second declaration in one file counts for nothing. */
function declarationsOf(kind: string, files: readonly ParsedFile[]): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const { path, objects } of files) {
    if (basename(path) !== anchorFile) continue;
    const object = objects.find((record) => textIn(record, "__kind") === kind);
    const id = object && textIn(object, "__id");
    if (id) found.set(dirname(path), { id, file: path, line: lineOf(object) });
  }
  return found;
}

/** The folders above a folder, the nearest first; the root is `.`, as `dirname` has it. */
function above(folder: string): string[] {
  const outer: string[] = [];
  for (let place = folder; place !== "."; ) {
    place = dirname(place);
    outer.push(place);
  }
  return outer;
}
