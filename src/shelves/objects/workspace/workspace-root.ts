import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { type Boundary, createBoundary } from "../../../kernel/paths/boundary.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";

/** The file that declares a folder as a workspace or namespace. */
export const anchorFile = "readme.qmd.md";

/** The declarations of a folder, which may be both. */
export interface FolderDeclaration {
  workspace: boolean;
  namespace: boolean;
}

const maxAncestors = 64;

/**
 * The root folder for a path: the workspace at or above it, else the outermost namespace found, else
 * the folder itself. The search stops at the root of a Git repository.
 */
export function findWorkspaceRoot(boundary: Boundary, path: string): string {
  if (path.trim() === "") throw invalid("path must not be empty");
  const entered = enterOrRefuse(boundary, path);
  const start = isFolder(entered) ? entered : dirname(entered);
  let namespace: string | undefined;
  for (let folder = start, step = 0; step < maxAncestors; step++) {
    const declared = readFolderDeclaration(folder);
    if (declared.workspace) return boundary.assertAllowed(folder);
    if (declared.namespace) namespace ??= folder;
    const parent = dirname(folder);
    if (parent === folder || existsSync(join(folder, ".git"))) break;
    folder = parent;
  }
  return boundary.assertAllowed(namespace ?? start);
}

/** With a force root, a path that does not exist is refused like one outside the root. */
function enterOrRefuse(boundary: Boundary, path: string): string {
  try {
    return boundary.resolvePath(path);
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === "not-found";
    if (!isMissing || !boundary.isConfined) throw error;
    throw new Failure("forbidden", "out-of-root", "this path cannot be resolved inside the root");
  }
}

export const workspaceNotFound = (): Failure =>
  new Failure("not-found", "not-resolved", "no workspace found at or above this path", {
    hints: ["Use a folder that contains *.qmd.md files."],
  });

/**
 * Reads outside the force root as well: a path in a workspace that starts outside must be refused,
 * not treated as a path without a workspace.
 */
function readFolderDeclaration(folder: string): FolderDeclaration {
  try {
    const bytes = createBoundary({ base: "/" }).readFile(join(folder, anchorFile), folder);
    return parseFolderDeclaration(decodeText(bytes) ?? "");
  } catch (error) {
    if (error instanceof Failure) return { workspace: false, namespace: false };
    throw error;
  }
}

/** Finds `[[id: __Workspace]]` and `[[id: __Namespace]]` anywhere in the text. */
export function parseFolderDeclaration(text: string): FolderDeclaration {
  const declared = { workspace: false, namespace: false };
  for (let from = text.indexOf("[["); from >= 0; ) {
    const end = text.indexOf("]", from);
    if (end < 0) break;
    if (text[end + 1] === "]") {
      const inner = text.slice(text.lastIndexOf("[[", end) + 2, end);
      if (kindIn(inner) === "__Workspace") declared.workspace = true;
      if (kindIn(inner) === "__Namespace") declared.namespace = true;
    }
    from = text.indexOf("[[", end);
  }
  return declared;
}

function kindIn(inner: string): string | undefined {
  const colon = inner.lastIndexOf(":");
  return colon > 0 ? inner.slice(colon + 1).trimStart() : undefined;
}
