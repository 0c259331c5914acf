import { basename, dirname, join, relative, sep } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import type { Root } from "../../kernel/documents.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import { isFolder } from "../../kernel/path-kind.ts";
import { openWalk, type Walk } from "../../kernel/walk.ts";
import { decode } from "../../text/decoding.ts";
import { markdownGlob } from "../../text/languages.ts";
import { linesOf } from "../../text/lines.ts";
import type { Telling } from "./long-work.ts";
import { repositoryAbove } from "./repository-tree.ts";
import { openTurn } from "./turn.ts";

/** Where documentation lies: a folder of pages or one page, in a repository. */
export interface Documentation {
  /** Real paths. */
  root: string;
  folder: string;
  /** Relative to the repository; empty where the two are the same. */
  below: string;
  /** Pages relative to the repository, in the order of their names. */
  files: string[];
  /** The folder after which nobody looked for more, where the time was over. */
  stoppedAt?: string;
}

/** A longer page is data. */
export const longestPage = 4 * 1024 * 1024;

/** Finds the pages at a path that a caller named. */
export async function documentationAt(
  { boundary, settings }: Pick<House, "boundary" | "settings">,
  given: string,
  call: Pick<Call, "signal">,
  { pattern = markdownGlob, ignore = [] }: { pattern?: string; ignore?: readonly string[] } = {},
): Promise<Documentation> {
  const place = boundary.enter(given);
  const isWhole = isFolder(place);
  const folder = isWhole ? place : dirname(place);
  const root = repositoryAbove({ boundary, settings }, folder);
  const below = relative(root, folder).split(sep).join("/");
  const named = (path: string): string => (below === "" ? path : `${below}/${path}`);
  if (!isWhole) return { root, folder, below, files: [named(basename(place))] };
  const walk = walkOf({ name: "", path: folder, pattern, ignore: [...ignore] }, boundary);
  const files: string[] = [];
  const turn = openTurn();
  for (const found of walk.below("")) {
    for (const { path } of found) files.push(named(path));
    if (turn.isOver()) await turn.pass();
    if (call.signal.aborted) {
      const stoppedAt = files.at(-1) ?? below;
      return { root, folder, below, files: files.sort(), stoppedAt };
    }
  }
  return { root, folder, below, files: files.sort() };
}

/** The same where there must be some. */
export async function pagesAt(
  house: Pick<House, "boundary" | "settings">,
  given: string,
  parameter: string,
  call: Pick<Call, "signal">,
): Promise<Documentation> {
  const documentation = await documentationAt(house, given, call);
  if (documentation.files.length > 0 || documentation.stoppedAt !== undefined) return documentation;
  throw new Failure(
    "not-found",
    "NO_DOCUMENTATION_FILES",
    `There are no Markdown pages in '${given}'`,
    { hints: [`Give the folder of the documentation as ${parameter}.`] },
  );
}

/** A pattern with too many choices is the caller's. */
function walkOf(root: Root, boundary: Boundary): Walk {
  try {
    return openWalk(root, boundary);
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

export interface ReadPage {
  file: string;
  lines: string[];
}

/** What could not be read, and why. */
export interface PageProblem {
  file: string;
  problem: string;
}

/**
 * Goes through pages one after the other. It ends early when the call is over and says where; a
 * page that cannot be read is told to `onProblem` and left out.
 */
export async function throughPages(
  { boundary }: Pick<House, "boundary">,
  { root, files, stoppedAt }: Pick<Documentation, "root" | "files" | "stoppedAt">,
  call: Telling,
  visit: (page: ReadPage) => void,
  onProblem: (problem: PageProblem) => void,
): Promise<string | undefined> {
  const turn = openTurn();
  call.progress(0, files.length, "Reading pages");
  for (const [index, file] of files.entries()) {
    if (turn.isOver()) {
      call.progress(index, files.length, "Reading pages");
      await turn.pass();
    }
    if (call.signal.aborted) return file;
    try {
      const text = decode(boundary.readFile(join(root, file), root, longestPage));
      if (text === undefined) onProblem({ file, problem: "It is no text." });
      else visit({ file, lines: linesOf(text) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onProblem({ file, problem: error.message });
    }
  }
  call.progress(files.length, files.length, "Reading pages");
  return stoppedAt;
}
