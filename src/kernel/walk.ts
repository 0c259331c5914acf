import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { globMatcher } from "../text/glob.ts";
import { contains } from "./boundary.ts";
import type { Root } from "./documents.ts";
import { type IgnoreRules, ignoreRulesAt, isIgnored } from "./ignore-rules.ts";

/** A file under a root that its pattern asks for, as the file system shows it now. */
export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  size: number;
  modified: number;
}

/** One look at a root. Its ignore files are read once, so a walk is not kept for a later look. */
export interface Walk {
  /** The files of a folder and of each one below it, in the order of names; `""` is the root. */
  below(folder: string): Generator<FoundFile[]>;
  /** The file at one path, if `below` would have found it. */
  at(path: string): FoundFile | undefined;
  /** The links that were met among the files, wherever they lead. */
  readonly links: ReadonlySet<string>;
  /** The folders that were met and may not be read. */
  readonly closed: ReadonlySet<string>;
}

/** Folders that hold copies and products, never somebody's own documents. */
const products = new Set(["node_modules", "vendor", "dist", "build"]);

/** Nor is a project of coded sources entered: what in it is private, only its own shelf knows. */
const isNeverEntered = (folder: string): boolean =>
  products.has(folder) || folder.toLowerCase().endsWith(".qda");

/** Some systems find a file by a name that is spelled in other letters than its own. */
const foldsCase = ["win32", "darwin"].includes(process.platform);

export function openWalk(root: Root): Walk {
  const start = root.path.endsWith(sep) ? root.path : root.path + sep;
  const asks = patternOf(root);
  const rulesByFolder = new Map<string, readonly IgnoreRules[] | undefined>();
  const links = new Set<string>();
  const closed = new Set<string>();
  let realRoot: string | undefined;
  return { below, at, links, closed };

  function* below(top: string): Generator<FoundFile[]> {
    const rulesOfTop = rulesFor(top);
    const open = rulesOfTop ? [{ folder: top, above: rulesOfTop }] : [];
    for (let next = open.pop(); next; next = open.pop()) {
      const { folder, above } = next;
      const entries = entriesOf(folder);
      const hasOwn = folder !== top && entries.some(({ name }) => name === ignoreFile);
      const rules = hasOwn ? [...rulesIn(folder), ...above] : above;
      const files: FoundFile[] = [];
      const folders: typeof open = [];
      for (const entry of entries) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (isHidden(entry.name)) continue;
        if (entry.isDirectory()) {
          const isEntered = !isNeverEntered(entry.name) && !isIgnored(rules, path, true);
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
    return rules && !isIgnored(rules, path, false) ? inspect(path) : undefined;
  }

  /** What holds for a folder's entries, innermost first; `undefined` where no walk enters it. */
  function rulesFor(folder: string): readonly IgnoreRules[] | undefined {
    if (!rulesByFolder.has(folder)) rulesByFolder.set(folder, readRules(folder));
    return rulesByFolder.get(folder);
  }

  function readRules(folder: string): readonly IgnoreRules[] | undefined {
    if (folder === "") return rulesIn("");
    const [parent, name] = split(folder);
    const above = rulesFor(parent);
    if (!above || isHidden(name) || isNeverEntered(name)) return undefined;
    const isEntered = quietly(() => lstatSync(start + folder).isDirectory());
    if (!isEntered || isIgnored(above, folder, true)) return undefined;
    return [...rulesIn(folder), ...above];
  }

  function rulesIn(folder: string): IgnoreRules[] {
    const place = `${start}${folder}${folder && "/"}${ignoreFile}`;
    return quietly(() => ignoreRulesAt(place, folder)) ?? [];
  }

  /** A folder that cannot be read, or has gone meanwhile, has no entries. */
  function entriesOf(folder: string): Dirent[] {
    const look = () => readdirSync(start + folder, { withFileTypes: true });
    const entries = quietly(look, () => closed.add(folder)) ?? [];
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A plain file of a folder that was walked into is inside by itself: no path to resolve. */
  function inspectPlain(path: string): FoundFile | undefined {
    const look = () => statSync(start + path, orNothing);
    const stat = quietly(look, () => closed.add(split(path)[0]));
    return stat?.isFile() ? { path, size: stat.size, modified: stat.mtimeMs } : undefined;
  }

  /** Links to files are followed while they stay inside the root; links to folders never. */
  function inspect(path: string): FoundFile | undefined {
    return quietly(() => {
      const isLink = lstatSync(start + path).isSymbolicLink();
      if (isLink) links.add(path);
      if (!isLink && !foldsCase) return inspectPlain(path);
      realRoot ??= realpathSync.native(root.path);
      const real = realpathSync.native(start + path);
      const isMeant = isLink ? contains(realRoot, real) : real.endsWith(split(path)[1]);
      return isMeant ? inspectPlain(path) : undefined;
    });
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

/** What was there a moment ago may be gone, or not for us; that is no answer, and no trouble. */
function quietly<Answer>(look: () => Answer, onRefusal?: () => void): Answer | undefined {
  try {
    return look();
  } catch (error) {
    if (isRefused(error)) onRefusal?.();
    else if (!notThere.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return undefined;
  }
}

/** Whether the system keeps us from looking at something. */
export const isRefused = (error: unknown): boolean =>
  ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Any other trouble, such as too many open files, must not look as if documents were gone. */
const notThere = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);
