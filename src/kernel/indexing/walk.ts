import { type Dirent, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import { folderMatcher, globMatcher } from "../../text/patterns/glob.ts";
import { baseNameOf, childPath, parentFolder } from "../../text/strings/relative-path.ts";
import type { Root } from "../documents/documents.ts";
import { Failure } from "../failure.ts";
import { type Boundary, containsPath } from "../paths/boundary.ts";
import { isVirtualFileSystem, listMounts } from "../paths/mounts.ts";
import { isProjectPath } from "../paths/project-folder.ts";
import { explainErrorCode, isDeniedCode, isNotFoundCode } from "../paths/read-errors.ts";
import { type IgnoreRules, ignoreFile, isIgnored, readIgnoreRules } from "./ignore-rules.ts";

/** A file under a root that matches its pattern, with its current stat. */
export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  size: number;
  modified: number;
  /** The ctime: when its content, name or mode last changed; unlike the mtime, it cannot be set. */
  changed: number;
}

/** The stat of a folder or an ignore file at a time; none if it cannot be read. */
export interface InputStat {
  stat: Stats | undefined;
  seen: number;
}

/** One walk of a root. It caches ignore files, so it must not be reused for a later scan. */
export interface Walk {
  /** The files of a folder and its subfolders, sorted by name; `""` is the root. */
  filesBelow(folder: string): Generator<FoundFile[]>;
  /** The file at one path, if `filesBelow` would return it. */
  fileAt(path: string): FoundFile | undefined;
  /** The folders that were read and their ignore files, with their stat before they were read. */
  readonly inputs: ReadonlyMap<string, InputStat>;
  /** The symbolic links found among the files, regardless of their targets. */
  readonly links: ReadonlySet<string>;
  /** Unreadable paths, mostly folders, with the reason. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Whether the state of a path is unknown because it or a parent could not be read. */
  isUnknown(path: string): boolean;
}

/** Folders with dependencies and build output; they are not walked. */
const generatedFolders = new Set(["node_modules", "vendor", "dist", "build"]);

/** File names are case-insensitive on these systems. */
const isCaseInsensitive = ["win32", "darwin"].includes(process.platform);

