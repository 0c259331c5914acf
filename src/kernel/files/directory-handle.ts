import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { join } from "node:path";
import { Failure, noPermission, notFound } from "../failure.ts";

/** An open directory. */
export interface DirectoryHandle {
  readonly path: string;
  /** Whether `pathOf` still refers to this directory after the directory was moved. */
  readonly isDescriptorBased: boolean;
  /** A path for one immediate operation on a name in the directory. */
  pathOf(name: string): string;
  withPath<Result>(work: (path: string) => Result): Result;
  /**
   * Runs an operation that opens, creates, renames or removes something in the directory. If it
   * fails because the directory itself is gone, it throws `moved`; any other failure keeps the
   * system's code, such as `EEXIST` for a name that exists.
   */
  translateErrors<Result>(work: () => Result): Result;
  isInPlace(): boolean;
  verify(): void;
  /** `unverified` is for cleanup, which must also work in a folder that was moved. */
  openChild(name: string, options?: { unverified: boolean }): DirectoryHandle;
  sync(): void;
  close(): void;
}

/** Opens the directory at a real path; fails if the path contains a link. */
export function openDirectoryHandle(path: string): DirectoryHandle {
  return process.platform === "linux" ? openByDescriptor(path, path) : openByIdentity(path);
}

/**
 * `/proc/self/fd/7/name` works like openat(2): it is the name in the directory that descriptor 7
 * refers to. The target of `/proc/self/fd/7` is the current path of that directory, so a swapped
 * path is always detected.
 */
function openByDescriptor(openPath: string, path: string, isVerified = true): DirectoryHandle {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const fd = openOrThrow(() => openSync(openPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  const descriptor = `/proc/self/fd/${fd}`;
  const handle: DirectoryHandle = {
    path,
    isDescriptorBased: true,
    pathOf: (name) => `${descriptor}/${name}`,
    withPath: (work) => handle.translateErrors(() => work(descriptor)),
    translateErrors: (work) => translatingErrors(handle, work),
    isInPlace: () => descriptorPath(descriptor) === path,
    verify() {
      if (!handle.isInPlace()) throw folderMoved();
    },
    openChild: (name, { unverified } = { unverified: false }) =>
      openByDescriptor(handle.pathOf(name), join(path, name), !unverified),
    sync: () => fsyncSync(fd),
    close: () => closeSync(fd),
  };
  const actualPath = descriptorPath(descriptor);
  if (actualPath === path || (!isVerified && actualPath !== undefined)) return handle;
  closeSync(fd);
  // There is no /proc, as in a bare chroot.
  if (actualPath === undefined) return openByIdentity(path);
  throw folderMoved();
}

function descriptorPath(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor);
  } catch {
    return undefined;
  }
}

/**
 * Other systems have no such path. There, a TOCTOU check before and after each operation verifies
 * that the path contains no links and still has the same device and inode; an operation that took
 * effect in another directory is undone. A swap that is reversed during one operation is not
 * detected, so this narrows the race but does not eliminate it.
 */
function openByIdentity(path: string): DirectoryHandle {
  const initialIdentity = directoryIdentity(path);
  const handle: DirectoryHandle = {
    path,
    isDescriptorBased: false,
    pathOf(name) {
      handle.verify();
      return join(path, name);
    },
    withPath(work) {
      handle.verify();
      const result = handle.translateErrors(() => work(path));
      handle.verify();
      return result;
    },
    translateErrors: (work) => translatingErrors(handle, work),
    isInPlace: () => initialIdentity !== undefined && directoryIdentity(path) === initialIdentity,
    verify() {
      if (!handle.isInPlace()) throw folderMoved();
    },
    openChild: (name) => openByIdentity(join(path, name)),
    // Windows neither needs nor allows syncing a directory.
    sync() {
      if (process.platform === "win32") return;
      const fd = openSync(path, "r");
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
    close: () => {},
  };
  handle.verify();
  return handle;
}

function directoryIdentity(path: string): string | undefined {
  return openOrThrow(() => {
    if (realpathSync.native(path) !== path) return undefined;
    const stat = lstatSync(path, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
  });
}

/**
 * Error codes for a name in a directory that was removed, or replaced by a file or a link, since it
 * was opened. A removed directory rejects new names; a network file system reports a stale handle.
 */
const missingCodes = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE"]);

function translatingErrors<Result>(
  handle: Pick<DirectoryHandle, "isInPlace">,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw missingCodes.has(code) && !isStillThere(handle) ? folderMoved(error) : error;
  }
}

function isStillThere({ isInPlace }: Pick<DirectoryHandle, "isInPlace">): boolean {
  try {
    return isInPlace();
  } catch {
    return false;
  }
}

function openOrThrow<Result>(open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw notFound("The folder no longer exists.");
    if (missingCodes.has(code)) throw folderMoved(error);
    if (code === "EACCES" || code === "EPERM") throw noPermission("The folder cannot be opened.");
    throw error;
  }
}

const folderMoved = (cause?: unknown): Failure =>
  new Failure("conflict", "moved", "The folder was moved or replaced meanwhile.", {
    hints: ["Nothing was written. Try again when no folder is being moved."],
    cause,
  });
