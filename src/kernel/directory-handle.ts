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
import { Failure, noPermission, notFound } from "./failure.ts";

/** What a directory is held by while something is done in it. */
export interface DirectoryHandle {
  readonly path: string;
  /** True where `at` leads into this directory whatever happens to its path. */
  readonly isFixed: boolean;
  /** A path for one operation on a name in the directory, right now. */
  at(name: string): string;
  list<Result>(look: (place: string) => Result): Result;
  isInPlace(): boolean;
  verify(): void;
  /** `unverified` is for clearing up, which has to reach a folder that was moved too. */
  enter(name: string, how?: { unverified: boolean }): DirectoryHandle;
  sync(): void;
  close(): void;
}

/** Opens the directory that is at a real path itself; none that is reached by a link. */
export function openHandle(path: string): DirectoryHandle {
  return process.platform === "linux" ? openByDescriptor(path, path) : openByIdentity(path);
}

/**
 * `/proc/self/fd/7/name` is what openat(2) is for: the name in the directory that is open as 7. And
 * the system tells by the descriptor where that directory is, which no swap of a path makes untrue.
 */
function openByDescriptor(place: string, path: string, isVerified = true): DirectoryHandle {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const fd = opened(() => openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  const own = `/proc/self/fd/${fd}`;
  const handle: DirectoryHandle = {
    path,
    isFixed: true,
    at: (name) => `${own}/${name}`,
    list: (look) => look(own),
    isInPlace: () => placeOf(own) === path,
    verify() {
      if (!handle.isInPlace()) throw moved();
    },
    enter: (name, { unverified } = { unverified: false }) =>
      openByDescriptor(handle.at(name), join(path, name), !unverified),
    sync: () => fsyncSync(fd),
    close: () => closeSync(fd),
  };
  const where = placeOf(own);
  if (where === path || (!isVerified && where !== undefined)) return handle;
  closeSync(fd);
  // Without /proc, as in a bare chroot, there is no such name.
  if (where === undefined) return openByIdentity(path);
  throw moved();
}

function placeOf(own: string): string | undefined {
  try {
    return readlinkSync(own);
  } catch {
    return undefined;
  }
}

/**
 * Other systems have no name for what is in an open directory. There it is compared, before and
 * after each operation, whether the path still leads to the same device and inode by no link; an
 * operation that landed elsewhere is undone. A swap there and back within one operation is not
 * seen, so this narrows the window and does not close it.
 */
function openByIdentity(path: string): DirectoryHandle {
  const first = identityOf(path);
  const handle: DirectoryHandle = {
    path,
    isFixed: false,
    at(name) {
      handle.verify();
      return join(path, name);
    },
    list(look) {
      handle.verify();
      const result = look(path);
      handle.verify();
      return result;
    },
    isInPlace: () => first !== undefined && identityOf(path) === first,
    verify() {
      if (!handle.isInPlace()) throw moved();
    },
    enter: (name) => openByIdentity(join(path, name)),
    // Windows neither needs nor allows it.
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

function identityOf(path: string): string | undefined {
  return opened(() => {
    if (realpathSync.native(path) !== path) return undefined;
    const stat = lstatSync(path, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
  });
}

function opened<Result>(open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw notFound("The folder is not there any more.");
    if (code === "ENOTDIR" || code === "ELOOP") throw moved();
    if (code === "EACCES" || code === "EPERM") throw noPermission("The folder cannot be opened.");
    throw error;
  }
}

const moved = (): Failure =>
  new Failure("conflict", "moved", "The folder was moved or replaced meanwhile.", {
    hints: ["Nothing was written. Try again when nobody moves folders."],
  });
