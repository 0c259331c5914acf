import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { type Boundary, contains } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import { Failure, ifThere } from "../../kernel/failure.ts";
import { carryOut, type Exchange, exactText, isUndoable } from "../../kernel/file-exchange.ts";
import type { House } from "../../kernel/house.ts";
import { isFolder } from "../../kernel/path-kind.ts";
import { counted } from "../../text/counted.ts";
import { difference } from "../../text/difference.ts";
import { visible } from "../../text/visible.ts";

/** A file as a tool would like to have it. */
export interface PlannedFile {
  /** Relative to the folder that is written in, with slashes. */
  file: string;
  text: string;
  /** The text that the new one was made from. Such an edit is no overwriting. */
  before?: string;
}

/** What every writer of the shelf is asked beside its own parameters; operations spread it. */
export const writingInput = {
  dry_run: z.boolean().default(false).describe("Write nothing, show the difference"),
  overwrite: z.boolean().default(false).describe("Replace files that are there"),
};

/** What every writer tells; operations spread it into their data. */
export const writtenShape = {
  filesCreated: z.array(z.string()),
  filesUpdated: z.array(z.string()),
  filesUnchanged: z.array(z.string()),
  diff: z.string(),
  dryRun: z.boolean(),
  needsOverwrite: z.array(z.string()).optional().describe("Files that would be replaced"),
  changeId: z.int().optional().describe("The change that `lectern undo` takes back"),
};

export type Written = z.input<z.ZodObject<typeof writtenShape>>;

export interface WritingWork {
  /** The real path of a folder that is there, as `boundary.enter` gives it. */
  root: string;
  /** The way from it to the folder that is written in, as `folderToWrite` gives it. */
  below?: string;
  files: readonly PlannedFile[];
  /** The name of the operation that writes. */
  operation: string;
  /** What was done, as a sentence without its dot: `Set up docs for MkDocs`. */
  summary: string;
  dry_run: boolean;
  overwrite: boolean;
}

/** The one way in which this shelf writes: all files or none, and never over somebody's work. */
export function writeFiles(
  state: Pick<House, "boundary" | "changes">,
  { root, below = "", files, operation, summary, dry_run, overwrite }: WritingWork,
  call: Call,
): Written {
  const placed = files.map((planned) => ({ ...planned, file: below + planned.file }));
  refuseOwnFolder(root, placed);
  const all = placed.map((planned) => exchangeFor(state.boundary, root, planned));
  const exchanges = all.filter(({ before, after }) => before !== after);
  const namesOf = (some: readonly Exchange[]) => some.map(({ file }) => file.slice(below.length));
  const isEdit = new Set(placed.filter((one) => one.before !== undefined).map(({ file }) => file));
  const inTheWay = exchanges.filter(({ file, before }) => before !== null && !isEdit.has(file));
  if (inTheWay.length > 0 && !overwrite && !dry_run) throw thereAlready(namesOf(inTheWay));
  if (!isUndoable(exchanges)) throw tooMuch();
  const undo = (back: Exchange[], folders: string[]) => ({
    operation: "exchange_repository_files",
    input: { root, files: back, folders },
  });
  const isDone = !dry_run && exchanges.length > 0;
  const work = { exchanges, summary, operation, undo };
  return {
    filesCreated: namesOf(exchanges.filter(({ before }) => before === null)),
    filesUpdated: namesOf(exchanges.filter(({ before }) => before !== null)),
    filesUnchanged: namesOf(all.filter(({ before, after }) => before === after)),
    diff: exchanges
      .map(({ file, before, after }) =>
        difference(file.slice(below.length), before ?? undefined, after ?? undefined),
      )
      .join("\n"),
    dryRun: dry_run,
    ...(inTheWay.length > 0 && !overwrite && { needsOverwrite: namesOf(inTheWay) }),
    ...(isDone && { changeId: carryOut(state, root, work, call) }),
  };
}

