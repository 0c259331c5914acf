import { type Dirent, lstatSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { folderMatcher, globMatcher } from "../text/glob.ts";
import { type Boundary, contains } from "./boundary.ts";
import type { Root } from "./documents.ts";
import { Failure } from "./failure.ts";
import { type IgnoreRules, ignoreRulesAt, isIgnored } from "./ignore-rules.ts";
import { isVirtual, mountsNow } from "./mounts.ts";
import { isProject } from "./project-folder.ts";

/** A file under a root that its pattern asks for, as the file system shows it now. */
export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  size: number;
  modified: number;
  /** When its content, name or mode last changed; unlike `modified` nobody can set it back. */
  changed: number;
}

/** One look at a root. Its ignore files are read once, so a walk is not kept for a later look. */
export interface Walk {
  /** The files of a folder and of each one below it, in the order of names; `""` is the root. */
  below(folder: string): Generator<FoundFile[]>;
  /** The file at one path, if `below` would have found it. */
  at(path: string): FoundFile | undefined;
  /** The links that were met among the files, wherever they lead. */
  readonly links: ReadonlySet<string>;
  /** What was met and could not be looked at, with the reason: mostly folders. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Whether nothing is known of a path, because it or a folder above it could not be looked at. */
  isUnknown(path: string): boolean;
}

/** Folders that hold copies and products, never somebody's own documents. */
const products = new Set(["node_modules", "vendor", "dist", "build"]);

/** Some systems find a file by a name that is spelled in other letters than its own. */
const foldsCase = ["win32", "darwin"].includes(process.platform);

export function openWalk(root: Root, boundary: Boundary): Walk {
  const start = root.path.endsWith(sep) ? root.path : root.path + sep;
  const asks = patternOf(root);
  const mayHold = folderMatcher(root.pattern);
  const rulesByFolder = new Map<string, readonly IgnoreRules[] | undefined>();
  const links = new Set<string>();
  const unreadable = new Map<string, string>();
  let realRoot: string | undefined;
  return { below, at, links, unreadable, isUnknown };

  function* below(top: string): Generator<FoundFile[]> {
    const rulesOfTop = rulesFor(top);
    const open = rulesOfTop ? [{ folder: top, above: rulesOfTop }] : [];
    const virtual = new Set(
      mountsNow()
        .filter(isVirtual)
        .map(({ place }) => place),
    );
    for (let next = open.pop(); next; next = open.pop()) {
      const { folder, above } = next;
      const entries = entriesOf(folder);
      const hasOwn = folder !== top && entries.some(({ name }) => name === ignoreFile);
      const rules = hasOwn ? [...rulesIn(folder), ...above] : above;
      const files: FoundFile[] = [];
      const folders: typeof open = [];
      for (const entry of unreadable.has(folder) ? [] : entries) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (isHidden(entry.name)) continue;
        if (entry.isDirectory()) {
          const isAsked = mayHold(path) && !virtual.has(start + path);
          const isEntered = isAsked && !products.has(entry.name) && !isIgnored(rules, path, true);
          if (isEntered) folders.push({ folder: path, above: rules });
        } else if (asks(path) && !isIgnored(rules, path, false)) {
          const found = entry.isFile() ? inspectPlain(path) : inspect(path);
          if (found) files.push(found);
        }
      }
      for (const inner of folders.reverse()) open.push(inner);
      yield files;
    }
  }

  function at(path: string): FoundFile | undefined {
    const [folder, name] = split(path);
    if (isHidden(name) || !asks(path)) return undefined;
    const rules = rulesFor(folder);
    if (!rules || isIgnored(rules, path, false)) return undefined;
    return boundary.hiddenFiles()(start + path) ? undefined : inspect(path);
  }

  /** What holds for a folder's entries, innermost first; `undefined` where no walk enters it. */
  function rulesFor(folder: string): readonly IgnoreRules[] | undefined {
    if (!rulesByFolder.has(folder)) rulesByFolder.set(folder, readRules(folder));
    return rulesByFolder.get(folder);
  }

  function readRules(folder: string): readonly IgnoreRules[] | undefined {
    if (folder === "") return boundary.hides(root.path) ? undefined : rulesIn("");
    const [parent, name] = split(folder);
    const above = rulesFor(parent);
    if (!above || isHidden(name) || products.has(name) || isProject(start + folder)) {
      return undefined;
    }
    const look = () => lstatSync(start + folder).isDirectory();
    const isEntered = quietly(look, (error) => note(folder, error));
    if (!isEntered || isIgnored(above, folder, true)) return undefined;
    return [...rulesIn(folder), ...above];
  }

  function rulesIn(folder: string): IgnoreRules[] {
    const place = `${start}${folder}${folder && "/"}${ignoreFile}`;
    // Without its rules a folder is not read: what it leaves out is nobody's business.
    const onTrouble = (error: unknown) => isRefused(error) || note(folder, error);
    return quietly(() => ignoreRulesAt(place, folder), onTrouble) ?? [];
  }

  function note(path: string, error: unknown): void {
    unreadable.set(path, whyUnreadable(error));
  }

  function isUnknown(path: string): boolean {
    if (unreadable.size === 0) return false;
    for (let place = path; ; [place] = split(place)) {
      if (unreadable.has(place)) return true;
      if (place === "") return false;
    }
  }

  /** A folder that cannot be read, or has gone or become a link meanwhile, has no entries. */
  function entriesOf(folder: string): Dirent[] {
    const look = () => {
      realRoot ??= realpathSync.native(root.path);
      const { within } = root;
      const confined = within === undefined ? boundary : boundary.confinedTo(within);
      return confined.entries(folder === "" ? realRoot : join(realRoot, folder));
    };
    const entries = quietly(look, (error) => note(folder, error)) ?? [];
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A plain file of a folder that was walked into is inside by itself: no path to resolve. */
  function inspectPlain(path: string): FoundFile | undefined {
    const look = () => statSync(start + path, orNothing);
    // Where a file may not be looked at, it is its folder that does not allow it.
    const stat = quietly(look, (error) => note(isRefused(error) ? split(path)[0] : path, error));
    if (!stat?.isFile()) return undefined;
    return { path, size: stat.size, modified: stat.mtimeMs, changed: stat.ctimeMs };
  }

  /** Links to files are followed while they stay inside the root; links to folders never. */
  function inspect(path: string): FoundFile | undefined {
    const look = (): FoundFile | undefined => {
      const isLink = lstatSync(start + path).isSymbolicLink();
      if (isLink) links.add(path);
      if (!isLink && !foldsCase) return inspectPlain(path);
      realRoot ??= realpathSync.native(root.path);
      const real = realpathSync.native(start + path);
      const isMeant = isLink
        ? contains(realRoot, real) && !boundary.hides(real)
        : real.endsWith(split(path)[1]);
      return isMeant ? inspectPlain(path) : undefined;
    };
    return quietly(look, (error) => note(path, error));
  }
}

