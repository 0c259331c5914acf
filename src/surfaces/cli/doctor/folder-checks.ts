import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Root } from "../../../kernel/documents/documents.ts";
import { describeReadError, isNotFoundError } from "../../../kernel/indexing/walk.ts";
import { isVirtualFileSystem, listMounts } from "../../../kernel/paths/mounts.ts";
import { matchesTopFolderOnly } from "../../../text/patterns/glob.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { type Check, describeCheckError } from "./check.ts";

/** Rebuilding an index may need this much free space. */
const minFreeBytes = 200_000_000;

/** Writes a probe file, because permissions do not show a full or read-only disk. */
export function checkFolder(folder: string): Check {
  const name = "home";
  if (!existsSync(folder)) {
    if (lstatSync(folder, { throwIfNoEntry: false })) {
      const remedy = "Restore the link's target, or set LECTERN_HOME to another folder.";
      return { name, state: "fail", says: `${folder} is a link to a missing folder.`, remedy };
    }
    let ancestor = dirname(folder);
    while (!existsSync(ancestor)) ancestor = dirname(ancestor);
    if (isUsable(ancestor, constants.W_OK)) {
      return { name, state: "ok", says: `${folder} will be created when needed.` };
    }
    const remedy = `Make ${ancestor} writable, or set LECTERN_HOME to another folder.`;
    return { name, state: "fail", says: `${folder} cannot be created.`, remedy };
  }
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const remedy = "Check its permissions and the disk, or set LECTERN_HOME to another folder.";
    return { name, state: "fail", says: `${folder}: ${describeCheckError(error)}`, remedy };
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < minFreeBytes) {
    const says = `${folder} has only ${Math.floor((bavail * bsize) / 1e6)} MB of free space.`;
    return { name, state: "warn", says, remedy: "Free some space: the index needs room to grow." };
  }
  return { name, state: "ok", says: `${folder} is writable.` };
}

export function checkCollection({ name, path }: Root, program: string): Check {
  const remedy = `Restore the folder, or run '${program} collection remove ${name}'.`;
  const about = { name: "collection" };
  const stats = statOr(path, (reason) => ({ reason }));
  if (stats && "reason" in stats) {
    const says = `${name}: ${path}: ${stats.reason}. Its documents stay in the index.`;
    return { ...about, state: "fail", says, remedy };
  }
  if (!stats) return { ...about, state: "fail", says: `${name}: ${path} does not exist.`, remedy };
  if (!stats.isDirectory()) {
    return { ...about, state: "fail", says: `${name}: ${path} is not a folder.`, remedy };
  }
  if (!isUsable(path, constants.R_OK | constants.X_OK)) {
    const says = `${name}: ${path} cannot be read.`;
    return { ...about, state: "fail", says, remedy: "Check its permissions." };
  }
  return { ...about, state: "ok", says: `${name}: ${path}` };
}

function statOr<Failed>(
  path: string,
  onError: (reason: string) => Failed,
): Stats | Failed | undefined {
  try {
    return statSync(path);
  } catch (error) {
    return isNotFoundError(error) ? undefined : onError(describeReadError(error));
  }
}

/** Linux limits the number of inotify watches, and each watched folder needs one. */
export function checkWatching(roots: readonly Root[], limit: number | undefined): Check {
  const name = "watching";
  if (limit === undefined) return { name, state: "ok", says: "No limit on this platform." };
  const count = roots.reduce((sum, root) => sum + countFolders(root, limit + 1 - sum), 0);
  if (count <= limit) {
    return {
      name,
      state: "ok",
      says: `${pluralise(count, "folder")} of at most ${limit} inotify watches.`,
    };
  }
  return {
    name,
    state: "warn",
    says: `More folders than the ${limit} inotify watches allowed: changes may be missed.`,
    remedy: "Raise fs.inotify.max_user_watches with sysctl, or use smaller collections.",
  };
}

export function watchLimit(): number | undefined {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
  } catch {
    return undefined;
  }
}

/** Counts folders up to a limit. A folder that cannot be listed cannot be watched either. */
function countFolders({ path, pattern }: Root, limit: number): number {
  const virtual = new Set(
    listMounts()
      .filter(isVirtualFileSystem)
      .map((mount) => mount.path),
  );
  const waiting = [path];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined && count < limit; folder = waiting.pop()) {
    count++;
    // A collection of a single folder does not descend into its subfolders.
    if (folder !== path && matchesTopFolderOnly(pattern)) continue;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const inner = join(folder, entry.name);
        if (entry.isDirectory() && !virtual.has(inner)) waiting.push(inner);
      }
    } catch {}
  }
  return count;
}

function isUsable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
