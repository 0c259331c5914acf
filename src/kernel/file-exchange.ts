import { basename, dirname, join, relative, sep } from "node:path";
import { type Boundary, contains } from "./boundary.ts";
import type { Call } from "./call.ts";
import type { Inverse } from "./change.ts";
import { Failure, ifThere } from "./failure.ts";
import { type FileEdit, outside } from "./file-edits.ts";
import type { House } from "./house.ts";
import { projectAt } from "./project-root.ts";
import { inDirectory } from "./safe-directory.ts";
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
    const edits = exchanges.map((one) => editOf(boundary, root, one, folders));
    const inverse = isUndoable(exchanges) && { undo: undo(back, folders) };
    return applyTold({ boundary, changes }, root, edits, () =>
      changes.record({ call, operation, summary, ...inverse, project: projectAt(root) }),
    ).id;
  } catch (error) {
    removeEmpty(boundary, root, folders);
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
export function removeEmpty(boundary: Boundary, root: string, folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    const place = join(root, folder);
    try {
      const above = boundary.admit(dirname(place));
      if (place === root || !contains(root, above)) continue;
      inDirectory(boundary.openDirectory(above), (directory) =>
        directory.removeFolder(basename(place)),
      );
    } catch {
      // Somebody put something in, or took it away already.
    }
  }
}

function editOf(
  boundary: Boundary,
  root: string,
  { file, before, after }: Exchange,
  made: string[],
): FileEdit {
  const place = join(root, file);
  const path = before === null ? newPlace(boundary, root, place, made) : boundary.admit(place);
  return { path, before: before ?? undefined, after: after ?? undefined };
}

/** Folders on the way are made; none of those that are there may lead outside. */
function newPlace(boundary: Boundary, root: string, place: string, made: string[]): string {
  const missing: string[] = [];
  let folder = dirname(place);
  let found = ifThere(() => boundary.admit(folder));
  while (found === undefined && contains(root, dirname(folder))) {
    missing.unshift(basename(folder));
    folder = dirname(folder);
    found = ifThere(() => boundary.admit(folder));
  }
  if (found === undefined || !contains(root, found) || !contains(root, place)) throw outside();
  let directory = boundary.openDirectory(found);
  try {
    for (const [index, name] of missing.entries()) {
      if (isNew(() => directory.makeFolder(name))) {
        const path = join(folder, ...missing.slice(0, index + 1));
        made.push(relative(root, path).split(sep).join("/"));
      }
      const inner = directory.enter(name);
      directory.close();
      directory = inner;
    }
    return join(directory.path, basename(place));
  } finally {
    directory.close();
  }
}

/** Somebody else may make the same folder in the same moment; then it is theirs. */
function isNew(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
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