const ignoreFile = ".gitignore";

const orNothing = { throwIfNoEntry: false } as const;

/** An ignored pattern of the root's own wins over what it asks for. */
function patternOf(root: Root): (path: string) => boolean {
  const matcher = (pattern: string) => globMatcher(pattern, { anyEnding: true });
  const asks = matcher(root.pattern);
  const ignores = (root.ignore ?? []).map(matcher);
  return (path) => asks(path) && !ignores.some((ignored) => ignored(path));
}

const isHidden = (name: string): boolean => name.startsWith(".");

/** A path's folder and its last name. */
function split(path: string): [string, string] {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}

/** What was there a moment ago may be gone; that is no answer, and no trouble. */
function quietly<Answer>(
  look: () => Answer,
  onTrouble: (error: unknown) => void,
): Answer | undefined {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === "") throw error;
    if (!isAbsent(error)) onTrouble(error);
    return undefined;
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

/** Whether the system keeps us from looking at something. */
const isRefused = (error: unknown): boolean =>
  error instanceof Failure
    ? error.kind === "forbidden"
    : ["EACCES", "EPERM"].includes(codeOf(error));

/** Whether something is not there, as opposed to not being told. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Failure ? error.kind === "not-found" : notThere.has(codeOf(error));

/** Any other trouble, such as too many open files, must not look as if documents were gone. */
const notThere = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Stays so until somebody changes its permissions, which is an event like any other. */
export const mayNotBeRead = "this folder may not be read";

/** Why a file or folder could not be looked at, in words. */
export function whyUnreadable(error: unknown): string {
  if (isRefused(error)) return mayNotBeRead;
  if (error instanceof Failure) return error.message;
  const code = codeOf(error);
  const reason = reasons[code];
  return `it cannot be read: ${reason ? `${reason} (${code})` : `the system says ${code}`}`;
}

const reasons: Readonly<Record<string, string>> = {
  EHOSTDOWN: "its server does not answer",
  EHOSTUNREACH: "its server does not answer",
  EIO: "the disk or the connection fails",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOMEM: "memory is short",
  ENOTCONN: "its mount is not connected",
  ESTALE: "its mount is stale",
  ETIMEDOUT: "its server does not answer",
};
