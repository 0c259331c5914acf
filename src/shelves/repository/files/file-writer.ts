import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { Failure, undefinedIfNotFound } from "../../../kernel/failure.ts";
import {
  applyFileChanges,
  type FileChange,
  isUndoable,
  readExactText,
} from "../../../kernel/files/file-changes.ts";
import { inverseExchange } from "../../../kernel/files/file-exchange.ts";
import { type Boundary, containsPath } from "../../../kernel/paths/boundary.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { unifiedDiff } from "../../../text/edits/diff.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { isUnchangedAgentFile, recordAgentFile } from "../storage-written.ts";

/** A file that a tool wants to write. */
export interface PlannedFile {
  /** Relative to the output folder, with slashes. */
  file: string;
  text: string;
  /** The text that the new one is derived from. Such an edit does not count as overwriting. */
  before?: string;
}

/** Input fields of every writing operation. */
export const writeOptionsShape = {
  dry_run: z.boolean().default(false).describe("Write nothing, return the diff"),
  overwrite: z.boolean().default(false).describe("Replace existing files"),
};

/** Output fields of every writing operation. */
export const writeResultShape = {
  filesCreated: z.array(z.string()),
  filesUpdated: z.array(z.string()),
  filesUnchanged: z.array(z.string()),
  diff: z.string(),
  dryRun: z.boolean(),
  needsOverwrite: z.array(z.string()).optional().describe("Files that would be replaced"),
  changeId: z.int().optional().describe("The id for `lectern undo`"),
  status: z.literal("pending_approval").optional().describe("Nothing is written yet"),
  proposalId: z
    .int()
    .optional()
    .describe("For a person to accept, because it replaces files that no agent wrote"),
};

export type WriteResult = z.input<z.ZodObject<typeof writeResultShape>>;

export interface FileWriteRequest {
  /** The real path of an existing folder, as returned by `boundary.resolvePath`. */
  root: string;
  /** The path from it to the output folder, as returned by `resolveOutputFolder`. */
  below?: string;
  files: readonly PlannedFile[];
  /** The name of the operation that writes. */
  operation: string;
  /** A summary without a full stop: `Set up docs for MkDocs`. */
  summary: string;
  dry_run: boolean;
  overwrite: boolean;
}

/** The name of the operation that undoes writes, needed before its definition. */
export const exchangeFilesOperation = "exchange_repository_files";

type WriterState = Pick<Runtime, "boundary" | "changes" | "proposals" | "store">;

/**
 * The only function of this shelf that writes: all files or none, never over a person's work. If an
 * agent wants to replace a file that no agent wrote, a proposal is created instead.
 */
export const writeFiles = async (
  state: WriterState,
  request: FileWriteRequest,
  call: Call,
): Promise<WriteResult> => state.store.run(writeSteps(state, request, call));

function* writeSteps(
  state: WriterState,
  { root, below = "", files, operation, summary, dry_run, overwrite }: FileWriteRequest,
  call: Call,
): Steps<WriteResult> {
  const located = files.map((planned) => ({ ...planned, file: below + planned.file }));
  assertOutsideGitFolder(root, located);
  const all = located.map((planned) => toExchange(state.boundary, root, planned));
  const fileChanges = all.filter(({ before, after }) => before !== after);
  const namesOf = (some: readonly FileChange[]) => some.map(({ file }) => file.slice(below.length));
  const isEdit = new Set(located.filter((one) => one.before !== undefined).map(({ file }) => file));
  const conflicting = fileChanges.filter(
    ({ file, before }) => before !== null && !isEdit.has(file),
  );
  if (conflicting.length > 0 && !overwrite && !dry_run) throw filesExist(namesOf(conflicting));
  if (!isUndoable(fileChanges)) throw tooLargeToUndo();
  const diff = fileChanges
    .map(({ file, before, after }) =>
      unifiedDiff(file.slice(below.length), before ?? undefined, after ?? undefined),
    )
    .join("\n");
  const isDone = !dry_run && fileChanges.length > 0;
  const work = { root, fileChanges, summary, operation, diff };
  const needsApproval =
    !isPerson(call) && (yield* agentFilesOf(root, conflicting)).length < conflicting.length;
  return {
    filesCreated: namesOf(fileChanges.filter(({ before }) => before === null)),
    filesUpdated: namesOf(fileChanges.filter(({ before }) => before !== null)),
    filesUnchanged: namesOf(all.filter(({ before, after }) => before === after)),
    diff,
    dryRun: dry_run,
    ...(conflicting.length > 0 && !overwrite && { needsOverwrite: namesOf(conflicting) }),
    ...(isDone &&
      (needsApproval
        ? yield* proposeWrite(state, work, call)
        : yield* applyWrite(state, work, call))),
  };
}

interface PreparedWrite {
  root: string;
  fileChanges: readonly FileChange[];
  summary: string;
  operation: string;
  diff: string;
}

function* applyWrite(
  state: WriterState,
  work: PreparedWrite,
  call: Call,
): Steps<{ changeId: number }> {
  const { root, fileChanges } = work;
  const newFiles = fileChanges.filter(({ before }) => before === null);
  const agentFiles = isPerson(call)
    ? []
    : [...newFiles, ...(yield* agentFilesOf(root, fileChanges))];
  const undo = (back: FileChange[], folders: string[]) =>
    inverseExchange(exchangeFilesOperation, { root, files: back, folders });
  const changeId = yield* applyFileChanges(state, root, { ...work, undo }, call);
  for (const { file, after } of agentFiles) yield* recordAgentFile(join(root, file), after ?? "");
  return { changeId };
}

