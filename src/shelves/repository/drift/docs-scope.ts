import { dirname, isAbsolute, relative, sep } from "node:path";
import * as z from "zod";
import { invalid, undefinedIfNotFound } from "../../../kernel/failure.ts";
import { type Boundary, containsPath } from "../../../kernel/paths/boundary.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { findRepositoryRoot } from "../repo/repo-tree.ts";
import { resolveRepository } from "../repo/repository-path.ts";
import type { DocsScope } from "./baselines.ts";

/** The input fields that select code and pages; operations spread them into their input. */
export const docsScopeInput = {
  projectPath: z.string().min(1).describe("Repository").meta({ path: true }),
  docsPath: z.string().min(1).optional().describe("Folder of pages in it; all by default"),
};

export const docsScopeFromInput = (
  { projectPath, docsPath }: { projectPath: string; docsPath?: string | undefined },
  { boundary }: { boundary: Boundary },
): DocsScope => resolveDocsScope(boundary, projectPath, { given: docsPath, parameter: "docsPath" });

/** Resolves the repository and the folder of pages, which must be inside the repository. */
export function resolveDocsScope(
  boundary: Boundary,
  project: string,
  docs: { given: string | undefined; parameter: string },
): DocsScope {
  const root = resolveRepository(boundary, project);
  if (docs.given === undefined) return { root, pages: "" };
  const folder = resolvePagesPath(boundary, root, docs.given);
  if (!containsPath(root, folder)) {
    throw invalid(
      `Invalid parameter '${docs.parameter}': the pages must be inside the repository.`,
    );
  }
  return { root, pages: relative(root, folder).split(sep).join("/") };
}

/**
 * Resolves a relative path against the repository, or like any other path if that does not exist.
 */
function resolvePagesPath(boundary: Boundary, root: string, path: string): string {
  const inside = isAbsolute(path)
    ? undefined
    : undefinedIfNotFound(() => boundary.resolvePath(path, root));
  return inside ?? boundary.resolvePath(path);
}

/** The scope of a folder of pages. If no repository is given, it is found above the pages. */
export function docsScopeOfPages(
  runtime: Pick<Runtime, "boundary" | "settings">,
  docs: string,
  project: string | undefined,
): DocsScope {
  if (project !== undefined) {
    return resolveDocsScope(runtime.boundary, project, { given: docs, parameter: "docsPath" });
  }
  const docsFolder = runtime.boundary.resolvePath(docs);
  const root = findRepositoryRoot(runtime, isFolder(docsFolder) ? docsFolder : dirname(docsFolder));
  return { root, pages: relative(root, docsFolder).split(sep).join("/") };
}
