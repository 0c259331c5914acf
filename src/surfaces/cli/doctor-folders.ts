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
import type { Root } from "../../kernel/documents.ts";
import { isVirtual, mountsNow } from "../../kernel/mounts.ts";
import { isAbsent, whyUnreadable } from "../../kernel/walk.ts";
import { counted } from "../../text/counted.ts";
import { isTopOnly } from "../../text/glob.ts";
import { type Check, complaintOf } from "./doctor-check.ts";

/** Below this, an index may not find the room to be written anew. */
const leastFree = 200_000_000;

/** Tries instead of asking: a full or read-only disk does not show in the permissions. */
export function checkFolder(folder: string): Check {
  const name = "home";
  if (!existsSync(folder)) {
    if (lstatSync(folder, { throwIfNoEntry: false })) {
      const remedy = "Bring back what it leads to, or name another folder in LECTERN_HOME.";
      return { name, state: "fail", says: `${folder} is a link that leads nowhere.`, remedy };
    }
    let above = dirname(folder);
    while (!existsSync(above)) above = dirname(above);
    if (isUsable(above, constants.W_OK)) {
      return { name, state: "ok", says: `${folder} will be made when it is needed.` };
    }
    const remedy = `Make ${above} writable, or name another folder in LECTERN_HOME.`;
    return { name, state: "fail", says: `${folder} cannot be made.`, remedy };
  }
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const remedy = "Look at its permissions and at the disk, or name another in LECTERN_HOME.";
    return { name, state: "fail", says: `${folder}: ${complaintOf(error)}`, remedy };
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < leastFree) {
    const says = `${folder} has ${Math.floor((bavail * bsize) / 1e6)} MB left.`;
    return { name, state: "warn", says, remedy: "Free some space: an index needs room to grow." };
  }
  return { name, state: "ok", says: `${folder} is writable.` };
}

export function checkCollection({ name, path }: Root, program: string): Check {
  const remedy = `Bring it back, or run '${program} collection remove ${name}'.`;
  const about = { name: "collection" };
  const found = statOr(path, (reason) => ({ reason }));
  if (found && "reason" in found) {
    const says = `${name}: ${path}: ${found.reason}. What is known of its documents is kept.`;
    return { ...about, state: "fail", says, remedy };
  }
  if (!found) return { ...about, state: "fail", says: `${name}: ${path} is not there.`, remedy };
  if (!found.isDirectory()) {
    return { ...about, state: "fail", says: `${name}: ${path} is no folder.`, remedy };
  }
  if (!isUsable(path, constants.R_OK | constants.X_OK)) {
    const says = `${name}: ${path} cannot be read.`;
    return { ...about, state: "fail", says, remedy: "Look at its permissions." };
  }
  return { ...about, state: "ok", says: `${name}: ${path}` };
}

function statOr<Other>(path: string, other: (reason: string) => Other): Stats | Other | undefined {
  try {
    return statSync(path);
  } catch (error) {
    return isAbsent(error) ? undefined : other(whyUnreadable(error));
  }
}

/** On Linux each folder that is watched takes one of a limited number of watches. */
export function checkWatching(roots: readonly Root[], limit: number | undefined): Check {
  const name = "watching";
  if (limit === undefined) return { name, state: "ok", says: "No limit on this platform." };
  const count = roots.reduce((sum, root) => sum + countFolders(root, limit + 1 - sum), 0);
  if (count <= limit) {
    return { name, state: "ok", says: `${counted(count, "folder")}, of at most ${limit} watches.` };
  }
  return {
    name,
    state: "warn",
    says: `More folders than the system's ${limit} watches: changes may be missed.`,
    remedy: "Raise fs.inotify.max_user_watches by sysctl, or choose smaller collections.",
  };
}

export function watchLimit(): number | undefined {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
  } catch {
    return undefined;
  }
}

/** Counts no further than `most`; what cannot be listed cannot be watched either. */
function countFolders({ path, pattern }: Root, most: number): number {
  const virtual = new Set(
    mountsNow()
      .filter(isVirtual)
      .map(({ place }) => place),
  );
  const waiting = [path];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined && count < most; folder = waiting.pop()) {
    count++;
    // Of a collection that is one folder, those in it are watched and not entered.
    if (folder !== path && isTopOnly(pattern)) continue;
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