/** `onFolder` is called with each folder before its entries and its ignore rules are read. */
export function openWalk(
  root: Root,
  boundary: Boundary,
  onFolder: (folder: string) => void = () => {},
): Walk {
  const start = root.path.endsWith(sep) ? root.path : root.path + sep;
  const matchesPattern = patternMatcher(root);
  const mayContainMatch = folderMatcher(root.pattern);
  const rulesByFolder = new Map<string, readonly IgnoreRules[] | undefined>();
  const inputs = new Map<string, InputStat>();
  const links = new Set<string>();
  const unreadable = new Map<string, string>();
  let realRoot: string | undefined;
  let isHiddenFile: ((path: string) => boolean) | undefined;
  return { filesBelow, fileAt, inputs, links, unreadable, isUnknown };

  function* filesBelow(top: string): Generator<FoundFile[]> {
    onFolder(top);
    const topRules = rulesFor(top);
    const open = topRules ? [{ folder: top, parentRules: topRules }] : [];
    const virtual = new Set(
      listMounts()
        .filter(isVirtualFileSystem)
        .map(({ path }) => path),
    );
    for (let next = open.pop(); next; next = open.pop()) {
      const { folder, parentRules } = next;
      onFolder(folder);
      noteInput(folder);
      const entries = entriesOf(folder);
      const hasIgnoreFile = entries.some(({ name }) => name === ignoreFile);
      if (hasIgnoreFile) noteInput(childPath(folder, ignoreFile));
      const rules =
        hasIgnoreFile && folder !== top ? [...rulesIn(folder), ...parentRules] : parentRules;
      const files: FoundFile[] = [];
      const folders: typeof open = [];
      for (const entry of unreadable.has(folder) ? [] : entries) {
        const path = childPath(folder, entry.name);
        if (isDotName(entry.name)) continue;
        const isWanted = entry.isDirectory() ? mayContainMatch(path) : matchesPattern(path);
        if (isWanted && isMisnamed(entry.name, start + path)) {
          unreadable.set(path, nameNotUtf8);
          continue;
        }
        if (entry.isDirectory()) {
          const mayMatch = isWanted && !virtual.has(start + path);
          const isEntered =
            mayMatch && !generatedFolders.has(entry.name) && !isIgnored(rules, path, true);
          if (isEntered) folders.push({ folder: path, parentRules: rules });
        } else if (isWanted && !isIgnored(rules, path, false)) {
          const file = entry.isFile() ? inspectPlain(path) : inspect(path);
          if (file) files.push(file);
        }
      }
      for (const inner of folders.reverse()) open.push(inner);
      yield files;
    }
  }

  function fileAt(path: string): FoundFile | undefined {
    const [folder, name] = splitPath(path);
    if (isDotName(name) || !matchesPattern(path)) return undefined;
    const rules = rulesFor(folder);
    if (!rules || isIgnored(rules, path, false)) return undefined;
    return boundary.hiddenFileCheck()(start + path) ? undefined : inspect(path);
  }

  /** The ignore rules for a folder's entries, innermost first; undefined if the walk skips it. */
  function rulesFor(folder: string): readonly IgnoreRules[] | undefined {
    if (!rulesByFolder.has(folder)) rulesByFolder.set(folder, readRules(folder));
    return rulesByFolder.get(folder);
  }

  function readRules(folder: string): readonly IgnoreRules[] | undefined {
    if (folder === "") return boundary.isHidden(root.path) ? undefined : rulesIn("");
    const [parent, name] = splitPath(folder);
    const parentRules = rulesFor(parent);
    if (
      !parentRules ||
      isDotName(name) ||
      generatedFolders.has(name) ||
      isProjectPath(start + folder)
    ) {
      return undefined;
    }
    const isFolder = () => lstatSync(start + folder).isDirectory();
    const isEntered = ignoringAbsent(isFolder, (error) => noteUnreadable(folder, error));
    if (!isEntered || isIgnored(parentRules, folder, true)) return undefined;
    return [...rulesIn(folder), ...parentRules];
  }

  function rulesIn(folder: string): IgnoreRules[] {
    const path = `${start}${folder}${folder && "/"}${ignoreFile}`;
    // A folder whose ignore rules cannot be read is skipped, since ignored files must not be
    // indexed.
    const onError = (error: unknown) => isPermissionError(error) || noteUnreadable(folder, error);
    return ignoringAbsent(() => readIgnoreRules(path, folder), onError) ?? [];
  }

  function noteInput(path: string): void {
    const seen = Date.now();
    inputs.set(path, { stat: ignoringAbsent(() => statInput(root.path, path), ignoreError), seen });
  }

  function noteUnreadable(path: string, error: unknown): void {
    unreadable.set(path, describeReadError(error));
  }

  function isUnknown(path: string): boolean {
    if (unreadable.size === 0) return false;
    for (let ancestor = path; ; [ancestor] = splitPath(ancestor)) {
      if (unreadable.has(ancestor)) return true;
      if (ancestor === "") return false;
    }
  }

  /** A folder that is unreadable, was removed or became a link has no entries. */
  function entriesOf(folder: string): Dirent[] {
    const readEntries = () => {
      realRoot ??= realpathSync.native(root.path);
      const { within } = root;
      const confined = within === undefined ? boundary : boundary.confinedTo(within);
      return confined.entries(folder === "" ? realRoot : join(realRoot, folder));
    };
    return ignoringAbsent(readEntries, (error) => noteUnreadable(folder, error)) ?? [];
  }

  /** A plain file in a walked folder is inside the root, so its path need not be resolved. */
  function inspectPlain(path: string): FoundFile | undefined {
    const readStat = () => statSync(start + path, withoutThrowing);
    // A permission error of stat is caused by the folder.
    const stat = ignoringAbsent(readStat, (error) =>
      noteUnreadable(isPermissionError(error) ? splitPath(path)[0] : path, error),
    );
    if (!stat?.isFile()) return undefined;
    // Only a file with several names can be a hidden file under another name.
    if (stat.nlink > 1) {
      isHiddenFile ??= boundary.hiddenFileCheck();
      if (isHiddenFile(start + path)) return undefined;
    }
    return { path, size: stat.size, modified: stat.mtimeMs, changed: stat.ctimeMs };
  }

  /** Links to files are followed if the target is inside the root; links to folders never. */
  function inspect(path: string): FoundFile | undefined {
    const inspectLink = (): FoundFile | undefined => {
      const isLink = lstatSync(start + path).isSymbolicLink();
      if (isLink) links.add(path);
      if (!isLink && !isCaseInsensitive) return inspectPlain(path);
      realRoot ??= realpathSync.native(root.path);
      const realPath = realpathSync.native(start + path);
      const isAccepted = isLink
        ? containsPath(realRoot, realPath) && !boundary.isHidden(realPath)
        : realPath.endsWith(splitPath(path)[1]);
      return isAccepted ? inspectPlain(path) : undefined;
    };
    return ignoringAbsent(inspectLink, (error) => noteUnreadable(path, error));
  }
}

