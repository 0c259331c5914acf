import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { type IgnoreRules, ignoreRulesAt, isIgnored } from "../../kernel/ignore-rules.ts";
import { lookAt, type SeenFile } from "../../kernel/seen-file.ts";
import { anchorFile } from "./workspace-root.ts";

/** A file of the format, as the file system shows it now. */
interface FoundFile extends SeenFile {
  /** Relative to where the walk began, with forward slashes. */
  path: string;
}

export interface Walked {
  /** Folder by folder, each folder's anchor first. */
  files: FoundFile[];
  /** Every folder that was entered, for whoever wants to hear of changes. */
  folders: string[];
}

/** A workspace with more files is not read at all: every answer would take too long. */
export const mostFiles = 10_000;

/** The same for folders, should somebody name the top of a disk. */
const mostFolders = 20_000;

const ignoreFile = ".qmdcignore";

export const isObjectFile = (path: string): boolean =>
  path.endsWith(".md") && path.includes(".qmd.");

/** Whether a change of a file of this name can change what a walk finds. */
export const concernsWalk = (name: string): boolean => isObjectFile(name) || name === ignoreFile;

/**
 * All files of the format below a folder. Links to folders are not followed, hidden folders and
 * installed packages not entered; `.qmdcignore` of any folder takes out what it names, as git does.
 */
export function walkWorkspace(root: string, boundary: Boundary): Walked {
  const files: FoundFile[] = [];
  const folders: string[] = [];
  const open: { folder: string; above: readonly IgnoreRules[] }[] = [{ folder: "", above: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { folder, above } = next;
    folders.push(folder);
    if (folders.length > mostFolders) throw tooMany(mostFolders, "folders");
    const entries = entriesOf(boundary, join(root, folder));
    const hasOwn = entries.some(({ name }) => name === ignoreFile);
    const rules = hasOwn ? [...rulesIn(root, folder), ...above] : above;
    const inner: typeof open = [];
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        const isOpen = isEntered(entry.name) && !isIgnored(rules, path, true);
        if (isOpen) inner.push({ folder: path, above: rules });
      } else if (isObjectFile(entry.name) && !isIgnored(rules, path, false)) {
        const seen = lookAt(join(root, path));
        if (seen) files.push({ path, ...seen });
      }
    }
    if (files.length > mostFiles) throw tooMany(mostFiles, "files");
    for (const below of inner.reverse()) open.push(below);
  }
  return { files, folders };
}

const isEntered = (name: string): boolean => !name.startsWith(".") && name !== "node_modules";

/** The anchor comes first, so that what a folder declares is known before its other files. */
function entriesOf(boundary: Boundary, folder: string): Dirent[] {
  let entries: Dirent[];
  try {
    entries = boundary.entries(folder);
  } catch {
    return [];
  }
  const rank = ({ name }: Dirent): string => (name === anchorFile ? "" : name);
  return entries.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function rulesIn(root: string, folder: string): IgnoreRules[] {
  try {
    return ignoreRulesAt(join(root, folder, ignoreFile), folder);
  } catch {
    return [];
  }
}

const tooMany = (most: number, what: string): Failure =>
  new Failure("too-large", "reparse-bound-exceeded", `workspace has more than ${most} ${what}`, {
    hints: ["Name what is not needed in .qmdcignore, or give a folder further down."],
  });