/** Reuses an identical pending proposal. */
function* proposeWrite(
  { proposals }: WriterState,
  { root, fileChanges, summary, diff }: PreparedWrite,
  call: Call,
): Steps<Pick<WriteResult, "status" | "proposalId">> {
  const input = { root, files: fileChanges, summary };
  const draft = {
    shelf: "repository",
    operation: exchangeFilesOperation,
    input,
    project: projectRefAt(root),
    summary,
    preview: diff,
  };
  const { id } = yield* proposals.proposeOnce(draft, call);
  return { status: "pending_approval", proposalId: id };
}

/** The files that an agent wrote and that have not changed since. */
function* agentFilesOf(root: string, files: readonly FileChange[]): Steps<FileChange[]> {
  const found: FileChange[] = [];
  for (const change of files) {
    const { file, before } = change;
    if (before !== null && (yield* isUnchangedAgentFile(join(root, file), before)))
      found.push(change);
  }
  return found;
}

/** Lists the written files; a dry run includes the diff. */
export function renderWriteResult(written: WriteResult): string {
  const { filesCreated, filesUpdated, filesUnchanged, diff, dryRun } = written;
  return [
    headline(written),
    ...filesCreated.map((file) => `  new        ${toPrintable(file)}`),
    ...filesUpdated.map((file) => `  changed    ${toPrintable(file)}`),
    ...filesUnchanged.map((file) => `  unchanged  ${toPrintable(file)}`),
    ...(written.needsOverwrite ? ["Existing files need overwrite: true."] : []),
    ...(dryRun && diff !== "" ? ["", diff] : []),
  ].join("\n");
}

function headline({
  filesCreated,
  filesUpdated,
  dryRun,
  changeId,
  proposalId,
}: WriteResult): string {
  const count = pluralise(filesCreated.length + filesUpdated.length, "file");
  if (proposalId !== undefined) {
    return `Nothing is written yet: this replaces files that no agent wrote. Proposal ${proposalId} to write ${count} waits for approval.`;
  }
  const action = `${dryRun ? "Would write" : "Wrote"} ${count}.`;
  return changeId === undefined ? action : `${action} Change ${changeId} can be undone.`;
}

/**
 * Resolves an output folder that may not exist yet: its nearest existing ancestor and the path
 * below that, with a trailing slash unless empty.
 */
export function resolveOutputFolder(
  boundary: Boundary,
  path: string,
): { root: string; below: string } {
  const wanted = path.trim() === "" ? path : normalize(path);
  for (let candidate = wanted; ; candidate = dirname(candidate)) {
    const root = undefinedIfNotFound(() => boundary.resolvePath(candidate));
    if (root === undefined) {
      if (dirname(candidate) === candidate) throw pathNotFound(path);
      continue;
    }
    if (!isFolder(root)) throw notAFolder(path);
    assertNotLinkedOutside(boundary, candidate, root);
    const below = candidate === wanted ? "" : relative(candidate, wanted).split(sep).join("/");
    return { root, below: below === "" ? "" : `${below}/` };
  }
}

/**
 * Rejects a path that appears to be inside the working folder but leaves it through a link, which
 * the caller did not intend.
 */
export function assertNotLinkedOutside(boundary: Boundary, path: string, real: string): void {
  // Under a force root no path can lead outside, regardless of the working folder.
  if (boundary.isConfined || path.startsWith("~")) return;
  const base = boundary.resolvePath(".");
  if (!containsPath(base, resolve(base, path)) || containsPath(base, real)) return;
  throw new Failure(
    "forbidden",
    "out-of-root",
    `'${path.slice(0, 200)}' is a link out of its folder.`,
    {
      hints: ["It is a link, or is below one. Use the real path."],
    },
  );
}

function toExchange(boundary: Boundary, root: string, planned: PlannedFile): FileChange {
  const { file, text: after } = planned;
  const current = undefinedIfNotFound(() => readExactText(boundary, root, file));
  if (planned.before !== undefined && planned.before !== current) throw changedMeanwhile(file);
  return { file, before: current ?? null, after };
}

/** Files in `.git` can be executed by git, so nothing is written there. */
function assertOutsideGitFolder(root: string, files: readonly PlannedFile[]): void {
  const paths = files.map(({ file }) => file);
  if (paths.some(isAbsolute)) throw new Error("a planned file must be relative to its root");
  const isInGitFolder = (path: string) =>
    path.split(/[\\/]/).some((name) => name.toLowerCase() === ".git");
  if (isInGitFolder(root) || paths.some((path) => isInGitFolder(join(path)))) {
    throw new Failure("forbidden", "out-of-root", "Writing into .git is not allowed.");
  }
}

const filesExist = (files: readonly string[]): Failure => {
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
  new Failure(
    "conflict",
    "changed",
    `'${file}' was changed in the meantime; nothing was written.`,
    {
      hints: ["Try again."],
    },
  );

const tooLargeToUndo = (): Failure =>
  new Failure("too-large", "too-large", "The change is too large to be undone.", {
    hints: ["Write one folder at a time."],
  });

const pathNotFound = (path: string): Failure =>
  new Failure("not-found", "not-found", `Not found: '${path.slice(0, 200)}'.`);

const notAFolder = (path: string): Failure =>
  new Failure("invalid", "not-a-folder", `'${path.slice(0, 200)}' is not a folder.`);
