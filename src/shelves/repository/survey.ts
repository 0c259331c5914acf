import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { sep } from "node:path";
import { type IgnoreRules, ignoreRulesAt, isIgnored } from "../../kernel/ignore-rules.ts";
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
export async function surveyOf(root: string, { signal, progress }: Telling): Promise<Survey> {
  const start = root.endsWith(sep) ? root : root + sep;
  const survey: Survey = { root, files: [], folders: [], nested: [], unreadable: [] };
  const open: { folder: string; above: readonly IgnoreRules[] }[] = [{ folder: "", above: [] }];
  const turn = openTurn();
  for (let next = open.pop(); next; next = open.pop()) {
    const { folder, above } = next;
    const entries = entriesOf(start + folder);
    if (!entries) {
      survey.unreadable.push(folder);
      continue;
    }
    if (folder !== "" && entries.some(({ name }) => name === ".git")) {
      survey.nested.push(folder);
      continue;
    }
    if (folder !== "") survey.folders.push(folder);
    const hasRules = entries.some(({ name }) => name === ".gitignore");
    const rules = hasRules ? [...rulesIn(start, folder), ...above] : above;
    const inner: typeof open = [];
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (turn.isOver()) {
        progress(survey.files.length, undefined, "Looking at files");
        await turn.pass();
      }
      if (signal.aborted || survey.files.length >= mostFiles) return { ...survey, stoppedAt: path };
      if (entry.isDirectory()) {
        const isEntered = !neverEntered.has(entry.name) && !isIgnored(rules, path, true);
        if (isEntered) inner.push({ folder: path, above: rules });
        continue;
      }
      if (entry.name === ".git" || isIgnored(rules, path, false)) continue;
      const file = inspected(start, path);
      if (file) survey.files.push(file);
    }
    for (const below of inner.reverse()) open.push(below);
  }
  return survey;
}

/** In the order of their letters, whatever the system's own. */
function entriesOf(place: string): Dirent[] | undefined {
  try {
    const entries = readdirSync(place, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
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
function inspected(start: string, path: string): SurveyedFile | undefined {
  try {
    const stat = lstatSync(start + path, { throwIfNoEntry: false });
    if (stat?.isFile()) return { path, size: stat.size };
    return stat?.isSymbolicLink() ? { path, size: stat.size, isLink: true } : undefined;
  } catch {
    return undefined;
  }
}
