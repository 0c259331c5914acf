import { realpathSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { type Boundary, containsPath } from "../../../kernel/paths/boundary.ts";
import { statOrUndefined } from "../../../kernel/paths/file-stat.ts";
import { childPath } from "../../../text/strings/relative-path.ts";

/** The result of looking up a path in a repository. */
export type PathLookup =
  | { kind: "file" | "folder"; path: string }
  /** `near` is an existing path that differs only in case: `Guide.md` for `guide.md`. */
  | { kind: "missing"; near?: string }
  /** The path leads out of the repository and is not inspected. */
  | { kind: "outside" };

/** Case-sensitive lookup of paths in a repository, on any file system. */
export interface RepoTree {
  /** The real path. */
  readonly root: string;
  /** The path is relative to the root, with slashes. */
  lookup(path: string): PathLookup;
  /** The names in a folder; empty if it does not exist. */
  listNames(folder: string): string[];
}

/**
 * Compares with listed names: a case-insensitive file system would accept links that fail
 * elsewhere.
 */
export function createRepoTree(root: string, boundary: Boundary): RepoTree {
  const folders = new Map<string, Map<string, "file" | "folder" | "link">>();
  return { root, lookup, listNames: (folder) => [...entriesOf(folder).keys()] };

  function lookup(path: string): PathLookup {
    const normalized = posix.normalize(path).replace(/\/$/, "");
    if (normalized === ".." || normalized.startsWith("../") || normalized.startsWith("/"))
      return { kind: "outside" };
    let parent = "";
    const steps = normalized === "." ? [] : normalized.split("/");
    for (const [index, step] of steps.entries()) {
      const kind = entriesOf(parent).get(step.normalize());
      if (kind === undefined) return lookupMissing(parent, steps.slice(index));
      const next = childPath(parent, step);
      if (kind === "file") {
        return index === steps.length - 1 ? { kind, path: next } : { kind: "missing" };
      }
      const followed = kind === "link" ? resolveLink(next) : next;
      if (followed === undefined) return { kind: "outside" };
      if (followed === next) {
        parent = next;
        continue;
      }
      return lookup(posix.join(followed, ...steps.slice(index + 1)));
    }
    return { kind: "folder", path: parent };
  }

  function lookupMissing(folder: string, steps: readonly string[]): PathLookup {
    const near: string[] = [];
    for (const step of steps) {
      const parent = posix.join(folder, ...near);
      const match = [...entriesOf(parent).keys()].find(
        (name) => name.toLowerCase() === step.normalize().toLowerCase(),
      );
      if (match === undefined) return { kind: "missing" };
      near.push(match);
    }
    return { kind: "missing", near: posix.join(folder, ...near) };
  }

  /**
   * The target of a symbolic link in the repository; undefined if it is broken or leads outside.
   */
  function resolveLink(path: string): string | undefined {
    try {
      const real = realpathSync.native(join(root, path));
      return containsPath(root, real) ? relative(root, real).split(sep).join("/") : undefined;
    } catch {
      return undefined;
    }
  }

  function entriesOf(folder: string): Map<string, "file" | "folder" | "link"> {
    const known = folders.get(folder);
    if (known) return known;
    const entries = new Map<string, "file" | "folder" | "link">();
    try {
      for (const entry of boundary.entries(join(root, folder))) {
        const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";
        entries.set(entry.name.normalize(), kind);
      }
    } catch {
      // An unreadable folder is treated as empty.
    }
    folders.set(folder, entries);
    return entries;
  }
}

/**
 * Finds the repository that contains a folder: the nearest ancestor with a `.git`, else the
 * server's root if it contains the folder, else the folder itself. Nothing outside a force root is
 * inspected.
 */
export function findRepositoryRoot(
  { boundary, settings }: { boundary: Boundary; settings: { root: string } },
  folder: string,
): string {
  for (let place = folder; boundary.allowsFolder(place); place = dirname(place)) {
    if (statOrUndefined(join(place, ".git"))) return place;
    if (dirname(place) === place) break;
  }
  if (!boundary.allowsFolder(settings.root)) return folder;
  const root = boundary.unrestricted.assertAllowed(settings.root);
  return containsPath(root, folder) ? root : folder;
}
