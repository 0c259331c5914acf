import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { lostRows, restoreChecksummed, runChecksummed } from "../integrity/checksummed-rows.ts";
import type { Database } from "../storage/database.ts";
import { authoredTables } from "../storage/migrations.ts";
import { runSteps } from "../storage/sqlite-store.ts";

/**
 * The files of sources that a person has marked private, in all projects: texts, media, and linked
 * files outside the project. The qualitative shelf maintains the list, so the boundary never needs to
 * read a project.
 */
export interface PrivateFiles {
  /** Whether a file is private, by its path or as a hard link of a private file. */
  has(path: string): boolean;
  /** Creates the same check for many files. */
  snapshotCheck(): (path: string) => boolean;
  /** Changes whenever any process changes the list. */
  version(): string;
  /** The private files below a folder, relative to it, with forward slashes. */
  pathsBelow(folder: string): string[];
  /** The listed files, by project. */
  byProject(): Map<string, string[]>;
  /** Replaces the list of one project. Returns the paths that were added or removed. */
  replace(project: string, paths: readonly string[]): string[];
}

export const privateFileTables = authoredTables(
  [
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
  ],
  [],
  ["private_files"],
);

/** How long the list of damaged rows is cached, in milliseconds. */
const cacheMs = 1_000;

export interface PrivateFileRow {
  project: string;
  path: string;
  inode: string | null;
  born: string | null;
}

export function openPrivateFiles(db: Database): PrivateFiles {
  let lost: PrivateFileRow[] = [];
  let lostUntil = 0;
  const isAny = (): boolean =>
    db.get("SELECT 1 FROM private_files LIMIT 1") !== undefined || damagedRows().length > 0;
  // Usually the list is empty; then no file needs a `stat`.
  const snapshotCheck = () => (isAny() ? isListed : () => false);
  return {
    has: (path) => snapshotCheck()(path),
    snapshotCheck,
    version() {
      const { count, last } = db.get<{ count: number; last: number }>(
        "SELECT count(*) AS count, ifnull(max(id), 0) AS last FROM private_files",
      ) ?? { count: 0, last: 0 };
      return `${count}:${last}`;
    },
    pathsBelow(folder) {
      const start = folder.endsWith(sep) ? folder : folder + sep;
      return db
        .all<{ path: string }>(
          "SELECT path FROM private_files WHERE substr(path, 1, length(?1)) = ?1",
          start,
        )
        .map(({ path }) => path.slice(start.length).split(sep).join("/"));
    },
    byProject() {
      const rows = db.all<{ project: string; path: string }>(
        "SELECT project, path FROM private_files ORDER BY project, path",
      );
      const files = new Map<string, string[]>();
      for (const { project, path } of rows) {
        files.set(project, [...(files.get(project) ?? []), path]);
      }
      return files;
    },
    // An unchanged list needs no write lock.
    replace: (project, paths) =>
      isKnown(project, paths) ? [] : db.transaction(() => replaceRows(project, paths)),
  };

  /** Altered or missing rows count with their original content until they are repaired. */
  function damagedRows(): readonly PrivateFileRow[] {
    const now = performance.now();
    if (now > lostUntil) {
      lost = runSteps(db, lostRows<PrivateFileRow>("private_files"));
      lostUntil = now + cacheMs;
    }
    return lost;
  }

  function isListed(path: string): boolean {
    const real = realPathOrGiven(path);
    if (db.get("SELECT 1 FROM private_files WHERE path = ?", real)) return true;
    if (damagedRows().some((row) => row.path === real)) return true;
    const found = inodeIdentity(path);
    if (!found) return false;
    return db
      .all<PrivateFileRow>(
        "SELECT project, path, inode, born FROM private_files WHERE inode = ?",
        found.inode,
      )
      .concat(damagedRows().filter(({ inode }) => inode === found.inode))
      .some((row) => row.born === found.born || inodeIdentity(row.path)?.inode === found.inode);
  }

  function isKnown(project: string, paths: readonly string[]): boolean {
    const known = new Map(rowsOf(project).map((row) => [row.path, row]));
    const wanted = new Set(paths.map(realPathOrGiven));
    const isSame = (path: string): boolean => {
      const [before, now] = [known.get(path), inodeIdentity(path)];
      return (
        before !== undefined &&
        before.inode === (now?.inode ?? null) &&
        before.born === (now?.born ?? null)
      );
    };
    return known.size === wanted.size && [...wanted].every(isSame);
  }

  function rowsOf(project: string): PrivateFileRow[] {
    return db.all<PrivateFileRow>(
      "SELECT project, path, inode, born FROM private_files WHERE project = ?",
      project,
    );
  }

  function replaceRows(project: string, paths: readonly string[]): string[] {
    runSteps(db, restoreChecksummed("private_files"));
    lostUntil = 0;
    const known = new Map(rowsOf(project).map((row) => [row.path, row]));
    const wanted = new Set(paths.map(realPathOrGiven));
    const changed: string[] = [];
    for (const path of known.keys()) {
      if (wanted.has(path)) continue;
      removeRow(project, path);
      changed.push(path);
    }
    for (const path of wanted) {
      const { inode = null, born = null } = inodeIdentity(path) ?? {};
      const before = known.get(path);
      if (before && before.inode === inode && before.born === born) continue;
      // A changed row gets a new id, so that `version` changes.
      removeRow(project, path);
      const sql = "INSERT INTO private_files (project, path, inode, born) VALUES (?, ?, ?, ?)";
      runSteps(db, runChecksummed("private_files", sql, project, path, inode, born));
      changed.push(path);
    }
    return changed;
  }

  function removeRow(project: string, path: string): void {
    const sql = "DELETE FROM private_files WHERE project = ? AND path = ?";
    runSteps(db, runChecksummed("private_files", sql, project, path));
  }
}

/** The real path, or the given path if it does not exist. */
export function realPathOrGiven(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Identifies a file by its inode, which all of its hard links share, and its birth time, because
 * inodes are reused.
 */
export function inodeIdentity(path: string): { inode: string; born: string } | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile()
      ? { inode: `${stat.dev}:${stat.ino}`, born: String(stat.birthtimeNs) }
      : undefined;
  } catch {
    return undefined;
  }
}
