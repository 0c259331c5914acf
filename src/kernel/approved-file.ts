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
import { Failure, noPermission, notFound } from "./failure.ts";

export interface Approval extends Demand {
  /** Judges a real path, links resolved. */
  isInside: (real: string) => boolean;
}

export interface Demand {
  /** How the file is named in a failure. */
  shown: string;
  maxBytes: number;
  /** Refuses a file with a second hard link, which may lie anywhere. */
  oneNameOnly: boolean;
}

/**
 * Where the system does not tell the place of an opened file, its device and inode are compared
 * with those of its path. Between resolving the path and looking there is a moment in which a
 * folder can be swapped; nobody hits that moment in so many rounds.
 */
const blindRounds = 8;

/**
 * Opens first and judges what was opened: by the descriptor it is the same file whatever happens
 * to its path. A file that is replaced meanwhile, as editors do when they save, is opened anew.
 */
export function readApproved(path: string, approval: Approval): Buffer {
  const { fd, opened } = openApproved(path, approval);
  try {
    return readOpened(fd, opened, approval);
  } finally {
    closeSync(fd);
  }
}

/** A file that was judged after it had been opened; whoever opens it closes it. */
export function openApproved(
  path: string,
  approval: Approval,
): { fd: number; opened: Stats | BigIntStats } {
  for (let attempt = 0; attempt < 5; attempt++) {
    const file = openOnce(path, approval);
    if (file) return file;
  }
  const { shown } = approval;
  throw new Failure("unavailable", "changed", `'${shown}' changes faster than it can be read.`, {
    hints: ["Try again when nobody writes to it."],
  });
}

/**
 * The short way, open to nearly every file: one that the system knows by the very path that was
 * asked for was reached by no link. Nothing where that is not so, or cannot be told.
 */
export function readByItsName(path: string, demand: Demand): Buffer | undefined {
  if (process.platform !== "linux" || !isPlainFile(path)) return undefined;
  const fd = openWithoutWaiting(path, demand.shown);
  if (fd === undefined) return undefined;
  try {
    return nameOfOpened(fd) === path ? readOpened(fd, fstatSync(fd), demand) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** A device may do something when it is merely opened. */
function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function openOnce(
  path: string,
  approval: Approval,
): { fd: number; opened: BigIntStats } | undefined {
  const { isInside, shown } = approval;
  const real = realPathInside(path, approval);
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return undefined;
  if (!found.isFile()) throw notAFile(shown);
  const fd = openWithoutWaiting(real, shown);
  if (fd === undefined) return undefined;
  let isApproved = false;
  try {
    const opened = fstatSync(fd, { bigint: true });
    const name = nameOfOpened(fd);
    if (name !== undefined && !isInside(name)) throw outside(shown);
    for (let round = name === undefined ? blindRounds : 1; round > 0; round--) {
      const now = statSync(realPathInside(path, approval), { bigint: true, throwIfNoEntry: false });
      if (now?.dev !== opened.dev || now.ino !== opened.ino) return undefined;
    }
    refuseUnfit(opened, approval);
    isApproved = true;
    return { fd, opened };
  } finally {
    if (!isApproved) closeSync(fd);
  }
}

function readOpened(fd: number, opened: Stats | BigIntStats, demand: Demand): Buffer {
  refuseUnfit(opened, demand);
  const bytes = readWhole(fd, Number(opened.size), demand);
  if (bytes) return bytes;
  throw tooLarge(demand);
}

function refuseUnfit(opened: Stats | BigIntStats, demand: Demand): void {
  const { shown, maxBytes, oneNameOnly } = demand;
  if (!opened.isFile()) throw notAFile(shown);
  if (oneNameOnly && opened.nlink > 1) throw hasSecondName(shown);
  if (opened.size > maxBytes) throw tooLarge(demand);
}

function realPathInside(path: string, { isInside, shown }: Approval): string {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch {
    throw notFound(`Not found: '${shown}'.`);
  }
  if (!isInside(real)) throw outside(shown);
  return real;
}

/** Never waits for a pipe's other end, and never follows a link in the last place. */
function openWithoutWaiting(real: string, shown: string): number | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  try {
    return openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw noPermission(`'${shown}' cannot be read (${code}).`);
  }
}

/** Where an opened file lies. Linux tells it by the descriptor, which no swap can make untrue. */
function nameOfOpened(fd: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** A disk that fails, and some files that the system makes up, are opened and then not read. */
function readWhole(fd: number, expected: number, { shown, maxBytes }: Demand): Buffer | undefined {
  try {
    return readUpTo(fd, expected, maxBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure("unavailable", "unreadable", `'${shown}' cannot be read (${code}).`, {
      hints: ["Look at the disk that it lies on."],
      cause: error,
    });
  }
}

/** The whole file, or nothing where it has grown past `most` bytes while it was read. */
function readUpTo(fd: number, expected: number, most: number): Buffer | undefined {
  // One byte more is asked for than is there, so mostly the first answer shows that it is all.
  const whole = Buffer.allocUnsafe(expected + 1);
  const first = readSync(fd, whole, 0, expected + 1, null);
  if (first === expected) return whole.subarray(0, first);
  const pieces = [whole.subarray(0, first)];
  for (let total = first; total <= most; ) {
    const piece = Buffer.allocUnsafe(65_536);
    const length = readSync(fd, piece, 0, piece.length, null);
    if (length === 0) return Buffer.concat(pieces, total);
    total += length;
    pieces.push(piece.subarray(0, length));
  }
  return undefined;
}

const outside = (shown: string): Failure =>
  new Failure("forbidden", "out-of-root", `'${shown}' leads outside its folder.`);

const tooLarge = ({ shown, maxBytes }: Demand): Failure =>
  new Failure("too-large", "too-large", `'${shown}' is larger than ${maxBytes} bytes.`);

const notAFile = (shown: string): Failure =>
  new Failure("invalid", "not-a-file", `'${shown}' is not a regular file.`);

const hasSecondName = (shown: string): Failure =>
  new Failure("forbidden", "out-of-root", `'${shown}' has a second name, maybe outside the root.`, {
    hints: ["Under --force-root only files with one name are read. Copy it instead."],
  });
