import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { basename } from "node:path";
import { Failure } from "../failure.ts";
import { unsafeDatabase } from "./unsafe-database.ts";

export interface ForeignFileRules {
  /** Whether to reject a file with a second hard link, which could be outside the force root. */
  rejectHardLinks: boolean;
  /** Whether an opened file may have this path. Default: any path. */
  isInside?: ((real: string) => boolean) | undefined;
}

/** Enough for text: recordings and images are separate files. */
const maxBytes = 4 * 1024 ** 3;

/** SQLite opens these files by name and writes to them. */
const sidecarSuffixes = ["-journal", "-wal", "-shm"];

/**
 * Rejects files that SQLite must not open: opening a named pipe blocks forever, and through a link
 * in place of a journal SQLite would overwrite a file elsewhere.
 *
 * This uses `lstat` and never opens the database: when a process closes any descriptor of a file,
 * the system drops all POSIX locks of the process on it, including SQLite's.
 */
export function assertPlainFile(path: string, { rejectHardLinks }: ForeignFileRules): void {
  const stats = statsOf(path);
  if (!stats) return;
  assertRegularFile(stats, "It");
  if (rejectHardLinks && stats.nlink > 1) throw unsafeDatabase("It has another hard link");
  for (const suffix of sidecarSuffixes) {
    const sidecar = statsOf(path + suffix);
    if (!sidecar) continue;
    assertRegularFile(sidecar, `Its ${suffix} file`);
    if (sidecar.nlink > 1) throw unsafeDatabase(`Its ${suffix} file has another hard link`);
  }
  if (hasSuperJournal(`${path}-journal`)) {
    throw unsafeDatabase("Its -journal file names another file");
  }
}

/**
 * TOCTOU check. SQLite opens a file by its path, and a folder on the path can be replaced by a link
 * after any check. /proc lists the real paths of the open files of this process. Call this before
 * opening the file, and the returned function after opening and before reading: it throws if a file
 * of that name was opened outside. Without /proc this is not detected.
 */
export function detectSwappedFile(path: string, { isInside }: ForeignFileRules): () => void {
  if (!isInside || process.platform !== "linux") return () => {};
  const name = basename(path);
  const before = openFilesByDescriptor();
  return () => {
    for (const [fd, openPath] of openFilesByDescriptor()) {
      if (basename(openPath) !== name || before.get(fd) === openPath || isInside(openPath))
        continue;
      throw new Failure("conflict", "moved", "The project was moved or replaced meanwhile.", {
        hints: ["Nothing was read or written. Try again when its folder is no longer being moved."],
      });
    }
  };
}

/** The paths of the files that this process has open, by descriptor. */
const openFilesByDescriptor = (): Map<string, string> =>
  new Map(
    readdirSync("/proc/self/fd").flatMap((fd) => {
      const path = pathOfDescriptor(fd);
      return path === undefined ? [] : [[fd, path] as const];
    }),
  );

function pathOfDescriptor(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

function assertRegularFile(stats: Stats, what: string): void {
  if (!stats.isFile()) throw unsafeDatabase(`${what} is not a regular file`);
  if (stats.size > maxBytes) throw unsafeDatabase(`${what} is larger than 4 GiB`);
}

/** Does not follow links. */
const statsOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** The magic number at the end of a journal of a transaction over several files. */
const superJournalMagic = "d9d505f920a163d7";

/**
 * After a rollback, SQLite deletes the super-journal that such a journal names, which could be any
 * file. The programs that create these databases never write to several in one transaction.
 */
function hasSuperJournal(journal: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(journal, "r");
  } catch {
    return false;
  }
  try {
    const end = Buffer.alloc(superJournalMagic.length / 2);
    const { size } = fstatSync(descriptor);
    readSync(descriptor, end, 0, end.length, Math.max(0, size - end.length));
    return end.toString("hex") === superJournalMagic;
  } finally {
    closeSync(descriptor);
  }
}
