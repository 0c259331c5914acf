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
import { type DirectoryHandle, openHandle } from "./directory-handle.ts";
import { invalid } from "./failure.ts";
import { isAbandoned } from "./temporary-name.ts";

/**
 * An open directory. Every operation takes a name in it, and acts in this very directory even
 * when somebody replaces it, or a folder above it, by a link to another place meanwhile. No
 * operation follows a link.
 */
export interface SafeDirectory {
  /** Where it was when it was opened, links resolved. */
  readonly path: string;
  /** Refuses where the directory is not at its path any more. */
  verify(): void;
  entries(): Dirent[];
  /** Of the entry itself, also where it is a link; undefined where there is none. */
  stat(name: string): Stats | undefined;
  /** Opens a folder in it, which must not be a link. */
  enter(name: string): SafeDirectory;
  makeFolder(name: string, mode?: number): void;
  /** Makes a file that is not there yet, with this content. On failure, nothing remains. */
  write(name: string, content: string | Uint8Array, mode?: number): void;
  /** Makes a file that is not there yet, to be written piece by piece. */
  stream(name: string, mode?: number): WriteStream;
  /** Copies a file of ours to a name that is not there yet. */
  copyFrom(path: string, name: string): void;
  /** Gives a file of this directory another name, in place of what has that name. */
  rename(from: string, to: string): void;
  /** Gives a file a name that must not be there yet: `EEXIST` where it is taken. */
  putNew(from: string, to: string): void;
  /** Removes a file or a link, if it is there. */
  remove(name: string): void;
  /** Removes an empty folder. */
  removeFolder(name: string): void;
  /** Removes whatever has this name, a folder with all that is in it. */
  removeTree(name: string): void;
  /** Removes what killed processes left unfinished. */
  removeAbandoned(): void;
  /** Makes names durable that were given in it. */
  sync(): void;
  close(): void;
}

/** Opens the directory at a real path; refuses where a link leads there, or it is gone. */
export const openDirectory = (path: string): SafeDirectory => safe(openHandle(path));

/** Closes the directory when the work is done, however it ends. */
export function inDirectory<Result>(
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

function safe(handle: DirectoryHandle): SafeDirectory {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

  /** Without a descriptor, `undo` takes back what landed elsewhere because of a swap. */
  function operate<Result>(
    name: string,
    work: (place: string) => Result,
    undo: (place: string, result: Result) => void = () => {},
  ): Result {
    refuseForeignName(name);
    const place = handle.at(name);
    const result = work(place);
    if (!handle.isFixed && !handle.isInPlace()) {
      ignoringFailure(() => undo(place, result));
      handle.verify();
    }
    return result;
  }

  const create = (name: string, mode: number): number =>
    operate(
      name,
      (place) => openSync(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
      (place, fd) => {
        const isOurs = lstatSync(place).ino === fstatSync(fd).ino;
        closeSync(fd);
        if (isOurs) unlinkSync(place);
      },
    );

  const directory: SafeDirectory = {
    path: handle.path,
    verify: handle.verify,
    entries: () => handle.list((place) => readdirSync(place, { withFileTypes: true })),
    stat: (name) => operate(name, (place) => lstatSync(place, { throwIfNoEntry: false })),
    enter: (name) => operate(name, () => safe(handle.enter(name))),
    makeFolder(name, mode = 0o777) {
      operate(
        name,
        (place) => mkdirSync(place, { mode }),
        (place) => rmdirSync(place),
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
    copyFrom(path, name) {
      operate(
        name,
        (place) => copyFileSync(path, place, constants.COPYFILE_EXCL),
        (place) => unlinkSync(place),
      );
    },
    rename(from, to) {
      operate(
        from,
        (place) => renameSync(place, handle.at(to)),
        (place) => renameSync(join(handle.path, to), place),
      );
    },
    putNew(from, to) {
      operate(
        to,
        (place) => {
          try {
            linkSync(handle.at(from), place);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
            // Some file systems know no links.
            copyFileSync(handle.at(from), place, constants.COPYFILE_EXCL);
          }
        },
        (place) => unlinkSync(place),
      );
    },
    remove: (name) => operate(name, (place) => ifPresent(() => unlinkSync(place))),
    removeFolder: (name) => operate(name, (place) => rmdirSync(place)),
    removeTree(name) {
      const found = directory.stat(name);
      if (!found?.isDirectory()) return directory.remove(name);
      inDirectory(safe(handle.enter(name, { unverified: true })), (inner) => {
        for (const entry of inner.entries()) inner.removeTree(entry.name);
      });
      directory.removeFolder(name);
    },
    removeAbandoned() {
      for (const entry of directory.entries()) {
        if (!isAbandoned(entry.name)) continue;
        // Another process may be removing it, and what cannot be removed harms nobody.
        ignoringFailure(() => directory.removeTree(entry.name));
      }
    },
    sync: handle.sync,
    close: handle.close,
  };
  return directory;
}

/** A name that is a path would lead out of the directory. */
function refuseForeignName(name: string): void {
  if (name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name)) {
    if (process.platform !== "win32" || !/[\\:]/.test(name)) return;
  }
  throw invalid("Invalid path: it must end in the name of a file or a folder.");
}

function ifPresent(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function ignoringFailure(work: () => void): void {
  try {
    work();
  } catch {
    // The caller goes on, or has a better failure to tell.
  }
}
