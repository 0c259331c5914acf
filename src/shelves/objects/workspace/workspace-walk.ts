import type { Dirent } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../kernel/failure.ts";
import { type ObservedFile, observeFile } from "../../../kernel/files/parsed-file-cache.ts";
import {
  type IgnoreRules,
  isIgnored,
  tryReadIgnoreRules,
} from "../../../kernel/indexing/ignore-rules.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import { anchorFile } from "./workspace-root.ts";

/** An object file found by a walk. */
interface WalkedFile extends ObservedFile {
  /** Relative to the root, with forward slashes. */
  path: string;
}

export interface WalkResult {
  /** By folder, with the anchor file first. */
  files: WalkedFile[];
  /** Every folder that was entered, for watching. */
  folders: string[];
}

/** Larger workspaces are rejected, because reading them would take too long. */
export const maxWorkspaceFiles = 10_000;

/** The same limit for folders, in case the path is the root of a disk. */
const maxWorkspaceFolders = 20_000;

const ignoreFile = ".qmdcignore";

export const isObjectFile = (path: string): boolean =>
  path.endsWith(".md") && path.includes(".qmd.");

/** Whether a change of a file with this name can change the result of a walk. */
export const affectsWalk = (name: string): boolean => isObjectFile(name) || name === ignoreFile;

/**
 * All object files below a folder. Symbolic links to folders, hidden folders and `node_modules` are
 * skipped. `.qmdcignore` works like `.gitignore`, in any folder.
 */
export function walkWorkspace(root: string, boundary: Boundary): WalkResult {
  const files: WalkedFile[] = [];
  const folders: string[] = [];
  const open: { folder: string; above: readonly IgnoreRules[] }[] = [{ folder: "", above: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { folder, above } = next;
    folders.push(folder);
    if (folders.length > maxWorkspaceFolders) throw tooManyError(maxWorkspaceFolders, "folders");
    const entries = listEntries(boundary, join(root, folder));
    const hasOwn = entries.some(({ name }) => name === ignoreFile);
    const rules = hasOwn
      ? [...tryReadIgnoreRules(join(root, folder, ignoreFile), folder), ...above]
      : above;
    const inner: typeof open = [];
    for (const entry of entries) {
      const path = childPath(folder, entry.name);
      if (entry.isDirectory()) {
        const isOpen = isEntered(entry.name) && !isIgnored(rules, path, true);
        if (isOpen) inner.push({ folder: path, above: rules });
      } else if (isObjectFile(entry.name) && !isIgnored(rules, path, false)) {
        const seen = observeFile(join(root, path));
        if (seen) files.push({ path, ...seen });
      }
    }
    if (files.length > maxWorkspaceFiles) throw tooManyError(maxWorkspaceFiles, "files");
    for (const below of inner.reverse()) open.push(below);
  }
  return { files, folders };
}

const isEntered = (name: string): boolean => !name.startsWith(".") && name !== "node_modules";

/** Lists a folder with the anchor file first, so that its declaration precedes its other files. */
function listEntries(boundary: Boundary, folder: string): Dirent[] {
  let entries: Dirent[];
  try {
    entries = boundary.entries(folder);
  } catch {
    return [];
  }
  const isAnchor = ({ name }: Dirent): boolean => name === anchorFile;
  return entries.sort((a, b) => Number(isAnchor(b)) - Number(isAnchor(a)));
}

const tooManyError = (limit: number, what: string): Failure =>
  new Failure("too-large", "reparse-bound-exceeded", `workspace has more than ${limit} ${what}`, {
    hints: ["Exclude files in .qmdcignore, or use a subfolder."],
  });
