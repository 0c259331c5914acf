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
import { shorten } from "../../text/strings/shorten.ts";
import { Failure, invalid, notFound } from "../failure.ts";
import { openDirectory, type SafeDirectory, withDirectory } from "../files/safe-directory.ts";
import { containsPath } from "./contains-path.ts";
import { createHomeCheck, type HomeCheck, insideHome, withoutHomeFiles } from "./home-files.ts";
import { findPathProblem } from "./path-syntax.ts";
import type { PrivateFiles } from "./private-files.ts";
import {
  createProjectCheck,
  findEnclosingProject,
  findProjectOfFile,
  isProjectFolder,
  projectDatabase,
  resolveAllowingMissing,
} from "./project-folder.ts";
import { unreachableFile } from "./read-errors.ts";
import {
  type FileRequirements,
  type OpenPolicy,
  openVerified,
  readUnlinkedFile,
  readVerified,
} from "./verified-open.ts";

/**
 * Resolves the paths of callers to real paths. Without a force root, callers may use any path. With
 * one, nothing outside it is read, and error messages do not reveal what exists there.
 *
 * The contents of a QualCoder project and all files of private sources are closed to every caller,
 * even to people: only the qualitative shelf knows what agents may read, and agents can read indexes
 * and caches that contain the results of a person's calls. That shelf uses `unrestricted`, for a
 * person and for the files of a project.
 *
 * Lectern's own home is closed to every caller, also with `unrestricted`.
 */
export interface Boundary {
  /** Whether there is a force root. */
  readonly isConfined: boolean;
  /**
   * The real path of an existing file or folder. A relative path is relative to `from`, by default
   * to `base`. Errors contain the path as given.
   */
  resolvePath(given: string, from?: string): string;
  /** Checks a folder that was found by walking up from a path, such as a workspace. */
  assertAllowed(found: string): string;
  /**
   * Whether a folder is inside the force root, following links. Always true without a force root.
   */
  allowsFolder(folder: string): boolean;
  /**
   * Reads a regular file. Checks after opening that its real path is inside `within` (TOCTOU check),
   * so that replacing a folder by a link in the meantime has no effect.
   */
  readFile(path: string, within: string, maxBytes?: number): Buffer;
  /** The same for a file of any size, as a stream. */
  streamFile(path: string, within: string): ReadStream;
  /** Opens the directory at a real path that `resolvePath` returned. The caller must close it. */
  openDirectory(real: string): SafeDirectory;
  /** Opens the directory of a file or folder to create, and returns it with the name in it. */
  openParentDirectory(given: string): { directory: SafeDirectory; name: string };
  /**
   * The real path of a project, given its folder or database. Other files in a project stay closed.
   */
  resolveProjectPath(given: string): string;
  /**
   * The entries of the folder at a real path, sorted by name. A project's folder appears empty, and private files
   * are omitted.
   */
  entries(folder: string): Dirent[];
  /** Whether a path is inside a project or is a file of a private source, following links. */
  isHidden(path: string): boolean;
  /** Creates the same check for many files; their paths must not contain links. */
  hiddenFileCheck(): (path: string) => boolean;
  /**
   * Changes whenever the set of private files may have changed, so that caches can be invalidated.
   */
  privacyVersion(): string;
  /** The same boundary with another force root. */
  confinedTo(folder: string): Boundary;
  /** The same boundary without private files. */
  readonly unrestricted: Boundary;
}

export { containsPath };

const defaultMaxBytes = 64 * 1024 * 1024;

