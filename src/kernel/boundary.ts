import { existsSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { shorten } from "../text/shorten.ts";
import { readApproved, readByItsName } from "./approved-file.ts";
import { Failure, invalid, noPermission, notFound } from "./failure.ts";
import { pathProblem } from "./path-problem.ts";

/**
 * The one way from a caller's path to a real path. Callers are trusted with the paths they name,
 * unless there is a force root: then nothing outside it is read, and nobody learns what is there.
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
}

const defaultMaxBytes = 64 * 1024 * 1024;

export function makeBoundary(options: {
  /** Where relative paths start. */
  base: string;
  forceRoot?: string | undefined;
}): Boundary {
  const base = existsSync(options.base) ? realpathSync.native(options.base) : options.base;
  const fence = options.forceRoot === undefined ? undefined : makeFence(options.forceRoot);
  return {
    isFenced: fence !== undefined,
    enter(given, from = base) {
      const problem = pathProblem(given);
      if (problem) throw invalid(`Invalid path: ${problem}.`);
      const path = resolve(from, withHome(given));
      if (fence && !leadsInside(path, fence)) throw liesOutside(given);
      const real = realPathOr(path, (code) => cannotEnter(given, code));
      if (fence && !contains(fence.real, real)) throw liesOutside(given);
      return real;
    },
    admit(found) {
      const real = realPathOr(found, folderGone);
      if (!fence || contains(fence.real, real)) return real;
      throw outOfRoot("This path belongs to a folder outside the root.");
    },
    holds: (folder) => !fence || leadsInside(resolve(folder), fence),
    readFile(path, within, maxBytes = defaultMaxBytes) {
      const isBelow = contains(within, path);
      const demand = {
        shown: isBelow ? relative(within, path).split(sep).join("/") : "The file",
        maxBytes,
        oneNameOnly: fence !== undefined,
      };
      // What lies below by its real path is in the folder, whose path is then real as well.
      const isEasy = isBelow && (!fence || contains(fence.real, path));
      const bytes = isEasy ? readByItsName(path, demand) : undefined;
      if (bytes) return bytes;
      const wall = realPathOr(within, folderGone);
      const isInside = (real: string): boolean =>
        contains(wall, real) && (!fence || contains(fence.real, real));
      return readApproved(path, { ...demand, isInside });
    },
  };
}

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

const outOfRoot = (message: string): Failure =>
  new Failure("forbidden", "out-of-root", message, {
    hints: ["This server was started with --force-root; give a path inside it."],
  });

const folderGone = (): Failure => notFound("The folder that this path belongs to is gone.");
