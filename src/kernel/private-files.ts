import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import type { Database } from "./database.ts";
import { authored } from "./tables.ts";

/**
 * The files of sources that a person has marked private, of every project: texts, media, and files
 * that a source links to outside its project. The shelf of projects keeps the list; the boundary
 * consults it, and never needs to read a project.
 */
export interface PrivateFiles {
  /** Whether this is one of them, under its own name or as a second name of the same file. */
  has(path: string): boolean;
  /** The same check for many files at one moment. */
  lookup(): (path: string) => boolean;
  /** Another value after each change of the list, in whatever process. */
  version(): string;
  /** Those below a folder, relative to it with forward slashes. */
  below(folder: string): string[];
  /** Replaces the list of one project, and gives the paths that were added or removed. */
  replace(project: string, paths: readonly string[]): string[];
}

export const privateFileTables = authored([
  `CREATE TABLE private_files (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     project TEXT NOT NULL,
     path TEXT NOT NULL,
     inode TEXT,
     born TEXT,
     UNIQUE (project, path)
   );
   CREATE INDEX private_files_path ON private_files (path);
   CREATE INDEX private_files_inode ON private_files (inode);`,
]);

interface Row {
  path: string;
  inode: string | null;
  born: string | null;
}

export function openPrivateFiles(db: Database): PrivateFiles {
  const isAny = (): boolean => db.get("SELECT 1 FROM private_files LIMIT 1") !== undefined;
  // Nearly always there are none, and then no file is looked at.
  const lookup = () => (isAny() ? isListed : () => false);
  return {
    has: (path) => lookup()(path),
    lookup,
    version() {
      const { count, last } = db.get<{ count: number; last: number }>(
        "SELECT count(*) AS count, ifnull(max(id), 0) AS last FROM private_files",
      ) ?? { count: 0, last: 0 };
      return `${count}:${last}`;
    },
    below(folder) {
      const start = folder.endsWith(sep) ? folder : folder + sep;
      return db
        .all<{ path: string }>(
          "SELECT path FROM private_files WHERE substr(path, 1, length(?1)) = ?1",
          start,
        )
        .map(({ path }) => path.slice(start.length).split(sep).join("/"));
    },
    // Opening a project that has not changed takes no lock.
    replace: (project, paths) =>
      isKnown(project, paths) ? [] : db.transaction(() => replaced(project, paths)),
  };

  function isListed(path: string): boolean {
    if (db.get("SELECT 1 FROM private_files WHERE path = ?", realOf(path))) return true;
    const found = identityOf(path);
    if (!found) return false;
    return db
      .all<Row>("SELECT path, inode, born FROM private_files WHERE inode = ?", found.inode)
      .some((row) => row.born === found.born || identityOf(row.path)?.inode === found.inode);
  }

  function isKnown(project: string, paths: readonly string[]): boolean {
    const known = new Map(rowsOf(project).map((row) => [row.path, row]));
    const wanted = new Set(paths.map(realOf));
    const isSame = (path: string): boolean => {
      const [before, now] = [known.get(path), identityOf(path)];
      return (
        before !== undefined &&
        before.inode === (now?.inode ?? null) &&
        before.born === (now?.born ?? null)
      );
    };
    return known.size === wanted.size && [...wanted].every(isSame);
  }

  function rowsOf(project: string): Row[] {
    return db.all<Row>("SELECT path, inode, born FROM private_files WHERE project = ?", project);
  }

  function replaced(project: string, paths: readonly string[]): string[] {
    const known = new Map(rowsOf(project).map((row) => [row.path, row]));
    const wanted = new Set(paths.map(realOf));
    const changed: string[] = [];
    for (const path of known.keys()) {
      if (wanted.has(path)) continue;
      db.run("DELETE FROM private_files WHERE project = ? AND path = ?", project, path);
      changed.push(path);
    }
    for (const path of wanted) {
      const { inode = null, born = null } = identityOf(path) ?? {};
      const before = known.get(path);
      if (before && before.inode === inode && before.born === born) continue;
      db.run(
        "INSERT OR REPLACE INTO private_files (project, path, inode, born) VALUES (?, ?, ?, ?)",
        project,
        path,
        inode,
        born,
      );
      changed.push(path);
    }
    return changed;
  }
}

/** The real path, or the given one where nothing is there yet. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * A file by its number, which all of its hard links share, and its birth, which tells it from a
 * later file that was given the number again.
 */
function identityOf(path: string): { inode: string; born: string } | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile()
      ? { inode: `${stat.dev}:${stat.ino}`, born: String(stat.birthtimeNs) }
      : undefined;
  } catch {
    return undefined;
  }
}
