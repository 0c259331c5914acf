import { join, sep } from "node:path";
import { type SafeDirectory, withDirectory } from "../../../kernel/files/safe-directory.ts";
import {
  type IgnoreRules,
  ignoreFile,
  isIgnored,
  tryReadIgnoreRules,
} from "../../../kernel/indexing/ignore-rules.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import type { TaskContext } from "../progress.ts";

/** A file of a repository. */
export interface RepositoryFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  size: number;
  /** Set for a symbolic link, which is never followed. */
  isLink?: true;
}

/** Every file of a repository that git would track. */
export interface FileInventory {
  /** The real path of the repository. */
  root: string;
  files: RepositoryFile[];
  /** All folders except the root. */
  folders: string[];
  /** Nested repositories, whose files are excluded. */
  nested: string[];
  /** Folders that could not be opened. */
  unreadable: string[];
  /** The first path not visited, if a timeout or limit stopped the walk. */
  stoppedAt?: string;
}

/** Larger repositories are truncated. */
const maxFiles = 200_000;

/** Always excluded, whether git ignores them or not. */
const excludedFolders = new Set([".git", "node_modules", ".hg", ".svn"]);

/**
 * Walks a folder in sorted order, so that equal contents give equal inventories. Opens no files
 * except ignore files.
 */
export async function takeFileInventory(
  root: string,
  boundary: Boundary,
  { signal, progress }: TaskContext,
): Promise<FileInventory> {
  const start = root.endsWith(sep) ? root : root + sep;
  const inventory: FileInventory = { root, files: [], folders: [], nested: [], unreadable: [] };
  const pending: PendingFolder[] = [{ folder: "", ignoreRules: [] }];
  const timeSlice = openTimeSlice();
  for (let next = pending.pop(); next; next = pending.pop()) {
    const directory = tryOpenDirectory(boundary, join(root, next.folder));
    if (!directory) {
      inventory.unreadable.push(next.folder);
      continue;
    }
    const subfolders = await withDirectory(directory, () => scanFolder(directory, next));
    if (inventory.stoppedAt !== undefined) return inventory;
    for (const subfolder of subfolders.reverse()) pending.push(subfolder);
  }
  return inventory;

  /** Adds the files of a folder and returns its subfolders to visit. */
  async function scanFolder(
    directory: SafeDirectory,
    { folder, ignoreRules: parentRules }: PendingFolder,
  ): Promise<PendingFolder[]> {
    const entries = directory.entries();
    if (folder !== "" && entries.some(({ name }) => name === ".git")) {
      inventory.nested.push(folder);
      return [];
    }
    if (folder !== "") inventory.folders.push(folder);
    const hasRules = entries.some(({ name }) => name === ignoreFile);
    const rules = hasRules
      ? [...tryReadIgnoreRules(`${start}${childPath(folder, ignoreFile)}`, folder), ...parentRules]
      : parentRules;
    const subfolders: PendingFolder[] = [];
    for (const entry of entries) {
      const path = childPath(folder, entry.name);
      if (timeSlice.isOver()) {
        progress(inventory.files.length, undefined, "Listing files");
        await timeSlice.pass();
      }
      if (signal.aborted || inventory.files.length >= maxFiles) {
        inventory.stoppedAt = path;
        return [];
      }
      if (entry.isDirectory()) {
        const isEntered = !excludedFolders.has(entry.name) && !isIgnored(rules, path, true);
        if (isEntered) subfolders.push({ folder: path, ignoreRules: rules });
        continue;
      }
      if (entry.name === ".git" || isIgnored(rules, path, false)) continue;
      const file = inspectFile(directory, entry.name, path);
      if (file) inventory.files.push(file);
    }
    return subfolders;
  }
}

interface PendingFolder {
  folder: string;
  ignoreRules: readonly IgnoreRules[];
}

function tryOpenDirectory(boundary: Boundary, path: string): SafeDirectory | undefined {
  try {
    return boundary.openDirectory(path);
  } catch {
    return undefined;
  }
}

/** Undefined for pipes, sockets, devices and files removed in the meantime. */
function inspectFile(
  directory: SafeDirectory,
  name: string,
  path: string,
): RepositoryFile | undefined {
  const stat = directory.stat(name);
  if (stat?.isFile()) return { path, size: stat.size };
  return stat?.isSymbolicLink() ? { path, size: stat.size, isLink: true } : undefined;
}
