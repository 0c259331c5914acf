import {
  createReadStream,
  type Dirent,
  existsSync,
  type ReadStream,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { shorten } from "../text/shorten.ts";
import {
  type Approval,
  type Demand,
  openApproved,
  readApproved,
  readByItsName,
} from "./approved-file.ts";
import { Failure, invalid, noPermission, notFound } from "./failure.ts";
import { pathProblem } from "./path-problem.ts";
import type { PrivateFiles } from "./private-files.ts";
import {
  isProjectOf,
  openProjectCache,
  projectDatabase,
  projectHolding,
  projectOfFile,
  settledPath,
} from "./project-folder.ts";
import { inDirectory, openDirectory, type SafeDirectory } from "./safe-directory.ts";

/**
 * The one way from a caller's path to a real path. Callers are trusted with the paths they name,
 * unless there is a force root: then nothing outside it is read, and nobody learns what is there.
 *
 * What lies inside a QualCoder project is closed to all of them, and so is every file of a private
 * source: only the shelf of projects knows what agents may see of it, and indexes and caches that a
 * person fills are read by agents too. That shelf looks through `unrestricted`, for a person and for
 * the files that belong to a project.
 */
export interface Boundary {
  /** Whether there is a force root. */
  readonly isFenced: boolean;
  /**
   * The real path of something that exists, from a path as a caller gives it. A relative one starts
   * at the base, or at a folder that the caller means; failures show what was given.
   */
  enter(given: string, from?: string): string;
  /** Checks a root that was found by resolving, such as a workspace above a file. */
  admit(found: string): string;
  /** Whether a folder lies inside the force root, links followed; everything does without one. */
  holds(folder: string): boolean;
  /**
   * Reads a regular file that still lies in `within` once it has been opened, so that a link
   * which is swapped between the check and the opening gains nothing.
   */
  readFile(path: string, within: string, maxBytes?: number): Buffer;
  /** The same for a file of any size, read piece by piece. */
  streamFile(path: string, within: string): ReadStream;
  /** Opens the directory at a real path, as `enter` gives it; whoever opens it closes it. */
  openDirectory(real: string): SafeDirectory;
  /** The open directory for a file or a folder that a caller wants made, and its name in there. */
  openParent(given: string): { directory: SafeDirectory; name: string };
  /** Enters a project by its folder or its database; what else lies inside one stays closed. */
  enterProject(given: string): string;
  /**
   * The entries of the folder at a real path; a project's folder seems empty, and private files are
   * left out.
   */
  entries(folder: string): Dirent[];
  /** Whether a path lies inside a project or is a file of a private source, links followed. */
  hides(path: string): boolean;
  /** The same check for many files at one moment, each found without following a link. */
  hiddenFiles(): (path: string) => boolean;
  /** Another value whenever what is private may have changed, for whoever keeps what was read. */
  privacyVersion(): string;
  /** The same boundary with another force root. */
  confinedTo(folder: string): Boundary;
  /** The same boundary, to which nothing is private. */
  readonly unrestricted: Boundary;
}

const defaultMaxBytes = 64 * 1024 * 1024;

export function makeBoundary(options: {
  /** Where relative paths start. */
  base: string;
  forceRoot?: string | undefined;
  privateFiles?: PrivateFiles;
}): Boundary {
  const { privateFiles } = options;
  const base = existsSync(options.base) ? realpathSync.native(options.base) : options.base;
  const fence = options.forceRoot === undefined ? undefined : makeFence(options.forceRoot);
  const isPrivate = (real: string): boolean => privateFiles?.has(real) ?? false;

  const unrestricted: Boundary = {
    isFenced: fence !== undefined,
    enter: (given, from = base) => realPathOf(given, placeOf(given, from)),
    enterProject: (given) => unrestricted.enter(given),
    admit(found) {
      const real = realPathOr(found, folderGone);
      if (!fence || contains(fence.real, real)) return real;
      throw belongsOutside();
    },
    holds: (folder) => !fence || leadsInside(resolve(folder), fence),
    readFile: (path, within, maxBytes) => readWithin(path, within, maxBytes, () => false),
    streamFile: (path, within) => streamWithin(path, within, () => false),
    openDirectory(real) {
      // It is opened only at this very path, so the path tells where it is.
      if (fence && !contains(fence.real, real)) throw belongsOutside();
      return openDirectory(real);
    },
    openParent: (given) => parentOf(unrestricted, given),
    entries: (folder) => entriesBy(unrestricted, folder),
    hides: () => false,
    hiddenFiles: () => () => false,
    privacyVersion: () => "",
    confinedTo: (forceRoot) => makeBoundary({ ...options, forceRoot }).unrestricted,
    get unrestricted() {
      return unrestricted;
    },
  };

  const isInProject = openProjectCache();
  const isClosed = (real: string, within: string): boolean => {
    const known = contains(within, real) ? within : undefined;
    return projectOfFile(real, known) !== undefined || isPrivate(real);
  };

  const boundary: Boundary = {
    ...unrestricted,
    enter(given, from = base) {
      const place = placeOf(given, from);
      if (projectHolding(settledPath(place)) !== undefined) throw inProject(given);
      const real = realPathOf(given, place);
      if (isPrivate(real)) throw cannotEnter(given, "ENOENT");
      return real;
    },
    enterProject(given) {
      const settled = settledPath(placeOf(given, base));
      const project = projectHolding(settled);
      const isWhole = settled === project || settled === join(project ?? "", projectDatabase);
      if (project !== undefined && !isWhole) throw cannotEnter(given, "ENOENT");
      return unrestricted.enter(given);
    },
    admit(found) {
      const real = unrestricted.admit(found);
      if (projectHolding(real) === undefined) return real;
      throw inProject(relative(base, real) || ".");
    },
    readFile: (path, within, maxBytes) =>
      readWithin(path, within, maxBytes, (real) => isClosed(real, within)),
    streamFile: (path, within) => streamWithin(path, within, (real) => isClosed(real, within)),
    openDirectory(real) {
      const directory = unrestricted.openDirectory(real);
      return { ...directory, entries: () => shownEntries(real, directory.entries()) };
    },
    openParent: (given) => parentOf(boundary, given),
    entries: (folder) => entriesBy(boundary, folder),
    hides: (path) => projectHolding(settledPath(path)) !== undefined || isPrivate(path),
    hiddenFiles() {
      const isPrivateNow = privateFiles?.lookup();
      return (path) => isInProject(path) || (isPrivateNow?.(path) ?? false);
    },
    privacyVersion: () => privateFiles?.version() ?? "",
    confinedTo: (forceRoot) => makeBoundary({ ...options, forceRoot }),
  };
  return boundary;

  function shownEntries(folder: string, entries: Dirent[]): Dirent[] {
    if (isProjectOf(folder, entries)) return [];
    return entries.filter(
      (entry) => entry.isDirectory() || !isHidden(join(folder, entry.name), entry),
    );
  }

  /** Only a link leads from a folder that was listed into a project. */
  function isHidden(path: string, entry: Dirent): boolean {
    if (entry.isSymbolicLink() && projectHolding(settledPath(path)) !== undefined) return true;
    return isPrivate(path);
  }

  function placeOf(given: string, from: string): string {
    const problem = pathProblem(given);
    if (problem) throw invalid(`Invalid path: ${problem}.`);
    const path = resolve(from, withHome(given));
    if (fence && !leadsInside(path, fence)) throw liesOutside(given);
    return path;
  }

  function realPathOf(given: string, path: string): string {
    const real = realPathOr(path, (code) => cannotEnter(given, code));
    if (fence && !contains(fence.real, real)) throw liesOutside(given);
    return real;
  }

  function readWithin(
    path: string,
    within: string,
    maxBytes = defaultMaxBytes,
    isClosed: (real: string) => boolean,
  ): Buffer {
    const demand = demandOf(path, within, maxBytes);
    // What lies below by its real path is in the folder, whose path is then real as well.
    const isEasy = contains(within, path) && (!fence || contains(fence.real, path));
    if (isEasy && isClosed(path)) throw closedFile(demand);
    const bytes = isEasy ? readByItsName(path, demand) : undefined;
    return bytes ?? readApproved(path, approvalOf(path, within, demand, isClosed));
  }

  function streamWithin(
    path: string,
    within: string,
    isClosed: (real: string) => boolean,
  ): ReadStream {
    const demand = demandOf(path, within, Number.MAX_SAFE_INTEGER);
    const { fd } = openApproved(path, approvalOf(path, within, demand, isClosed));
    return createReadStream("", { fd });
  }

  function demandOf(path: string, within: string, maxBytes: number): Demand {
    const shown = contains(within, path) ? relative(within, path).split(sep).join("/") : "The file";
    return { shown, maxBytes, oneNameOnly: fence !== undefined };
  }

  function approvalOf(
    path: string,
    within: string,
    demand: Demand,
    isClosed: (real: string) => boolean,
  ): Approval {
    const wall = realPathOr(within, folderGone);
    if (isClosed(settledPath(path))) throw closedFile(demand);
    const isInside = (real: string): boolean =>
      contains(wall, real) && (!fence || contains(fence.real, real)) && !isClosed(real);
    return { ...demand, isInside };
  }
}

const parentOf = (boundary: Boundary, given: string) => ({
  directory: boundary.openDirectory(boundary.enter(dirname(given))),
  name: basename(given),
});

const entriesBy = (boundary: Boundary, folder: string): Dirent[] =>
  inDirectory(boundary.openDirectory(folder), (directory) => directory.entries());

/** True where `inner` is `outer` or lies below it. Both are compared letter by letter. */
export function contains(outer: string, inner: string): boolean {
  const [wall, path] = [resolve(outer), resolve(inner)];
  return path === wall || path.startsWith(wall.endsWith(sep) ? wall : wall + sep);
}

/** A force root by both of its names: as the person spelled it, and as the system knows it. */
interface Fence {
  given: string;
  real: string;
}

function makeFence(given: string): Fence {
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { given: resolve(given), real: realpathSync.native(given) };
  throw invalid(`--force-root '${given}' is ${stat ? "not a folder" : "not there"}.`, [
    "Give a folder that exists.",
  ]);
}

function withHome(given: string): string {
  const isHome = given === "~" || given.startsWith("~/") || given.startsWith(`~${sep}`);
  return isHome ? join(homedir(), given.slice(1)) : given;
}

/**
 * Whether a path stays inside the fence at every step, links followed, even when its end is
 * missing. It stops at the first step outside without touching what is there, so that nobody can
 * tell by the answer whether something exists.
 */
function leadsInside(path: string, fence: Fence, links = 0): boolean {
  const start = [fence.real, fence.given].find((root) => contains(fold(root), fold(path)));
  if (start === undefined) return false;
  const steps = path.slice(start.length).split(sep).filter(Boolean);
  let place = fence.real;
  for (const [index, step] of steps.entries()) {
    const next = join(place, step);
    const target = linkTarget(next);
    if (target === undefined) {
      place = next;
      continue;
    }
    // More links than any system follows are a circle, which `realpath` refuses by itself.
    if (links > 64) return true;
    const rest = steps.slice(index + 1);
    return leadsInside(resolve(place, target, ...rest), fence, links + 1);
  }
  return true;
}

/** Some systems do not tell upper from lower case; the real path settles it afterwards. */
function fold(path: string): string {
  return ["win32", "darwin"].includes(process.platform) ? path.toLowerCase() : path;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function realPathOr(path: string, failure: (code: string) => Failure): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw failure((error as NodeJS.ErrnoException).code ?? "");
  }
}

function cannotEnter(given: string, code: string): Failure {
  if (code === "ENAMETOOLONG") return invalid("Invalid path: it is too long.");
  if (code === "EACCES" || code === "EPERM") {
    return noPermission(`No permission to read '${shorten(given)}'.`);
  }
  return notFound(`Not found: '${shorten(given)}'.`, ["Check the spelling of the path."]);
}

const liesOutside = (given: string): Failure =>
  outOfRoot(`'${shorten(given)}' lies outside the root.`);

const inProject = (given: string): Failure =>
  new Failure("forbidden", "in-project", `'${shorten(given)}' lies inside a QualCoder project.`, {
    hints: ["Read its sources with the project's own tools, or give a folder outside of it."],
  });

const closedFile = ({ shown }: Demand): Failure => notFound(`Not found: '${shown}'.`);

const belongsOutside = (): Failure => outOfRoot("This path belongs to a folder outside the root.");

const outOfRoot = (message: string): Failure =>
  new Failure("forbidden", "out-of-root", message, {
    hints: ["This server was started with --force-root; give a path inside it."],
  });

const folderGone = (): Failure => notFound("The folder that this path belongs to is gone.");
