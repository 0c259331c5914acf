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
import { unsafeDatabase } from "./unsafe.ts";

export interface FileRules {
  /** Whether a second name of the file is refused, which could lie outside of a force root. */
  oneNameOnly: boolean;
  /** Judges the place of a file that has been opened; without it, every place is good. */
  isInside?: ((real: string) => boolean) | undefined;
}

/** Texts are what projects hold; recordings and pictures lie beside them. */
const maxBytes = 4 * 1024 ** 3;

/** SQLite opens these by their names, and writes to them. */
const siblings = ["-journal", "-wal", "-shm"];

/**
 * Refuses what must not reach SQLite: opening a pipe blocks for good, and a link in the place of a
 * journal is a file elsewhere that would be overwritten.
 *
 * The database itself is looked at by its name and never opened here. When a process closes any
 * descriptor of a file, the system drops all locks that the process has on it, also SQLite's.
 */
export function refuseStrangeFile(path: string, { oneNameOnly }: FileRules): void {
  const stats = statsOf(path);
  if (!stats) return;
  refuseStrange(stats, "It");
  if (oneNameOnly && stats.nlink > 1) throw unsafeDatabase("It has a second name elsewhere");
  for (const suffix of siblings) {
    const beside = statsOf(path + suffix);
    if (!beside) continue;
    refuseStrange(beside, `Its ${suffix} file`);
    if (beside.nlink > 1) throw unsafeDatabase(`Its ${suffix} file has a second name elsewhere`);
  }
  if (namesAnotherFile(`${path}-journal`)) {
    throw unsafeDatabase("Its -journal file names a file elsewhere");
  }
}

/**
 * SQLite opens a file by its path, and a folder on that path can be swapped for a link after every
 * check. The system tells where the files are that this process has open, whatever their paths lead
 * to now. So this is called before the opening, and what it gives refuses a file of that name which
 * was opened outside since, before anything of it is told. Systems without /proc do not tell;
 * there the window stays.
 */
export function watchOpening(path: string, { isInside }: FileRules): () => void {
  if (!isInside || process.platform !== "linux") return () => {};
  const name = basename(path);
  const before = openFiles();
  return () => {
    for (const [fd, place] of openFiles()) {
      if (basename(place) !== name || before.get(fd) === place || isInside(place)) continue;
      throw new Failure("conflict", "moved", "The project was moved or replaced meanwhile.", {
        hints: ["Nothing was read or written. Try again when nobody moves folders."],
      });
    }
  };
}

/** The files that this process has open, by their descriptors. */
const openFiles = (): Map<string, string> =>
  new Map(
    readdirSync("/proc/self/fd").flatMap((fd) => {
      const place = placeOfOpen(fd);
      return place === undefined ? [] : [[fd, place] as const];
    }),
  );

function placeOfOpen(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

function refuseStrange(stats: Stats, what: string): void {
  if (!stats.isFile()) throw unsafeDatabase(`${what} is not a regular file`);
  if (stats.size > maxBytes) throw unsafeDatabase(`${what} is larger than 4 GiB`);
}

/** With the link itself, where it is one. */
const statsOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** What stands at the end of a journal that belongs to a transaction over several files. */
const superJournalMark = "d9d505f920a163d7";

/**
 * SQLite deletes the file that such a journal names, whatever it is, once it has taken back an
 * interrupted write. No program that makes these databases writes to several at once.
 */
function namesAnotherFile(journal: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(journal, "r");
  } catch {
    return false;
  }
  try {
    const end = Buffer.alloc(superJournalMark.length / 2);
    const { size } = fstatSync(descriptor);
    readSync(descriptor, end, 0, end.length, Math.max(0, size - end.length));
    return end.toString("hex") === superJournalMark;
  } finally {
    closeSync(descriptor);
  }
}
