import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Boundary } from "./boundary.ts";

/** A folder under version control, and where its history is kept. */
export interface GitPlace {
  /** The top folder of the files that are checked out. */
  workTree: string;
  /** What belongs to this checkout alone: `HEAD` and the index. */
  gitDir: string;
  /** What all checkouts of the repository share: objects, references and settings. */
  commonDir: string;
}

/** What in a repository leads out of it, by its path from the folder that holds `.git`. */
interface Refused {
  refused: string;
}

/** The repository that a folder lies in; nothing where it lies in none that may be looked at. */
export function gitPlaceOf(
  folder: string,
  { holds }: Pick<Boundary, "holds">,
): GitPlace | Refused | undefined {
  const start = realPath(folder);
  for (let place = start; place !== undefined && holds(place); place = parentOf(place)) {
    const found = statAt(join(place, ".git"));
    if (!found) continue;
    const own = found.isDirectory() ? plainPlace(place) : linkedPlace(place);
    if (!own || !holds(own.gitDir) || !holds(own.commonDir)) return { refused: ".git" };
    const leading = wayOutOf(own);
    return leading === undefined ? own : { refused: `.git/${leading}` };
  }
  return undefined;
}

function plainPlace(workTree: string): GitPlace | undefined {
  const gitDir = join(workTree, ".git");
  const isShared = statAt(join(gitDir, "commondir")) !== undefined;
  return isShared ? undefined : { workTree, gitDir, commonDir: gitDir };
}

/**
 * A file `.git` says that the history lies elsewhere, and a stranger's may name somebody else's. So
 * an address is believed only where what lies there names this folder in return, as the
 * repositories of worktrees and submodules do.
 */
function linkedPlace(workTree: string): GitPlace | undefined {
  const file = join(workTree, ".git");
  const [, address] = /^gitdir:\s*(.+)/.exec(textAt(file) ?? "") ?? [];
  if (address === undefined) return undefined;
  const gitDir = resolve(workTree, address.trim());
  const shared = textAt(join(gitDir, "commondir"));
  if (shared === undefined) {
    const settings = textAt(join(gitDir, "config")) ?? "";
    const [, back] = /^\s*worktree\s*=\s*(.+)$/m.exec(settings) ?? [];
    const isOwn = back !== undefined && isSame(resolve(gitDir, back.trim()), workTree);
    return isOwn ? { workTree, gitDir, commonDir: gitDir } : undefined;
  }
  const commonDir = dirname(dirname(gitDir));
  const back = textAt(join(gitDir, "gitdir"))?.trim();
  const isOwn =
    resolve(gitDir, shared.trim()) === commonDir &&
    back !== undefined &&
    isSame(resolve(gitDir, back), file);
  return isOwn ? { workTree, gitDir, commonDir } : undefined;
}

/** The first part of a repository that is not inside it: git would read and write through it. */
function wayOutOf({ gitDir, commonDir }: GitPlace): string | undefined {
  const alternates = "objects/info/alternates";
  if (statAt(join(commonDir, alternates))) return alternates;
  const own = [gitDir, commonDir].flatMap((place) => entriesOf(place));
  const link = own.find((entry) => entry.isSymbolicLink() && used.has(entry.name))?.name;
  return (
    link ??
    linkBelow(commonDir, "objects", 1) ??
    linkBelow(commonDir, "refs", Number.POSITIVE_INFINITY)
  );
}

/** The entries of a git directory that are used here. */
const used = new Set([
  ...["HEAD", "config", "config.worktree", "index", "info", "lfs", "objects", "packed-refs"],
  ...["refs", "shallow"],
]);

function linkBelow(top: string, path: string, depth: number): string | undefined {
  for (const entry of entriesOf(join(top, path))) {
    const inner = `${path}/${entry.name}`;
    if (entry.isSymbolicLink()) return inner;
    const link = entry.isDirectory() && depth > 0 ? linkBelow(top, inner, depth - 1) : undefined;
    if (link !== undefined) return link;
  }
  return undefined;
}

function entriesOf(place: string): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What lies at a place, links not followed; a place that cannot be looked at has nothing. */
export function statAt(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** No file of git's own that is read here is longer. */
const maxBytes = 1024 * 1024;

/** The text of a plain file: a pipe would be waited for in vain, and a link may lead anywhere. */
export function textAt(place: string): string | undefined {
  try {
    const stat = statAt(place);
    return stat?.isFile() && stat.size <= maxBytes ? readFileSync(place, "utf8") : undefined;
  } catch {
    // What cannot be read says nothing.
    return undefined;
  }
}

export function isSame(one: string, other: string): boolean {
  const real = realPath(one);
  return real !== undefined && real === realPath(other);
}

function realPath(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch {
    return undefined;
  }
}

const parentOf = (place: string): string | undefined =>
  dirname(place) === place ? undefined : dirname(place);
