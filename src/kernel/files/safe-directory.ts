import {
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  type Dirent,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  type WriteStream,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { invalid } from "../failure.ts";
import { type DirectoryHandle, openDirectoryHandle } from "./directory-handle.ts";
import { isAbandoned } from "./temporary-name.ts";

/**
 * An open directory. Every operation takes the name of an entry and acts in this directory, even if
 * the directory or one of its parents is replaced by a link in the meantime. No operation follows
 * links.
 */
export interface SafeDirectory {
  /** Its real path when it was opened. */
  readonly path: string;
  /** Throws if the directory is no longer at its path. */
  verify(): void;
  /** Sorted by name, so that walks of equal folders are equal. */
  entries(): Dirent[];
  /** Stat of the entry itself, even if it is a link; undefined if it does not exist. */
  stat(name: string): Stats | undefined;
  /** Opens a folder in it, which must not be a link. */
  openFolder(name: string): SafeDirectory;
  makeFolder(name: string, mode?: number): void;
  /** Creates a new file with this content. Leaves nothing behind on failure. */
  write(name: string, content: string | Uint8Array, mode?: number): void;
  /** Creates a new file as a stream. */
  stream(name: string, mode?: number): WriteStream;
  /** Copies one of Lectern's own files to a new name. */
  copyFrom(source: string, name: string): void;
  /** Renames a file of this directory and replaces the target. */
  rename(from: string, to: string): void;
  /** Renames a file to a new name; fails with `EEXIST` if the name exists. */
  moveToNew(from: string, to: string): void;
  /** Removes a file or a link; does nothing if it does not exist. */
  remove(name: string): void;
  /** Removes an empty folder. */
  removeFolder(name: string): void;
  /** Removes an entry recursively. */
  removeTree(name: string): void;
  /** Removes the temporary files of killed processes. */
  removeStaleTemporaries(): void;
  /** Makes created and renamed entries durable. */
  sync(): void;
  close(): void;
}

/** Opens the directory at a real path; throws if it is missing or the path contains a link. */
export const openDirectory = (path: string): SafeDirectory => wrapHandle(openDirectoryHandle(path));

/** Runs the work and closes the directory, also after a failure. */
export function withDirectory<Result>(
  directory: SafeDirectory,
  work: (directory: SafeDirectory) => Result,
): Result {
  let result: Result;
  try {
    result = work(directory);
  } catch (error) {
    directory.close();
    throw error;
  }
  if (result instanceof Promise) return result.finally(() => directory.close()) as Result;
  directory.close();
  return result;
}

function wrapHandle(handle: DirectoryHandle): SafeDirectory {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

  /** Without a descriptor, `undo` reverts an operation that took effect in another directory. */
  function operate<Result>(
    name: string,
    work: (path: string) => Result,
    undo: (path: string, result: Result) => void = () => {},
  ): Result {
    assertPlainName(name);
    const path = handle.pathOf(name);
    const result = handle.translateErrors(() => work(path));
    if (!handle.isDescriptorBased && !handle.isInPlace()) {
      ignoreErrors(() => undo(path, result));
      handle.verify();
    }
    return result;
  }

  const create = (name: string, mode: number): number =>
    operate(
      name,
      (path) => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
      (path, fd) => {
        const isOwn = lstatSync(path).ino === fstatSync(fd).ino;
        closeSync(fd);
        if (isOwn) unlinkSync(path);
      },
    );

  const directory: SafeDirectory = {
    path: handle.path,
    verify: handle.verify,
    entries: () =>
      handle.withPath((path) => readdirSync(path, { withFileTypes: true }).sort(byName)),
    stat: (name) => operate(name, (path) => lstatSync(path, { throwIfNoEntry: false })),
    openFolder: (name) => operate(name, () => wrapHandle(handle.openChild(name))),
    makeFolder(name, mode = 0o777) {
      operate(
        name,
        (path) => mkdirSync(path, { mode }),
        (path) => rmdirSync(path),
      );
    },
    write(name, content, mode = 0o666) {
      const fd = create(name, mode);
      try {
        try {
          writeFileSync(fd, content);
          fsyncSync(fd);
        } finally {
          closeSync(fd);
        }
      } catch (error) {
        directory.remove(name);
        throw error;
      }
    },
    stream: (name, mode = 0o666) => createWriteStream("", { fd: create(name, mode), flush: true }),
    copyFrom(source, name) {
      operate(
        name,
        (path) => copyFileSync(source, path, constants.COPYFILE_EXCL),
        (path) => unlinkSync(path),
      );
    },
    rename(from, to) {
      operate(
        from,
        (path) => renameSync(path, handle.pathOf(to)),
        (path) => renameSync(join(handle.path, to), path),
      );
    },
    moveToNew(from, to) {
      operate(
        to,
        (path) => {
          try {
            linkSync(handle.pathOf(from), path);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
            // Some file systems do not support links.
            copyFileSync(handle.pathOf(from), path, constants.COPYFILE_EXCL);
          }
        },
        (path) => unlinkSync(path),
      );
    },
    remove: (name) => operate(name, (path) => ignoreMissing(() => unlinkSync(path))),
    removeFolder: (name) => operate(name, (path) => rmdirSync(path)),
    removeTree(name) {
      const stats = directory.stat(name);
      if (!stats?.isDirectory()) return directory.remove(name);
      withDirectory(wrapHandle(handle.openChild(name, { unverified: true })), (inner) => {
        for (const entry of inner.entries()) inner.removeTree(entry.name);
      });
      directory.removeFolder(name);
    },
    removeStaleTemporaries() {
      for (const entry of directory.entries()) {
        if (!isAbandoned(entry.name)) continue;
        // Another process may be removing it; a leftover file is harmless.
        ignoreErrors(() => directory.removeTree(entry.name));
      }
    },
    sync: handle.sync,
    close: handle.close,
  };
  return directory;
}

/** A name with a separator would lead out of the directory. */
function assertPlainName(name: string): void {
  if (name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name)) {
    if (process.platform !== "win32" || !/[\\:]/.test(name)) return;
  }
  throw invalid("Invalid path: it must end in the name of a file or a folder.");
}

function ignoreMissing(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The caller continues, or throws a better error.
  }
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);