export function createBoundary(options: {
  /** The folder to which relative paths are relative. */
  base: string;
  forceRoot?: string | undefined;
  privateFiles?: PrivateFiles;
  home?: HomeCheck;
}): Boundary {
  const { privateFiles, home = createHomeCheck() } = options;
  const base = existsSync(options.base) ? realpathSync.native(options.base) : options.base;
  const sandbox = options.forceRoot === undefined ? undefined : createSandbox(options.forceRoot);
  const isPrivate = (real: string): boolean => privateFiles?.has(real) ?? false;

  const unrestricted: Boundary = {
    isConfined: sandbox !== undefined,
    resolvePath: (given, from = base) => resolveReal(given, resolveGiven(given, from)),
    resolveProjectPath: (given) => unrestricted.resolvePath(given),
    assertAllowed(found) {
      const real = realPathOrThrow(found, folderGone);
      if (sandbox && !containsPath(sandbox.real, real)) throw folderOutsideRoot();
      if (home.isClosed(real)) throw insideHome(relative(base, real) || ".");
      return real;
    },
    allowsFolder: (folder) => !sandbox || staysInside(resolve(folder), sandbox),
    readFile: (path, within, maxBytes) => readWithin(path, within, maxBytes, home.isClosed),
    streamFile: (path, within) => streamWithin(path, within, home.isClosed),
    openDirectory(real) {
      // The directory is opened by its real path, so the path need not be resolved.
      if (sandbox && !containsPath(sandbox.real, real)) throw folderOutsideRoot();
      if (home.isClosed(real)) throw insideHome(basename(real));
      return withoutHomeFiles(openDirectory(real), home);
    },
    openParentDirectory: (given) => openParentOf(unrestricted, given),
    entries: (folder) => listEntries(unrestricted, folder),
    isHidden: (path) => home.isClosed(resolveAllowingMissing(path)),
    hiddenFileCheck: () => home.snapshotCheck(),
    privacyVersion: () => "",
    confinedTo: (forceRoot) => createBoundary({ ...options, forceRoot }).unrestricted,
    get unrestricted() {
      return unrestricted;
    },
  };

  const isInProject = createProjectCheck();
  const isClosedFile = (real: string, within: string): boolean => {
    const known = containsPath(within, real) ? within : undefined;
    return home.isClosed(real) || findProjectOfFile(real, known) !== undefined || isPrivate(real);
  };

  const boundary: Boundary = {
    ...unrestricted,
    resolvePath(given, from = base) {
      const path = resolveGiven(given, from);
      const resolved = resolveAllowingMissing(path);
      if (home.isClosed(resolved)) throw insideHome(given);
      if (findEnclosingProject(resolved) !== undefined) throw insideProject(given);
      const real = resolveReal(given, path);
      if (isPrivate(real)) throw pathUnavailable(given, "ENOENT");
      return real;
    },
    resolveProjectPath(given) {
      const resolved = resolveAllowingMissing(resolveGiven(given, base));
      const project = findEnclosingProject(resolved);
      const isProjectItself =
        resolved === project || resolved === join(project ?? "", projectDatabase);
      if (project !== undefined && !isProjectItself) throw pathUnavailable(given, "ENOENT");
      return unrestricted.resolvePath(given);
    },
    assertAllowed(found) {
      const real = unrestricted.assertAllowed(found);
      if (findEnclosingProject(real) === undefined) return real;
      throw insideProject(relative(base, real) || ".");
    },
    readFile: (path, within, maxBytes) =>
      readWithin(path, within, maxBytes, (real) => isClosedFile(real, within)),
    streamFile: (path, within) => streamWithin(path, within, (real) => isClosedFile(real, within)),
    openDirectory(real) {
      const directory = unrestricted.openDirectory(real);
      return { ...directory, entries: () => visibleEntries(real, directory.entries()) };
    },
    openParentDirectory: (given) => openParentOf(boundary, given),
    entries: (folder) => listEntries(boundary, folder),
    isHidden(path) {
      const resolved = resolveAllowingMissing(path);
      return (
        home.isClosed(resolved) || findEnclosingProject(resolved) !== undefined || isPrivate(path)
      );
    },
    hiddenFileCheck() {
      const isPrivateNow = privateFiles?.snapshotCheck();
      const isClosed = home.snapshotCheck();
      return (path) => isClosed(path) || isInProject(path) || (isPrivateNow?.(path) ?? false);
    },
    privacyVersion: () => privateFiles?.version() ?? "",
    confinedTo: (forceRoot) => createBoundary({ ...options, forceRoot }),
  };
  return boundary;

  function visibleEntries(folder: string, entries: Dirent[]): Dirent[] {
    if (isProjectFolder(folder, entries)) return [];
    const isPrivateNow = privateFiles?.snapshotCheck() ?? (() => false);
    return entries.filter((entry) => {
      if (entry.isDirectory()) return true;
      const path = join(folder, entry.name);
      return !leadsToHidden(path, entry) && !isPrivateNow(path);
    });
  }

  /** In a listed folder, only a link can lead into a project or a home. */
  function leadsToHidden(path: string, entry: Dirent): boolean {
    if (!entry.isSymbolicLink()) return false;
    const target = resolveAllowingMissing(path);
    return home.isClosed(target) || findEnclosingProject(target) !== undefined;
  }

  function resolveGiven(given: string, from: string): string {
    const problem = findPathProblem(given);
    if (problem) throw invalid(`Invalid path: ${problem}.`);
    const path = resolve(from, expandHome(given));
    if (sandbox && !staysInside(path, sandbox)) throw outsideRoot(given);
    return path;
  }

  function resolveReal(given: string, path: string): string {
    const real = realPathOrThrow(path, (code) => pathUnavailable(given, code));
    if (sandbox && !containsPath(sandbox.real, real)) throw outsideRoot(given);
    if (home.isClosed(real)) throw insideHome(given);
    return real;
  }

  function readWithin(
    path: string,
    within: string,
    maxBytes = defaultMaxBytes,
    isClosed: (real: string) => boolean,
  ): Buffer {
    const requirements = requirementsFor(path, within, maxBytes);
    // Fast path: a file without links in its path needs no resolution.
    const isDirect = containsPath(within, path) && (!sandbox || containsPath(sandbox.real, path));
    if (isDirect && isClosed(path)) throw hiddenFile(requirements);
    const bytes = isDirect ? readUnlinkedFile(path, requirements) : undefined;
    return bytes ?? readVerified(path, openPolicyFor(path, within, requirements, isClosed));
  }

  function streamWithin(
    path: string,
    within: string,
    isClosed: (real: string) => boolean,
  ): ReadStream {
    const requirements = requirementsFor(path, within, Number.MAX_SAFE_INTEGER);
    const { fd } = openVerified(path, openPolicyFor(path, within, requirements, isClosed));
    return createReadStream("", { fd });
  }

  function requirementsFor(path: string, within: string, maxBytes: number): FileRequirements {
    const displayName = containsPath(within, path)
      ? relative(within, path).split(sep).join("/")
      : "The file";
    return { displayName, maxBytes, rejectHardLinks: sandbox !== undefined };
  }

  function openPolicyFor(
    path: string,
    within: string,
    requirements: FileRequirements,
    isClosed: (real: string) => boolean,
  ): OpenPolicy {
    const realFolder = realPathOrThrow(within, folderGone);
    if (isClosed(resolveAllowingMissing(path))) throw hiddenFile(requirements);
    const isInside = (real: string): boolean =>
      containsPath(realFolder, real) &&
      (!sandbox || containsPath(sandbox.real, real)) &&
      !isClosed(real);
    return { ...requirements, isInside };
  }
}

