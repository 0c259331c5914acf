import { basename, dirname, join, relative, sep } from "node:path";
import type { Call } from "../../../kernel/call.ts";
import type { Root } from "../../../kernel/documents/documents.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { openWalk, type Walk } from "../../../kernel/indexing/walk.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { markdownGlob } from "../../../text/software/programming-languages.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import type { TaskContext } from "../progress.ts";
import { findRepositoryRoot } from "../repo/repo-tree.ts";

/** A folder of pages or a single page, in a repository. */
export interface PageSet {
  /** Real paths. */
  root: string;
  folder: string;
  /** Relative to the repository; empty if both are the same. */
  relativeFolder: string;
  /** Pages relative to the repository, sorted. */
  files: string[];
  /** The last page found, if a timeout stopped the search. */
  stoppedAt?: string;
}

/** Longer files are data, not pages. */
export const maxPageBytes = 4 * 1024 * 1024;

/** Finds the pages at a path. */
export async function findPages(
  { boundary, settings }: Pick<Runtime, "boundary" | "settings">,
  path: string,
  call: Pick<Call, "signal">,
  { pattern = markdownGlob, ignore = [] }: { pattern?: string; ignore?: readonly string[] } = {},
): Promise<PageSet> {
  const realPath = boundary.resolvePath(path);
  const isDirectory = isFolder(realPath);
  const folder = isDirectory ? realPath : dirname(realPath);
  const root = findRepositoryRoot({ boundary, settings }, folder);
  const relativeFolder = relative(root, folder).split(sep).join("/");
  const toRepositoryPath = (path: string): string => childPath(relativeFolder, path);
  if (!isDirectory)
    return { root, folder, relativeFolder, files: [toRepositoryPath(basename(realPath))] };
  const walk = openPageWalk({ name: "", path: folder, pattern, ignore: [...ignore] }, boundary);
  const files: string[] = [];
  const timeSlice = openTimeSlice();
  for (const found of walk.filesBelow("")) {
    for (const { path } of found) files.push(toRepositoryPath(path));
    if (timeSlice.isOver()) await timeSlice.pass();
    if (call.signal.aborted) {
      const stoppedAt = files.at(-1) ?? relativeFolder;
      return { root, folder, relativeFolder, files: files.sort(), stoppedAt };
    }
  }
  return { root, folder, relativeFolder, files: files.sort() };
}

/** Like `findPages`, but fails if there are none. */
export async function requirePages(
  runtime: Pick<Runtime, "boundary" | "settings">,
  path: string,
  parameter: string,
  call: Pick<Call, "signal">,
): Promise<PageSet> {
  const documentation = await findPages(runtime, path, call);
  if (documentation.files.length > 0 || documentation.stoppedAt !== undefined) return documentation;
  throw new Failure(
    "not-found",
    "NO_DOCUMENTATION_FILES",
    `There are no Markdown pages in '${path}'`,
    { hints: [`Pass the folder of the documentation as ${parameter}.`] },
  );
}

/** A pattern with too many alternatives is the caller's mistake. */
function openPageWalk(root: Root, boundary: Boundary): Walk {
  try {
    return openWalk(root, boundary);
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

export interface LoadedPage {
  file: string;
  lines: string[];
}

/** A file that could not be read, and why. */
export interface PageProblem {
  file: string;
  problem: string;
}

/**
 * Visits pages in order. On an aborted call it stops early and returns the first page it did not
 * read; unreadable pages are passed to `onProblem`.
 */
export async function visitPages(
  { boundary }: Pick<Runtime, "boundary">,
  { root, files, stoppedAt }: Pick<PageSet, "root" | "files" | "stoppedAt">,
  call: TaskContext,
  visit: (page: LoadedPage) => void,
  onProblem: (problem: PageProblem) => void,
): Promise<string | undefined> {
  const timeSlice = openTimeSlice();
  call.progress(0, files.length, "Reading pages");
  for (const [index, file] of files.entries()) {
    if (timeSlice.isOver()) {
      call.progress(index, files.length, "Reading pages");
      await timeSlice.pass();
    }
    if (call.signal.aborted) return file;
    try {
      const text = decodeText(boundary.readFile(join(root, file), root, maxPageBytes));
      if (text === undefined) onProblem({ file, problem: "The file is not text." });
      else visit({ file, lines: splitLines(text) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onProblem({ file, problem: error.message });
    }
  }
  call.progress(files.length, files.length, "Reading pages");
  return stoppedAt;
}
