import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { globMatcher } from "../text/glob.ts";
import { contains } from "./boundary.ts";
import type { Root } from "./documents.ts";

/** A file under a root that its pattern asks for, as the file system shows it now. */
export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  size: number;
  modified: number;
}

/** Folders that hold copies and products, never somebody's own documents. */
const neverEntered = new Set(["node_modules", "vendor", "dist", "build"]);

/** All files of a root, or those below one of its folders, in the order of their paths. */
export function* walk(root: Root, below = ""): Generator<FoundFile> {
  const wanted = patternOf(root);
  const rules = below === "" ? [] : rulesAbove(root, below);
  if (rules) yield* walkFolder(root, below, rules, wanted);
}

/** One path of a root, if it is a file that `walk` would have found. */
export function foundAt(root: Root, path: string): FoundFile | undefined {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const rules = rulesAbove(root, folder);
  if (!rules || isHidden(path.slice(folder.length).replace("/", ""))) return undefined;
  const all = [...rules, ...rulesIn(root, folder)];
  if (isIgnored(all, path, false) || !patternOf(root)(path)) return undefined;
  return inspect(root, path, false);
}

interface Rules {
  folder: string;
  matcher: Ignore;
}

type Wanted = (path: string) => boolean;

function* walkFolder(
  root: Root,
  folder: string,
  above: Rules[],
  wanted: Wanted,
): Generator<FoundFile> {
  const rules = [...above, ...rulesIn(root, folder)];
  for (const entry of entriesOf(join(root.path, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isHidden(entry.name)) continue;
    if (entry.isDirectory()) {
      if (neverEntered.has(entry.name) || isIgnored(rules, path, true)) continue;
      yield* walkFolder(root, path, rules, wanted);
    } else if (wanted(path) && !isIgnored(rules, path, false)) {
      const found = inspect(root, path, entry.isFile());
      if (found) yield found;
    }
  }
}

/** A folder that cannot be read, or has gone meanwhile, has no entries. */
function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** An ignored pattern of the root's own wins over what it asks for. */
function patternOf(root: Root): Wanted {
  const asks = globMatcher(root.pattern);
  const ignores = (root.ignore ?? []).map(globMatcher);
  return (path) => asks(path) && !ignores.some((ignored) => ignored(path));
}

/** The ignore files from the root down to a folder's parents; `undefined` where one of them excludes it. */
function rulesAbove(root: Root, folder: string): Rules[] | undefined {
  const rules: Rules[] = [];
  const segments = folder === "" ? [] : folder.split("/");
  for (const [index, name] of segments.entries()) {
    rules.push(...rulesIn(root, segments.slice(0, index).join("/")));
    const path = segments.slice(0, index + 1).join("/");
    if (isHidden(name) || neverEntered.has(name) || isIgnored(rules, path, true)) return undefined;
  }
  return rules;
}

function rulesIn(root: Root, folder: string): Rules[] {
  try {
    const text = readFileSync(join(root.path, folder, ".gitignore"), "utf8");
    return [{ folder, matcher: ignore().add(text) }];
  } catch {
    return [];
  }
}

/** The innermost ignore file that speaks of a path decides, as git has it. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const inside = folder === "" ? path : path.slice(folder.length + 1);
    const verdict = matcher.test(isFolder ? `${inside}/` : inside);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

const isHidden = (name: string): boolean => name.startsWith(".");

/**
 * Links to files are followed while they stay inside the root; links to folders never. A plain
 * file of a folder that was walked into is inside by itself, which saves resolving every path.
 */
function inspect(root: Root, path: string, isPlain: boolean): FoundFile | undefined {
  try {
    const place = join(root.path, path);
    const stat = statSync(place);
    if (!stat.isFile()) return undefined;
    if (!isPlain && !contains(root.path, realpathSync.native(place))) return undefined;
    return { path, size: stat.size, modified: stat.mtimeMs };
  } catch {
    return undefined;
  }
}
