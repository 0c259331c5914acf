import { join, sep } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { type IgnoreRules, ignoreRulesAt, isIgnored } from "../../kernel/ignore-rules.ts";
import { inDirectory, type SafeDirectory } from "../../kernel/safe-directory.ts";
import type { Telling } from "./long-work.ts";
import { openTurn } from "./turn.ts";

/** A file of a repository by its name and size. */
export interface SurveyedFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  size: number;
  /** A link is a file of its own, and never followed. */
  isLink?: true;
}

/** Every file that belongs to a repository, as git would count them. */
export interface Survey {
  /** The real path of the repository. */
  root: string;
  files: SurveyedFile[];
  /** All folders but the repository itself. */
  folders: string[];
  /** Repositories within the repository: their files are theirs. */
  nested: string[];
  /** Folders that could not be opened. */
  unreadable: string[];
  /** The first path that was not looked at, where time or a bound ended the survey. */
  stoppedAt?: string;
}

/** More than any repository that people document. */
const mostFiles = 200_000;

/** Never part of a repository's own content, ignored or not. */
const neverEntered = new Set([".git", "node_modules", ".hg", ".svn"]);

/**
 * Walks a folder without opening a file but the ignore files. Folders are taken in the order of
 * their names, so that two walks over one content agree.
 */
export async function surveyOf(
  root: string,
  boundary: Boundary,
  { signal, progress }: Telling,
): Promise<Survey> {
  const start = root.endsWith(sep) ? root : root + sep;
  const survey: Survey = { root, files: [], folders: [], nested: [], unreadable: [] };
  const open: FolderToEnter[] = [{ folder: "", above: [] }];
  const turn = openTurn();
  for (let next = open.pop(); next; next = open.pop()) {
    const directory = openedAt(boundary, join(root, next.folder));
    if (!directory) {
      survey.unreadable.push(next.folder);
      continue;
    }
    const inner = await inDirectory(directory, () => lookInto(directory, next));
    if (survey.stoppedAt !== undefined) return survey;
    for (const below of inner.reverse()) open.push(below);
  }
  return survey;

  /** Gives the folders in it that are entered next. */
  async function lookInto(
    directory: SafeDirectory,
    { folder, above }: FolderToEnter,
  ): Promise<FolderToEnter[]> {
    const entries = directory.entries().sort((a, b) => (a.name < b.name ? -1 : 1));
    if (folder !== "" && entries.some(({ name }) => name === ".git")) {
      survey.nested.push(folder);
      return [];
    }
    if (folder !== "") survey.folders.push(folder);
    const hasRules = entries.some(({ name }) => name === ".gitignore");
    const rules = hasRules ? [...rulesIn(start, folder), ...above] : above;
    const inner: FolderToEnter[] = [];
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (turn.isOver()) {
        progress(survey.files.length, undefined, "Looking at files");
        await turn.pass();
      }
      if (signal.aborted || survey.files.length >= mostFiles) {
        survey.stoppedAt = path;
        return [];
      }
      if (entry.isDirectory()) {
        const isEntered = !neverEntered.has(entry.name) && !isIgnored(rules, path, true);
        if (isEntered) inner.push({ folder: path, above: rules });
        continue;
      }
      if (entry.name === ".git" || isIgnored(rules, path, false)) continue;
      const file = inspected(directory, entry.name, path);
      if (file) survey.files.push(file);
    }
    return inner;
  }
}

interface FolderToEnter {
  folder: string;
  above: readonly IgnoreRules[];
}

function openedAt(boundary: Boundary, place: string): SafeDirectory | undefined {
  try {
    return boundary.openDirectory(place);
  } catch {
    return undefined;
  }
}

function rulesIn(start: string, folder: string): IgnoreRules[] {
  try {
    return ignoreRulesAt(`${start}${folder}${folder && "/"}.gitignore`, folder);
  } catch {
    // Rules that cannot be read hold for nobody.
    return [];
  }
}

/** Pipes, sockets and devices are no content, and what has gone meanwhile is none either. */
function inspected(directory: SafeDirectory, name: string, path: string): SurveyedFile | undefined {
  const stat = directory.stat(name);
  if (stat?.isFile()) return { path, size: stat.size };
  return stat?.isSymbolicLink() ? { path, size: stat.size, isLink: true } : undefined;
}