/** What was written, or would be, in lines; a dry run shows the difference. */
export function writtenText(written: Written): string {
  const { filesCreated, filesUpdated, filesUnchanged, diff, dryRun, changeId } = written;
  const count = filesCreated.length + filesUpdated.length;
  const head = `${dryRun ? "Would write" : "Wrote"} ${counted(count, "file")}.`;
  return [
    changeId === undefined ? head : `${head} Change ${changeId} can be undone.`,
    ...filesCreated.map((file) => `  new        ${visible(file)}`),
    ...filesUpdated.map((file) => `  changed    ${visible(file)}`),
    ...filesUnchanged.map((file) => `  unchanged  ${visible(file)}`),
    ...(written.needsOverwrite ? ["Files that are there need overwrite: true."] : []),
    ...(dryRun && diff !== "" ? ["", diff] : []),
  ].join("\n");
}

/**
 * A folder to write in, which may not be there yet: the nearest one that is, and the way down from
 * it, with a slash at its end where there is one.
 */
export function folderToWrite(boundary: Boundary, given: string): { root: string; below: string } {
  const wanted = given.trim() === "" ? given : normalize(given);
  for (let place = wanted; ; place = dirname(place)) {
    const root = ifThere(() => boundary.enter(place));
    if (root === undefined) {
      if (dirname(place) === place) throw notThere(given);
      continue;
    }
    if (!isFolder(root)) throw notAFolder(given);
    refuseDetour(boundary, place, root);
    const below = place === wanted ? "" : relative(place, wanted).split(sep).join("/");
    return { root, below: below === "" ? "" : `${below}/` };
  }
}

/**
 * A path that looks as if it lay in the folder where the server works, and is led elsewhere by a
 * link, is not what the caller named.
 */
export function refuseDetour(boundary: Boundary, given: string, real: string): void {
  // A force root may lie elsewhere than the folder, and then no path can lead out by mistake.
  if (boundary.isFenced || given.startsWith("~")) return;
  const base = boundary.enter(".");
  if (!contains(base, resolve(base, given)) || contains(base, real)) return;
  throw new Failure(
    "forbidden",
    "out-of-root",
    `'${given.slice(0, 200)}' leads outside its folder.`,
    {
      hints: ["It is a link, or lies below one. Name the place itself."],
    },
  );
}

function exchangeFor(boundary: Boundary, root: string, planned: PlannedFile): Exchange {
  const { file, text: after } = planned;
  const now = ifThere(() => exactText(boundary, root, file));
  if (planned.before !== undefined && planned.before !== now) throw changedMeanwhile(file);
  return { file, before: now ?? null, after };
}

/** What git keeps in its own folder can run by itself; nothing of ours is written there. */
function refuseOwnFolder(root: string, files: readonly PlannedFile[]): void {
  const paths = files.map(({ file }) => file);
  if (paths.some(isAbsolute)) throw new Error("a planned file must be relative to its root");
  const isGits = (path: string) =>
    path.split(/[\\/]/).some((name) => name.toLowerCase() === ".git");
  if (isGits(root) || paths.some((path) => isGits(join(path)))) {
    throw new Failure("forbidden", "out-of-root", "Nothing is written into git's own folder.");
  }
}

const thereAlready = (files: readonly string[]): Failure => {
  const names = files.slice(0, 10).map((file) => `'${file}'`);
  const rest = files.length > 10 ? ` and ${files.length - 10} more` : "";
  return new Failure(
    "conflict",
    "exists",
    `Nothing was written: ${names.join(", ")}${rest} would be replaced.`,
    { hints: ["Give overwrite: true to replace, or dry_run: true to see the difference."] },
  );
};

const changedMeanwhile = (file: string): Failure =>
  new Failure("conflict", "changed", `'${file}' was changed meanwhile; nothing was written.`, {
    hints: ["Try again."],
  });

const tooMuch = (): Failure =>
  new Failure("too-large", "too-large", "This is more than can be taken back at once.", {
    hints: ["Do it for one folder after another."],
  });

const notThere = (given: string): Failure =>
  new Failure("not-found", "not-found", `Not found: '${given.slice(0, 200)}'.`);

const notAFolder = (given: string): Failure =>
  new Failure("invalid", "not-a-folder", `'${given.slice(0, 200)}' is not a folder.`);
