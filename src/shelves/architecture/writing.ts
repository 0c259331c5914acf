import { mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Boundary, contains } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import { applyEdits, type FileEdit } from "../../kernel/file-edits.ts";
import type { House } from "../../kernel/house.ts";
import { difference } from "../../text/difference.ts";
import type { Ground, Plan } from "./plan.ts";
import { longestRecord, type Records } from "./records-state.ts";

/** What writing needs of the shelf's state. */
export interface Writing extends Pick<House, "boundary" | "changes" | "settings"> {
  readonly records: Records;
}

/** The records as they are now, ready to be planned on. */
export async function groundOf({ records, boundary }: Writing): Promise<Ground> {
  const set = await records.now();
  return {
    set,
    today: new Date().toISOString().slice(0, 10),
    textOf: (file) => exactText(boundary, set.root, file),
  };
}

/** The text of a file that can be written back without losing a byte. */
export function exactText(boundary: Boundary, root: string, file: string): string {
  const bytes = boundary.readFile(join(root, file), root, longestRecord);
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw new Failure("conflict", "not-utf8", `'${file}' is no UTF-8, so it is not changed.`, {
    hints: ["Save it as UTF-8 first."],
  });
}

/** What a person sees of a plan before it is done, and afterwards. */
export const differencesOf = ({ edits }: Plan): string =>
  edits.map(({ file, before, after }) => difference(file, before, after)).join("\n");

/** A file of the root as it was and as it is to be; null where there is none. */
export interface Exchange {
  file: string;
  before: string | null;
  after: string | null;
}

/** More than this is not kept for an undo. */
const mostKept = 1_000_000;

/** Writes all files or none, and remembers how to take it back by the operation named. */
export function carryOut(
  { boundary, changes }: Writing,
  root: string,
  work: { exchanges: readonly Exchange[]; summary: string; operation: string; undoneBy: string },
  call: Call,
): void {
  const { exchanges, summary, operation, undoneBy } = work;
  applyEdits(
    boundary,
    root,
    exchanges.map((one) => editOf(root, one)),
  );
  const back = exchanges.map(({ file, before, after }) => ({ file, before: after, after: before }));
  const isKept = JSON.stringify(back).length <= mostKept;
  changes.record({
    call,
    operation,
    summary,
    ...(isKept && { undo: { operation: undoneBy, input: { files: back } } }),
  });
}

function editOf(root: string, { file, before, after }: Exchange): FileEdit {
  const place = join(root, file);
  const path = before === null ? newPlace(root, place) : realpathSync.native(place);
  return { path, before: before ?? undefined, after: after ?? undefined };
}

/** Folders on the way are made; none of those that are there may lead outside. */
function newPlace(root: string, place: string): string {
  let folder = dirname(place);
  while (!isThere(folder) && contains(root, dirname(folder))) folder = dirname(folder);
  if (!contains(root, realpathSync.native(folder)) || !contains(root, place)) {
    throw new Failure(
      "forbidden",
      "out-of-root",
      "This file belongs to a folder outside the root.",
    );
  }
  mkdirSync(dirname(place), { recursive: true });
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
