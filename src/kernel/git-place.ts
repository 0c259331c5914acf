import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Whether what git would read for a folder is the folder's own. A repository may say that its
 * history lies elsewhere, and a stranger's may name somebody else's; so an address is believed
 * where what lies there names this folder in return, as worktrees and submodules do.
 */
export function isOwnHistory(folder: string): boolean {
  for (let place = folder; ; place = dirname(place)) {
    const found = lstatSync(join(place, ".git"), { throwIfNoEntry: false });
    if (found) return isOfFolder(place, found);
    if (dirname(place) === place) return false;
  }
}

function isOfFolder(folder: string, found: { isDirectory(): boolean }): boolean {
  const file = join(folder, ".git");
  if (found.isDirectory()) return textAt(join(file, "commondir")) === undefined;
  const [, address] = /^gitdir:\s*(.+)/.exec(textAt(file) ?? "") ?? [];
  if (address === undefined) return false;
  const named = resolve(folder, address.trim());
  const shared = textAt(join(named, "commondir"));
  const isShared = shared !== undefined;
  if (isShared && resolve(named, shared.trim()) !== dirname(dirname(named))) return false;
  const worktree = textAt(join(named, "gitdir"))?.trim();
  const [, submodule] = /^\s*worktree\s*=\s*(.+)$/m.exec(textAt(join(named, "config")) ?? "") ?? [];
  return isShared
    ? worktree !== undefined && isSame(resolve(named, worktree), file)
    : submodule !== undefined && isSame(resolve(named, submodule.trim()), folder);
}

/** No line of git's own that is read here is longer than a path, and no settings are a book. */
const longest = 1024 * 1024;

/** Plain files only: a pipe would be waited for in vain. */
function textAt(place: string): string | undefined {
  try {
    const stat = lstatSync(place, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= longest ? readFileSync(place, "utf8") : undefined;
  } catch {
    // What cannot be read says nothing.
    return undefined;
  }
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync.native(one) === realpathSync.native(other);
  } catch {
    return false;
  }
}
