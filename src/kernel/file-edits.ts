import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { type Boundary, contains } from "./boundary.ts";
import { Failure } from "./failure.ts";
import { syncFolder, writeThrough } from "./kept-file.ts";
import { putNew } from "./new-file.ts";

/** A file of a person, as it was read and as it is to be. */
export interface FileEdit {
  /** A real path. */
  path: string;
  /** Undefined where there is no such file yet, and there must be none. */
  before: string | undefined;
  /** Undefined where the file shall go. */
  after: string | undefined;
}

/**
 * Writes several files, all or none. Each is written beside its place first; nothing is put in
 * place while a file is not as it was read, and what was put in place is taken back if a later one
 * fails. A crash in between leaves whole files, some old and some new.
 */
export function applyEdits(boundary: Boundary, within: string, edits: readonly FileEdit[]): void {
  const placed = edits.map((edit) => ({ ...edit, fresh: besideOf(edit.path) }));
  try {
    for (const { path, before, after, fresh } of placed) {
      const folder = boundary.admit(dirname(path));
      if (!contains(within, folder)) throw outside();
      const mode = before === undefined ? 0o666 : statSync(path).mode;
      if (after !== undefined) writeThrough(fresh, after, mode);
    }
    for (const { path, before } of edits) {
      if (before === undefined) continue;
      const now = boundary.readFile(path, within).toString("utf8");
      if (now !== before) throw changedMeanwhile(path, within);
    }
    putInPlace(placed, within);
    for (const folder of new Set(edits.map(({ path }) => dirname(path)))) syncFolder(folder);
  } finally {
    for (const { fresh } of placed) rmSync(fresh, { force: true });
  }
}

/** Where a process puts a file before it is put in its place. */
export const besideOf = (path: string, pid = process.pid): string =>
  join(dirname(path), `.${basename(path)}.${pid}.new`);

interface PlacedEdit extends FileEdit {
  /** Where the new file waits, and where one that goes is laid aside. */
  fresh: string;
}

function putInPlace(edits: readonly PlacedEdit[], within: string): void {
  const takeBack: (() => void)[] = [];
  try {
    for (const { path, before, after, fresh } of edits) {
      if (before === undefined) {
        putFirst(fresh, path, within);
        takeBack.push(() => rmSync(path, { force: true }));
      } else if (after === undefined) {
        renameSync(path, fresh);
        takeBack.push(() => renameSync(fresh, path));
      } else {
        renameSync(fresh, path);
        takeBack.push(() => writeFileSync(path, before));
      }
    }
  } catch (error) {
    for (const undo of takeBack.reverse()) undo();
    throw error;
  }
}

/** Never over a file that somebody else made meanwhile. */
function putFirst(fresh: string, path: string, within: string): void {
  try {
    putNew(fresh, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "EEXIST" ? takenMeanwhile(path, within) : error;
  }
}

const shownFrom = (within: string, path: string): string =>
  relative(within, path).split(sep).join("/");

const changedMeanwhile = (path: string, within: string): Failure =>
  new Failure(
    "conflict",
    "changed",
    `'${shownFrom(within, path)}' was changed meanwhile; nothing was written.`,
    { hints: ["Try again."] },
  );

const takenMeanwhile = (path: string, within: string): Failure =>
  new Failure(
    "conflict",
    "exists",
    `'${shownFrom(within, path)}' is there already; nothing was written.`,
    { hints: ["Try again, or give another title."] },
  );

/** A file that a link or its path leads out of the folder it is to be written in. */
export const outside = (): Failure =>
  new Failure("forbidden", "out-of-root", "This file belongs to a folder outside the root.", {
    hints: ["Name a file inside of it. Nothing was written."],
  });