/** The stat of a folder or an ignore file. Only the root itself may be a link. */
export const statInput = (root: string, path: string): Stats | undefined =>
  path === "" ? statSync(root, withoutThrowing) : lstatSync(`${root}/${path}`, withoutThrowing);

const withoutThrowing = { throwIfNoEntry: false } as const;

/** The root's ignore patterns take precedence over its pattern. */
function patternMatcher(root: Root): (path: string) => boolean {
  const matcher = (pattern: string) => globMatcher(pattern, { anyEnding: true });
  const matchesPattern = matcher(root.pattern);
  const ignores = (root.ignore ?? []).map(matcher);
  return (path) => matchesPattern(path) && !ignores.some((ignored) => ignored(path));
}

const isDotName = (name: string): boolean => name.startsWith(".");

const splitPath = (path: string): [string, string] => [parentFolder(path), baseNameOf(path)];

/** Runs a file system call; undefined if the file no longer exists. */
function ignoringAbsent<Result>(
  work: () => Result,
  onError: (error: unknown) => void,
): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === "") throw error;
    if (!isNotFoundError(error)) onError(error);
    return undefined;
  }
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

/** Whether access was denied. */
const isPermissionError = (error: unknown): boolean =>
  error instanceof Failure ? error.kind === "forbidden" : isDeniedCode(errorCode(error));

/** Whether the path does not exist, as opposed to not being accessible. */
export const isNotFoundError = (error: unknown): boolean =>
  error instanceof Failure ? error.kind === "not-found" : isNotFoundCode(errorCode(error));

/** Permanent until the permissions change, which causes a file event. */
const folderNotReadable = "no permission to read this folder";

/** Permanent until the file is renamed. */
export const nameNotUtf8 = "its name is not valid UTF-8";

/** Whether only a change that causes an event can end this problem. */
export const isPermanentReason = (reason: string): boolean =>
  reason === folderNotReadable || reason === nameNotUtf8;

/**
 * Whether a name has bytes that are not UTF-8. Node replaces them with U+FFFD, and no file has the
 * resulting name, unless U+FFFD is really in it.
 */
const isMisnamed = (name: string, path: string): boolean =>
  name.includes("\uFFFD") && ignoringAbsent(() => lstatSync(path), ignoreError) === undefined;

function ignoreError(): void {}

/** A readable reason why a file or folder could not be read. */
export function describeReadError(error: unknown): string {
  if (isPermissionError(error)) return folderNotReadable;
  if (error instanceof Failure) return error.message;
  return `it cannot be read: ${explainErrorCode(errorCode(error))}`;
}
