import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { Failure, noPermission, notFound } from "../failure.ts";
import { unreachableFile } from "./read-errors.ts";

export interface OpenPolicy extends FileRequirements {
  /** Checks a real path. */
  isInside: (real: string) => boolean;
}

export interface FileRequirements {
  /** The name of the file in error messages. */
  displayName: string;
  maxBytes: number;
  /** Rejects a file with a second hard link, which could be outside the root. */
  rejectHardLinks: boolean;
}

/**
 * If the system does not report the path of an open file, its device and inode are compared with
 * those of the path. A folder could be swapped between these steps, so the check is repeated: an
 * attacker would have to win every race.
 */
const maxIdentityChecks = 8;

/**
 * Opens the file first and then checks it by its descriptor, which is independent of
 * later changes of the path (TOCTOU check). A file that is replaced in between, as by an editor that saves it, is
 * opened again.
 */
export function readVerified(path: string, policy: OpenPolicy): Buffer {
  const { fd, opened } = openVerified(path, policy);
  try {
    return readOpenFile(fd, opened, policy);
  } finally {
    closeSync(fd);
  }
}

/** A file that was opened and then checked. The caller must close it. */
export function openVerified(
  path: string,
  policy: OpenPolicy,
): { fd: number; opened: Stats | BigIntStats } {
  for (let attempt = 0; attempt < 5; attempt++) {
    const file = tryOpenVerified(path, policy);
    if (file) return file;
  }
  const { displayName } = policy;
  throw new Failure("unavailable", "changed", `'${displayName}' keeps changing while it is read.`, {
    hints: ["Try again when no program is writing to it."],
  });
}

/**
 * The fast path for nearly all files: if the system reports exactly the requested path for the open
 * file, no link was followed. Undefined if it does not.
 */
export function readUnlinkedFile(path: string, requirements: FileRequirements): Buffer | undefined {
  if (process.platform !== "linux" || !isRegularFile(path)) return undefined;
  const fd = openNonBlocking(path, requirements.displayName);
  if (fd === undefined) return undefined;
  try {
    return pathOfDescriptor(fd) === path
      ? readOpenFile(fd, fstatSync(fd), requirements)
      : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Opening a device may have side effects. */
function isRegularFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function tryOpenVerified(
  path: string,
  policy: OpenPolicy,
): { fd: number; opened: BigIntStats } | undefined {
  const { isInside, displayName } = policy;
  const real = resolveInside(path, policy);
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return undefined;
  if (!found.isFile()) throw notAFile(displayName);
  const fd = openNonBlocking(real, displayName);
  if (fd === undefined) return undefined;
  let isAccepted = false;
  try {
    const opened = fstatSync(fd, { bigint: true });
    const name = pathOfDescriptor(fd);
    if (name !== undefined && !isInside(name)) throw outsideFolder(displayName);
    for (let round = name === undefined ? maxIdentityChecks : 1; round > 0; round--) {
      const now = statSync(resolveInside(path, policy), { bigint: true, throwIfNoEntry: false });
      if (now?.dev !== opened.dev || now.ino !== opened.ino) return undefined;
    }
    assertAcceptable(opened, policy);
    isAccepted = true;
    return { fd, opened };
  } finally {
    if (!isAccepted) closeSync(fd);
  }
}

function readOpenFile(
  fd: number,
  opened: Stats | BigIntStats,
  requirements: FileRequirements,
): Buffer {
  assertAcceptable(opened, requirements);
  const bytes = readAllBytes(fd, Number(opened.size), requirements);
  if (bytes) return bytes;
  throw tooLarge(requirements);
}

function assertAcceptable(opened: Stats | BigIntStats, requirements: FileRequirements): void {
  const { displayName, maxBytes, rejectHardLinks } = requirements;
  if (!opened.isFile()) throw notAFile(displayName);
  if (rejectHardLinks && opened.nlink > 1) throw hasHardLink(displayName);
  if (opened.size > maxBytes) throw tooLarge(requirements);
}

function resolveInside(path: string, { isInside, displayName }: OpenPolicy): string {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw unreachableFile(displayName, code) ?? notFound(`Not found: '${displayName}'.`);
  }
  if (!isInside(real)) throw outsideFolder(displayName);
  return real;
}

/** Does not block on a named pipe, and does not follow a link at the end of the path. */
function openNonBlocking(real: string, displayName: string): number | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  try {
    return openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw noPermission(`'${displayName}' cannot be read (${code}).`);
  }
}

/** The current path of an open file. Linux reports it by descriptor. */
function pathOfDescriptor(fd: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** On a failing disk, or for some virtual files, opening succeeds but reading fails. */
function readAllBytes(
  fd: number,
  expected: number,
  { displayName, maxBytes }: FileRequirements,
): Buffer | undefined {
  try {
    return readUpTo(fd, expected, maxBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure("unavailable", "unreadable", `'${displayName}' cannot be read (${code}).`, {
      hints: ["Check the disk."],
      cause: error,
    });
  }
}

/** The whole file; undefined if it has grown beyond the limit while it was read. */
function readUpTo(fd: number, expected: number, maxBytes: number): Buffer | undefined {
  // Requests one byte more than the size, so that the first read usually detects the end of file.
  const buffer = Buffer.allocUnsafe(expected + 1);
  const first = readSync(fd, buffer, 0, expected + 1, null);
  if (first === expected) return buffer.subarray(0, first);
  const chunks = [buffer.subarray(0, first)];
  for (let total = first; total <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(65_536);
    const length = readSync(fd, chunk, 0, chunk.length, null);
    if (length === 0) return Buffer.concat(chunks, total);
    total += length;
    chunks.push(chunk.subarray(0, length));
  }
  return undefined;
}

const outsideFolder = (displayName: string): Failure =>
  new Failure("forbidden", "out-of-root", `'${displayName}' is a link out of its folder.`);

const tooLarge = ({ displayName, maxBytes }: FileRequirements): Failure =>
  new Failure("too-large", "too-large", `'${displayName}' is larger than ${maxBytes} bytes.`);

const notAFile = (displayName: string): Failure =>
  new Failure("invalid", "not-a-file", `'${displayName}' is not a regular file.`);

const hasHardLink = (displayName: string): Failure =>
  new Failure(
    "forbidden",
    "out-of-root",
    `'${displayName}' has a second hard link, which could be outside the root.`,
    {
      hints: ["Under --force-root, files with several hard links are rejected. Use a copy."],
    },
  );
