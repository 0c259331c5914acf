import { type BigIntStats, existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import { shorten } from "../../text/strings/shorten.ts";
import { Failure } from "../failure.ts";
import type { SafeDirectory } from "../files/safe-directory.ts";
import { containsPath } from "./contains-path.ts";
import { resolveAllowingMissing } from "./project-folder.ts";

/**
 * Protects Lectern's own files: secrets, store, configuration, socket. No caller can access them, not
 * even a person, because agents can read indexes and caches that contain the results of a person's
 * calls.
 */
export interface HomeCheck {
  /** Whether a real path is closed, by its name or as a hard link of a closed file. */
  isClosed(real: string): boolean;
  /** The same for the entries of a folder, by name alone: a file is checked fully when it is read. */
  closedEntriesOf(folder: string): (name: string) => boolean;
  /** Creates the complete check for many files. It reads the homes once. */
  snapshotCheck(): (real: string) => boolean;
}

/** A folder that contains this file is a home, possibly of another server. */
const storeName = "lectern.sqlite";

/** The files that Lectern creates in a home. */
const ownNames =
  /^(?:config\.json|lectern\.s|lease\.|deputy-lease\.|secret$|page-secret$|login-codes$|commands\.sock$|cache$|\.[\w-]+\.home$)/;

/** Folders of a home with user data, or with another home. They are closed as well. */
const closedFolders = new Set(["logs", "models", "sample"]);

/**
 * `folders` are the homes of this process, and `served` is the folder that it serves.
 *
 * In a home, Lectern's folders and all files directly in it are closed. Other subfolders, such as a
 * folder of documents, are open.
 *
 * A home may be a folder with other uses: the served folder, a parent of it, or a shared folder
 * such as `/tmp`. Then only Lectern's own files in it are closed, and likewise in the home of
 * another server.
 */
export function createHomeCheck(folders: readonly string[] = [], served = "/"): HomeCheck {
  const homes = [...new Set(folders.map((folder) => resolveAllowingMissing(folder)))];
  const root = resolveAllowingMissing(served);
  const shared = new Set(homes.filter((home) => isShared(home, root)));
  const dedicated = homes.filter((home) => !shared.has(home));

  const isHome = (folder: string): boolean =>
    shared.has(folder) || existsSync(join(folder, storeName));
  const isOwnEntry = (path: string): boolean =>
    ownNames.test(basename(path)) && isHome(dirname(path));

  /** Whether a path is a dedicated home (one without other uses) or a closed entry of it. */
  function isClosedEntry(home: string, path: string): boolean {
    if (!containsPath(home, path)) return false;
    const [name = ""] = relative(home, path).split(sep);
    if (name === "" || ownNames.test(name) || closedFolders.has(name)) return true;
    return !statOf(join(home, name))?.isDirectory();
  }

  /** The closed files directly in the homes, by device and inode. */
  const closedFiles = (): Set<string> =>
    new Set(
      homes.flatMap((home) =>
        entriesOf(home)
          .filter((name) => ownNames.test(name) || !shared.has(home))
          .flatMap((name) => statOf(join(home, name)) ?? [])
          .map(fileKey),
      ),
    );

  /** Whether a file is a hard link to a closed file. For a file with one link, this is one `stat`. */
  function isHardLink(path: string, closed: () => Set<string>): boolean {
    const stat = statOf(path);
    return stat?.isFile() === true && stat.nlink > 1n && closed().has(fileKey(stat));
  }

  function closedEntriesOf(folder: string): (name: string) => boolean {
    const near = dedicated.filter((home) => containsPath(home, folder) || dirname(home) === folder);
    const isAllClosed = isOwnEntry(folder);
    return (name) =>
      isAllClosed ||
      near.some((home) => isClosedEntry(home, join(folder, name))) ||
      (ownNames.test(name) && isHome(folder));
  }

  const isClosedName = (real: string): boolean => closedEntriesOf(dirname(real))(basename(real));
  return {
    closedEntriesOf,
    isClosed: (real) => isClosedName(real) || isHardLink(real, closedFiles),
    snapshotCheck() {
      let closed: Set<string> | undefined;
      const read = () => (closed ??= closedFiles());
      return (real) => isClosedName(real) || isHardLink(real, read);
    },
  };
}

const isShared = (home: string, served: string): boolean =>
  containsPath(home, served) ||
  containsPath(home, homedir()) ||
  ((statOf(home)?.mode ?? 0n) & 0o1000n) !== 0n;

const fileKey = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The same directory, with closed entries hidden and protected from changes. */
export function withoutHomeFiles(directory: SafeDirectory, home: HomeCheck): SafeDirectory {
  const assertOpen = (name: string): void => {
    if (home.isClosed(join(directory.path, name))) throw insideHome(name);
  };
  const guarded =
    <Rest extends unknown[], Result>(work: (name: string, ...rest: Rest) => Result) =>
    (name: string, ...rest: Rest): Result => {
      assertOpen(name);
      return work(name, ...rest);
    };
  const guardedPair =
    (work: (from: string, to: string) => void) =>
    (from: string, to: string): void => {
      assertOpen(from);
      assertOpen(to);
      work(from, to);
    };
  return {
    ...directory,
    entries() {
      const isClosed = home.closedEntriesOf(directory.path);
      return directory.entries().filter(({ name }) => !isClosed(name));
    },
    stat: (name) => (home.isClosed(join(directory.path, name)) ? undefined : directory.stat(name)),
    openFolder: guarded((name) => withoutHomeFiles(directory.openFolder(name), home)),
    makeFolder: guarded(directory.makeFolder),
    write: guarded(directory.write),
    stream: guarded(directory.stream),
    copyFrom(path, name) {
      assertOpen(name);
      directory.copyFrom(path, name);
    },
    rename: guardedPair(directory.rename),
    moveToNew: guardedPair(directory.moveToNew),
    remove: guarded(directory.remove),
    removeFolder: guarded(directory.removeFolder),
    removeTree: guarded(directory.removeTree),
  };
}

export const insideHome = (given: string): Failure =>
  new Failure(
    "forbidden",
    "in-home",
    `'${shorten(given)}' is in Lectern's own home, which contains its secrets and its index.`,
    { hints: ["Pass a path outside the home. The home is closed to all callers."] },
  );
