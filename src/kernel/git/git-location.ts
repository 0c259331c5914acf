import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Boundary } from "../paths/boundary.ts";

/** The folders of a Git repository. */
export interface GitLocation {
  /** The root of the work tree. */
  workTree: string;
  /** Contains the data of this work tree: `HEAD` and the index. */
  gitDir: string;
  /** Contains the data that all work trees share: objects, refs and the configuration. */
  commonDir: string;
}

/**
 * `refused` is the path of the first entry that is a link out of the repository or not a regular
 * file, relative to the folder that contains `.git`.
 */
interface UnsafeRepository {
  refused: string;
}

/** Finds the repository that contains a folder, within the boundary. */
export function findRepository(
  folder: string,
  { allowsFolder }: Pick<Boundary, "allowsFolder">,
): GitLocation | UnsafeRepository | undefined {
  const start = realPathOrUndefined(folder);
  for (
    let current = start;
    current !== undefined && allowsFolder(current);
    current = parentFolder(current)
  ) {
    const found = lstatOrUndefined(join(current, ".git"));
    if (!found) continue;
    const location = found.isDirectory()
      ? standaloneRepository(current)
      : linkedRepository(current);
    if (!location || !allowsFolder(location.gitDir) || !allowsFolder(location.commonDir))
      return { refused: ".git" };
    const unsafeEntry = findUnsafeEntry(location);
    return unsafeEntry === undefined ? location : { refused: `.git/${unsafeEntry}` };
  }
  return undefined;
}

function standaloneRepository(workTree: string): GitLocation | undefined {
  const gitDir = join(workTree, ".git");
  const isShared = lstatOrUndefined(join(gitDir, "commondir")) !== undefined;
  return isShared ? undefined : { workTree, gitDir, commonDir: gitDir };
}

/**
 * A `.git` file contains the path of a repository. In an untrusted folder it may name any
 * repository, so the path is trusted only if that repository refers back to this folder, as those
 * of worktrees and submodules do.
 */
function linkedRepository(workTree: string): GitLocation | undefined {
  const file = join(workTree, ".git");
  const [, gitDirPath] = /^gitdir:\s*(.+)/.exec(readRegularFile(file) ?? "") ?? [];
  if (gitDirPath === undefined) return undefined;
  const gitDir = resolve(workTree, gitDirPath.trim());
  const shared = readRegularFile(join(gitDir, "commondir"));
  if (shared === undefined) {
    const settings = readRegularFile(join(gitDir, "config")) ?? "";
    const [, backReference] = /^\s*worktree\s*=\s*(.+)$/m.exec(settings) ?? [];
    const isOwn =
      backReference !== undefined && isSamePath(resolve(gitDir, backReference.trim()), workTree);
    return isOwn ? { workTree, gitDir, commonDir: gitDir } : undefined;
  }
  const commonDir = dirname(dirname(gitDir));
  const backReference = readRegularFile(join(gitDir, "gitdir"))?.trim();
  const isOwn =
    resolve(gitDir, shared.trim()) === commonDir &&
    backReference !== undefined &&
    isSamePath(resolve(gitDir, backReference), file);
  return isOwn ? { workTree, gitDir, commonDir } : undefined;
}

/**
 * The first entry of a repository that is neither a regular file nor a folder. Git would follow a
 * link, and block on a named pipe.
 */
function findUnsafeEntry({ gitDir, commonDir }: GitLocation): string | undefined {
  const alternates = "objects/info/alternates";
  if (lstatOrUndefined(join(commonDir, alternates))) return alternates;
  const entries = [gitDir, commonDir].flatMap((folder) => readEntries(folder));
  const irregular = entries.find((entry) => isIrregular(entry) && isUsedEntry(entry.name))?.name;
  return (
    irregular ??
    findIrregularBelow(gitDir, "logs") ??
    ["objects", "refs", "lfs"]
      .map((name) => findIrregularBelow(commonDir, name))
      .find((found) => found !== undefined)
  );
}

/** The entries of a git directory that git uses for the commands run here. */
const usedEntries = new Set([
  ...["HEAD", "config", "config.worktree", "index", "info", "lfs", "objects", "packed-refs"],
  ...["FETCH_HEAD", "ORIG_HEAD", "logs", "refs", "shallow"],
]);

/** A split index stores most entries in `sharedindex.*` files. */
const isUsedEntry = (name: string): boolean =>
  usedEntries.has(name) || name.startsWith("sharedindex.");

function findIrregularBelow(top: string, path: string): string | undefined {
  for (const entry of readEntries(join(top, path))) {
    const inner = `${path}/${entry.name}`;
    if (isIrregular(entry)) return inner;
    const irregular = entry.isDirectory() ? findIrregularBelow(top, inner) : undefined;
    if (irregular !== undefined) return irregular;
  }
  return undefined;
}

const isIrregular = (entry: Dirent): boolean => !entry.isFile() && !entry.isDirectory();

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The stat of a path, without following links; undefined if it is missing or inaccessible. */
export function lstatOrUndefined(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Larger files are ignored: the files that are needed here are small. */
const maxGitFileBytes = 1024 * 1024;

/** The text of a regular file. Opening a named pipe would block, and a link may lead anywhere. */
export function readRegularFile(path: string): string | undefined {
  try {
    const stat = lstatOrUndefined(path);
    return stat?.isFile() && stat.size <= maxGitFileBytes ? readFileSync(path, "utf8") : undefined;
  } catch {
    // An unreadable file counts as missing.
    return undefined;
  }
}

export function isSamePath(one: string, other: string): boolean {
  const real = realPathOrUndefined(one);
  return real !== undefined && real === realPathOrUndefined(other);
}

function realPathOrUndefined(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const parentFolder = (folder: string): string | undefined =>
  dirname(folder) === folder ? undefined : dirname(folder);