const openParentOf = (boundary: Boundary, given: string) => ({
  directory: boundary.openDirectory(boundary.resolvePath(dirname(given))),
  name: basename(given),
});

const listEntries = (boundary: Boundary, folder: string): Dirent[] =>
  withDirectory(boundary.openDirectory(folder), (directory) => directory.entries());

/** A force root by the path that the user gave and by its real path. */
interface PathSandbox {
  given: string;
  real: string;
}

function createSandbox(given: string): PathSandbox {
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { given: resolve(given), real: realpathSync.native(given) };
  throw invalid(`--force-root '${given}' is ${stat ? "not a folder" : "missing"}.`, [
    "Pass an existing folder.",
  ]);
}

function expandHome(given: string): string {
  const isHome = given === "~" || given.startsWith("~/") || given.startsWith(`~${sep}`);
  return isHome ? join(homedir(), given.slice(1)) : given;
}

/**
 * Whether a path stays inside the force root at every step, following links. The end of the path may
 * be missing. Stops at the first step outside without accessing it, so the result does not reveal
 * what exists there.
 */
function staysInside(path: string, sandbox: PathSandbox, links = 0): boolean {
  const start = [sandbox.real, sandbox.given].find((root) =>
    containsPath(foldCase(root), foldCase(path)),
  );
  if (start === undefined) return false;
  const steps = path.slice(start.length).split(sep).filter(Boolean);
  let current = sandbox.real;
  for (const [index, step] of steps.entries()) {
    const next = join(current, step);
    const target = readLinkTarget(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    // A longer chain of links is a cycle, which `realpath` rejects.
    if (links > 64) return true;
    const rest = steps.slice(index + 1);
    return staysInside(resolve(current, target, ...rest), sandbox, links + 1);
  }
  return true;
}

/** Some file systems are case-insensitive. The real path is compared afterwards. */
function foldCase(path: string): string {
  return ["win32", "darwin"].includes(process.platform) ? path.toLowerCase() : path;
}

function readLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function realPathOrThrow(path: string, failure: (code: string) => Failure): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw failure((error as NodeJS.ErrnoException).code ?? "");
  }
}

function pathUnavailable(given: string, code: string): Failure {
  if (code === "ENAMETOOLONG") return invalid("Invalid path: it is too long.");
  return (
    unreachableFile(shorten(given), code) ??
    notFound(`Not found: '${shorten(given)}'.`, ["Check the spelling of the path."])
  );
}

const outsideRoot = (given: string): Failure =>
  outOfRoot(`'${shorten(given)}' is outside the root.`);

const insideProject = (given: string): Failure =>
  new Failure("forbidden", "in-project", `'${shorten(given)}' is inside a QualCoder project.`, {
    hints: ["Use the project tools to read its sources, or pass a path outside the project."],
  });

const hiddenFile = ({ displayName }: FileRequirements): Failure =>
  notFound(`Not found: '${displayName}'.`);

const folderOutsideRoot = (): Failure => outOfRoot("The folder of this path is outside the root.");

const outOfRoot = (message: string): Failure =>
  new Failure("forbidden", "out-of-root", message, {
    hints: ["This server was started with --force-root; pass a path inside that folder."],
  });

const folderGone = (): Failure => notFound("The folder of this path no longer exists.");
