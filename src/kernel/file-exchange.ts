import { mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { type Boundary, contains } from "./boundary.ts";
import type { Call } from "./call.ts";
import type { Inverse } from "./change-log.ts";
import { Failure } from "./failure.ts";
import { type FileEdit, outside } from "./file-edits.ts";
import type { House } from "./house.ts";
import { applyTold } from "./told-edits.ts";

/** A file of a folder as it was and as it is to be; null where there is none. */
export interface Exchange {
  /** Relative to the folder, with slashes. */
  file: string;
  before: string | null;
  after: string | null;
}

/** What is written, in the words of the change log. */
export interface ExchangeWork {
  exchanges: readonly Exchange[];
  summary: string;
  operation: string;
  /** The operation that takes it back; `folders` are those that were made on the way. */
  undo(back: Exchange[], folders: string[]): Inverse;
}

/** More letters than this are not kept for an undo. */
const mostKept = 16_000_000;

/** Writes all files or none, and remembers how to take it back. Gives the change's number. */
export function carryOut(
  { boundary, changes }: Pick<House, "boundary" | "changes">,
  root: string,
  { exchanges, summary, operation, undo }: ExchangeWork,
  call: Call,
): number {
  const folders: string[] = [];
  const back = exchanges.map(({ file, before, after }) => ({ file, before: after, after: before }));
  try {
    const edits = exchanges.map((one) => editOf(root, one, folders));
    const inverse = isUndoable(exchanges) && { undo: undo(back, folders) };
    return applyTold({ boundary, changes }, root, edits, () =>
      changes.record({ call, operation, summary, ...inverse }),
    ).id;
  } catch (error) {
    removeEmpty(root, folders);
    throw asRefusal(error);
  }
}

/** Whether so much can be taken back again. */
export function isUndoable(exchanges: readonly Exchange[]): boolean {
  const lengths = exchanges.map(
    ({ before, after }) => (before ?? "").length + (after ?? "").length,
  );
  return lengths.reduce((sum, length) => sum + length, 0) <= mostKept;
}

/** The text of a file that can be written back without losing a byte. */
export function exactText(
  boundary: Boundary,
  root: string,
  file: string,
  maxBytes?: number,
): string {
  const bytes = boundary.readFile(join(root, file), root, maxBytes);
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw new Failure("conflict", "not-utf8", `'${file}' is no UTF-8, so it is not changed.`, {
    hints: ["Save it as UTF-8 first."],
  });
}

/** Takes folders away that are empty, the deepest first; others stay. */
export function removeEmpty(root: string, folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      const path = realpathSync.native(join(root, folder));
      if (path !== root && contains(root, path)) rmdirSync(path);
    } catch {
      // Somebody put something in, or took it away already.
    }
  }
}

function editOf(root: string, { file, before, after }: Exchange, made: string[]): FileEdit {
  const place = join(root, file);
  const path = before === null ? newPlace(root, place, made) : realpathSync.native(place);
  return { path, before: before ?? undefined, after: after ?? undefined };
}

/** Folders on the way are made; none of those that are there may lead outside. */
function newPlace(root: string, place: string, made: string[]): string {
  const missing: string[] = [];
  let folder = dirname(place);
  while (!isThere(folder) && contains(root, dirname(folder))) {
    missing.push(relative(root, folder).split(sep).join("/"));
    folder = dirname(folder);
  }
  if (!contains(root, realpathSync.native(folder)) || !contains(root, place)) {
    throw outside();
  }
  mkdirSync(dirname(place), { recursive: true });
  made.push(...missing);
  return join(realpathSync.native(dirname(place)), basename(place));
}

function isThere(folder: string): boolean {
  try {
    realpathSync.native(folder);
    return true;
  } catch {
    return false;
  }
}

/** A disk that is full, a folder that may not be written: the user's to mend, and no accident. */
function asRefusal(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || code === undefined || syscall === undefined) return error;
  const isInTheWay = code === "EEXIST" || code === "ENOTDIR";
  return isInTheWay
    ? new Failure("conflict", "exists", "A file stands where a folder is needed.", {
        hints: ["Move it, or name another folder. Nothing was written."],
        cause: error,
      })
    : new Failure("unavailable", "not-writable", `The files cannot be written (${code}).`, {
        hints: ["Check permissions and free space. Nothing was written."],
        cause: error,
      });
}
