import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { childPath } from "../../text/strings/relative-path.ts";

/** Files that git opens by name, in any folder of a work tree. */
const openedByName = new Set([".gitattributes", ".gitignore", ".gitmodules", ".mailmap"]);

/** Yield to the event loop after this many folders. */
const foldersPerSlice = 200;

/**
 * The first named pipe, socket or device among the files that git opens by name, because git would
 * block on it. Nested repositories are skipped, as git does.
 */
export async function findSpecialFile(
  workTree: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const open = [""];
  for (let count = 1; open.length > 0 && !signal.aborted; count++) {
    const folder = open.pop() ?? "";
    const entries = readFolder(join(workTree, folder));
    if (folder !== "" && entries.some(({ name }) => name === ".git")) continue;
    for (const entry of entries) {
      const path = childPath(folder, entry.name);
      if (openedByName.has(entry.name) && isSpecial(entry, join(workTree, path))) return path;
      if (entry.isDirectory() && entry.name !== ".git") open.push(path);
    }
    if (count % foldersPerSlice === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return undefined;
}

/** Links are checked too, because older versions of git follow them. */
function isSpecial(entry: Dirent, path: string): boolean {
  if (entry.isFile() || entry.isDirectory()) return false;
  if (!entry.isSymbolicLink()) return true;
  try {
    const target = statSync(path);
    return !target.isFile() && !target.isDirectory();
  } catch {
    return false;
  }
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
