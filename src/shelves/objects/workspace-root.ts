import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Boundary, makeBoundary } from "../../kernel/boundary.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { isFolder } from "../../kernel/path-kind.ts";
import { decode } from "../../text/decoding.ts";

/** The one file in which a folder says what it is. */
export const anchorFile = "readme.qmd.md";

/** What a folder's anchor declares; a folder may be both. */
export interface Declared {
  workspace: boolean;
  namespace: boolean;
}

const mostStepsUp = 64;

/**
 * The folder whose objects belong to a path: the workspace at or above it. Without one it is the
 * namespace at or above it, and without that the folder itself, which may hold workspaces or none.
 * The search ends where a repository ends.
 */
export function findRoot(boundary: Boundary, given: string): string {
  if (given.trim() === "") throw invalid("path must not be empty");
  const entered = enteredFrom(boundary, given);
  const start = isFolder(entered) ? entered : dirname(entered);
  let namespace: string | undefined;
  for (let folder = start, step = 0; step < mostStepsUp; step++) {
    const declared = declaredIn(folder);
    if (declared.workspace) return boundary.admit(folder);
    if (declared.namespace) namespace ??= folder;
    const above = dirname(folder);
    if (above === folder || existsSync(join(folder, ".git"))) break;
    folder = above;
  }
  return boundary.admit(namespace ?? start);
}

/** With a force root, what cannot be resolved is refused like what lies outside. */
function enteredFrom(boundary: Boundary, given: string): string {
  try {
    return boundary.enter(given);
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === "not-found";
    if (!isMissing || !boundary.isFenced) throw error;
    throw new Failure("forbidden", "out-of-root", "this path cannot be resolved inside the root");
  }
}

export const notResolved = (): Failure =>
  new Failure("not-found", "not-resolved", "no workspace found at or above this path", {
    hints: ["Give a folder that holds *.qmd.md files."],
  });

/**
 * Looks past a force root as well: a path that belongs to a workspace outside is refused, and not
 * taken for one that belongs to none.
 */
function declaredIn(folder: string): Declared {
  try {
    const bytes = makeBoundary({ base: "/" }).readFile(join(folder, anchorFile), folder);
    return declaredBy(decode(bytes) ?? "");
  } catch (error) {
    if (error instanceof Failure) return { workspace: false, namespace: false };
    throw error;
  }
}

/** Looks for `[[id: __Workspace]]` and `[[id: __Namespace]]`, wherever they stand in the text. */
export function declaredBy(text: string): Declared {
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
