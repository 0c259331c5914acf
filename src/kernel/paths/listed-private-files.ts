import { sep } from "node:path";
import type { HomeSnapshot } from "../postgres/home-snapshot.ts";
import { notInPostgres } from "../postgres/not-in-postgres.ts";
import {
  inodeIdentity,
  type PrivateFileRow,
  type PrivateFiles,
  realPathOrGiven,
} from "./private-files.ts";

interface PrivateFileIndex {
  version: string;
  paths: ReadonlySet<string>;
  byInode: ReadonlyMap<string, readonly PrivateFileRow[]>;
}

/** The private files of a home on PostgreSQL, as of the last refresh of the snapshot. */
export function openListedPrivateFiles(snapshot: HomeSnapshot): PrivateFiles {
  let index: PrivateFileIndex | undefined;

  function currentIndex(): PrivateFileIndex {
    const { privateFilesVersion: version, privateFiles: rows } = snapshot;
    if (index?.version === version) return index;
    const byInode = new Map<string, PrivateFileRow[]>();
    for (const row of rows) {
      if (row.inode === null) continue;
      byInode.set(row.inode, [...(byInode.get(row.inode) ?? []), row]);
    }
    index = { version, paths: new Set(rows.map(({ path }) => path)), byInode };
    return index;
  }

  function isListed(path: string): boolean {
    const { paths, byInode } = currentIndex();
    if (paths.has(realPathOrGiven(path))) return true;
    const found = inodeIdentity(path);
    if (!found) return false;
    return (byInode.get(found.inode) ?? []).some(
      (row) => row.born === found.born || inodeIdentity(row.path)?.inode === found.inode,
    );
  }

  const snapshotCheck = () => (snapshot.privateFiles.length > 0 ? isListed : () => false);
  return {
    has: (path) => snapshotCheck()(path),
    snapshotCheck,
    version: () => snapshot.privateFilesVersion,
    pathsBelow(folder) {
      const start = folder.endsWith(sep) ? folder : folder + sep;
      return snapshot.privateFiles.flatMap(({ path }) =>
        path.startsWith(start) ? [path.slice(start.length).split(sep).join("/")] : [],
      );
    },
    byProject() {
      const files = new Map<string, string[]>();
      for (const { project, path } of snapshot.privateFiles) {
        files.set(project, [...(files.get(project) ?? []), path]);
      }
      return files;
    },
    replace() {
      throw notInPostgres("Marking sources of a project as private");
    },
  };
}
