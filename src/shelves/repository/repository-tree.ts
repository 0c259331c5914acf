import { realpathSync, statSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { type Boundary, contains } from "../../kernel/boundary.ts";

/** What is at a path of a repository. */
export type Found =
  | { kind: "file" | "folder"; path: string }
  /** `near` is what is there under the same name in other letters: `Guide.md` for `guide.md`. */
  | { kind: "missing"; near?: string }
  /** It leads out of the repository; nobody looks what is there. */
  | { kind: "outside" };

/** The names in a repository, looked up in exactly the letters in which they are written. */
export interface RepositoryTree {
  /** The real path. */
  readonly root: string;
  /** Relative to the root, with slashes and without `.` and `..` but those that lead out. */
  at(path: string): Found;
  /** The names in a folder; none where there is no such folder. */
  names(folder: string): string[];
}

/** Some disks take any case, and a link that works there fails everywhere else; so names are read. */
export function openTree(root: string, boundary: Boundary): RepositoryTree {
  const folders = new Map<string, Map<string, "file" | "folder" | "link">>();
  return { root, at, names: (folder) => [...entriesOf(folder).keys()] };

  function at(path: string): Found {
    const clean = posix.normalize(path).replace(/\/$/, "");
    if (clean === ".." || clean.startsWith("../") || clean.startsWith("/"))
      return { kind: "outside" };
    let place = "";
    const steps = clean === "." ? [] : clean.split("/");
    for (const [index, step] of steps.entries()) {
      const kind = entriesOf(place).get(step.normalize());
      if (kind === undefined) return missing(place, steps.slice(index));
      const next = place === "" ? step : `${place}/${step}`;
      if (kind === "file") {
        return index === steps.length - 1 ? { kind, path: next } : { kind: "missing" };
      }
      const followed = kind === "link" ? follow(next) : next;
      if (followed === undefined) return { kind: "outside" };
      if (followed === next) {
        place = next;
        continue;
      }
      return at(posix.join(followed, ...steps.slice(index + 1)));
    }
    return { kind: "folder", path: place };
  }

  function missing(folder: string, steps: readonly string[]): Found {
    const near: string[] = [];
    for (const step of steps) {
      const place = posix.join(folder, ...near);
      const like = [...entriesOf(place).keys()].find(
        (name) => name.toLowerCase() === step.normalize().toLowerCase(),
      );
      if (like === undefined) return { kind: "missing" };
      near.push(like);
    }
    return { kind: "missing", near: posix.join(folder, ...near) };
  }

  /** Where a link leads inside the repository; a link that leads nowhere, or out, leads out. */
  function follow(path: string): string | undefined {
    try {
      const real = realpathSync.native(join(root, path));
      return contains(root, real) ? relative(root, real).split(sep).join("/") : undefined;
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
      // What cannot be read has no names for us.
    }
    folders.set(folder, entries);
    return entries;
  }
}

/**
 * The repository that a folder belongs to: the nearest folder above with git's own, else the
 * server's root where it holds the folder, else the folder itself. Nothing outside a force root is
 * looked at.
 */
export function repositoryAbove(
  { boundary, settings }: { boundary: Boundary; settings: { root: string } },
  folder: string,
): string {
  for (let place = folder; boundary.holds(place); place = dirname(place)) {
    if (statSync(join(place, ".git"), { throwIfNoEntry: false })) return place;
    if (dirname(place) === place) break;
  }
  if (!boundary.holds(settings.root)) return folder;
  const root = realpathSync.native(settings.root);
  return contains(root, folder) ? root : folder;
}
